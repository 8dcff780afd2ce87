"""The one home of name safety: which paths and owner keys are allowed, and what is ours.

Every path that comes from outside passes `check_path` before anything is read or written, and
`inside` when it meets the disk. Which files of a folder are memory at all is `is_memory`.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata

from mnemofs.errors import NotFound, PermissionRefused, UnsafeName
from mnemofs.systems import NO_LINK, NO_WAIT, READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OWNERS_DIR = "owners"
SIDECAR_DIR = ".mnemofs"
SETTINGS = "mnemofs.toml"
# Spelling that other tools read; a differently cased twin is a collision, never a second block.
WELL_KNOWN = ("AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md", "KNOWLEDGE.md", "DREAMS.md")
_WELL_KNOWN_DIRS = ("memory", "structured", "memories", "ledger")

# Patterns are compiled on use: a hook needs none of them.
_RESERVED = r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?"
_GIT_ALIAS = r"(?i)\.git|git~\d+"
_WINDOWS_FORBIDDEN = frozenset('<>:"|?*\\')
_JOINERS = "\u200c\u200d"
_BACKUP = (".#", "._", "~", "___jb_")
_CHANNEL = r"[a-z][a-z0-9_.-]*"
_OWNER_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_OWNER_MAX = 180
_OWNER_HEAD = 100
_LEDGER = r"ledger/\d{4}-\d\d\.jsonl"


def check_path(raw: str, *, suffix: str = ".md") -> str:
    """The canonical form (NFC, POSIX, relative) of a path that came from outside.

    suffix: the ending a memory file must have; "" for files of our own such as the ledger.
    Raises UnsafeName for anything that could leave the workspace, enter `.git`, another owner's
    repository or the sidecar, or that could not exist on every system (SEC-01, SEC-03).
    """
    if not raw or raw.isspace():
        raise _unsafe(raw, "is empty")
    _check_encoded(raw)
    path = unicodedata.normalize("NFC", raw)
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        raise _unsafe(raw, "is absolute")
    if "\\" in path:
        raise _unsafe(raw, "has a backslash")
    segments = path.split("/")
    for segment in segments:
        reason = _segment_fault(segment)
        if reason:
            raise _unsafe(raw, reason)
    if len(path.encode()) > 1024:
        raise _unsafe(raw, "is longer than 1024 bytes")
    for folder in segments[:-1]:
        if folder.startswith("."):
            raise _unsafe(raw, "lies in a hidden folder, which is not part of the memory")
    if segments[0].casefold() == OWNERS_DIR:
        raise UnsafeName(
            f"{_shown(raw)} lies in a person's own memory",
            hint="name the person with --owner instead of writing the path",
        )
    if suffix and not path.endswith(suffix):
        raise UnsafeName(
            f"{_shown(raw)} is not a Markdown file",
            hint=f"memory files end in {suffix}",
        )
    if suffix and not is_memory(path):
        raise _unsafe(raw, "has the name of a backup or temporary file")
    return path


def is_memory(path: str) -> bool:
    """Whether a repository path (as found on disk) is a file of ours: indexed, folded, merged.

    Markdown outside hidden folders, the ledger and the settings; never another repository's,
    an owner's, the sidecar's or an editor's temporary file (WAT-05).
    """
    folder, _, name = path.rpartition("/")
    if folder and (
        any(skip_dir(part) for part in folder.split("/"))
        or folder.partition("/")[0].casefold() == OWNERS_DIR
    ):
        return False
    if name.endswith(".md"):
        return not name.startswith(_BACKUP)
    return path == SETTINGS or re.fullmatch(_LEDGER, path) is not None


def skip_dir(name: str) -> bool:
    """Whether a folder of this name is never entered: hidden, or another tool's."""
    return name.startswith(".") or name in ("node_modules", "__pycache__")


def fault(path: str) -> str | None:
    """Why a path found on disk cannot be handled as memory (a reason to report), else None."""
    try:
        check_path(path, suffix="")
    except UnsafeName as error:
        return error.message
    return None


def collision_key(path: str) -> str:
    """Equal for paths that are one file on a case-insensitive or normalising disk, or look alike
    but for a joiner."""
    folded = unicodedata.normalize("NFD", path).casefold()
    if not folded.isascii():
        for joiner in _JOINERS:
            folded = folded.replace(joiner, "")
    return unicodedata.normalize("NFC", folded)


def collisions(paths: Iterable[str]) -> dict[str, str]:
    """Paths that collide with a better spelling: {collides: the canonical path} (TXT-10).

    The canonical path is the well-known spelling when one of the group has it, else the first in
    byte order.
    """
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(collision_key(path), []).append(path)
    losers: dict[str, str] = {}
    for group in groups.values():
        if len(group) > 1:
            best = min(group, key=lambda path: (not _canonical(path), path.encode()))
            losers.update((path, best) for path in group if path != best)
    return losers


def settle(path: str, existing: Iterable[str]) -> str:
    """The spelling under which `path` stands already, so that no second one is created.

    existing: the paths that are there. Exact spelling first, then the canonical one of those that
    collide with it, then the well-known spelling, then `path` itself (TXT-09, TXT-10).
    """
    key, twins = collision_key(path), []
    for other in existing:
        if other == path:
            return path
        if collision_key(other) == key:
            twins.append(other)
    if twins:
        return min(twins, key=lambda twin: (not _canonical(twin), twin.encode()))
    head, slash, rest = path.partition("/")
    key = collision_key(head)
    known = _WELL_KNOWN_DIRS if slash else WELL_KNOWN
    return next((name + slash + rest for name in known if collision_key(name) == key), path)


def inside(root: str | os.PathLike[str], path: str) -> str:
    """The absolute file name of repository path `path`, when no symlink stands on the way.

    Raises UnsafeName when any part of it below `root` is a symlink (SEC-02). The file itself need
    not exist.
    """
    whole = os.path.join(os.fspath(root), *path.split("/"))
    current = (os.fspath(root) or os.curdir).rstrip(os.sep)
    for part in path.split("/"):
        current = f"{current}{os.sep}{part}"
        try:
            mode = os.lstat(current).st_mode
        except FileNotFoundError:
            break
        except NotADirectoryError:
            raise UnsafeName(f"{path} passes through a file", path=path) from None
        except PermissionError:
            raise PermissionRefused(f"{path} cannot be reached: no permission", path=path) from None
        if stat.S_ISLNK(mode):
            raise UnsafeName(
                f"{path} passes through a symbolic link, which memory never follows",
                hint="replace the link by the file or folder itself",
                path=path,
            )
    return whole


def open_regular(root: str | os.PathLike[str], path: str) -> bytes:
    """The bytes of a regular file inside `root`.

    Raises NotFound, UnsafeName (symlink, FIFO, device, folder) or PermissionRefused.
    """
    name = inside(root, path)
    try:
        descriptor = os.open(name, READ | NO_LINK | NO_WAIT)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"there is no file {path}", path=path) from None
    except PermissionError:
        raise PermissionRefused(
            f"{path} cannot be read: no permission",
            hint="check the file's owner and mode",
            path=path,
        ) from None
    except OSError as error:
        raise UnsafeName(f"{path} is not a plain file ({error.strerror})", path=path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnsafeName(f"{path} is not a plain file", path=path)
    with open(descriptor, "rb") as file:
        return file.read()


def owner_key(raw: str) -> str:
    """The normal form (NFC, case kept) of an owner key such as `user:42` or `feishu:ou_7`.

    Raises UnsafeName for empty ids, surrounding white space, control, bidi and invisible
    characters, and keys without a kind (OWN-01). `system`, which means no owner, is the caller's.
    """
    key = unicodedata.normalize("NFC", raw)
    kind, colon, ident = key.partition(":")
    if not colon or not ident or not re.fullmatch(_CHANNEL, kind):
        raise UnsafeName(
            f"{_shown(raw)} is not an owner key",
            hint="write kind:id, for example user:42 or feishu:ou_7",
        )
    if ident != ident.strip() or len(key.encode("utf-8", "surrogatepass")) > 4096:
        raise UnsafeName(f"the owner key {_shown(raw)} has space around it or is too long")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in key):
        raise UnsafeName(f"the owner key {_shown(raw)} holds invisible or control characters")
    return key


def encode_owner(key: str) -> str:
    """The folder name of an owner key: ASCII, reversible, distinct after case folding.

    `a-z 0-9 - _` stay, every other UTF-8 byte becomes `=hh`. Over 180 characters: a readable head,
    `==` and the SHA-256 of the key (the exact key then stands in that repository's settings).
    """
    encoded = "".join(
        chr(byte) if byte in _OWNER_PLAIN else f"={byte:02x}" for byte in key.encode()
    )
    if len(encoded) <= _OWNER_MAX:
        return encoded
    import hashlib

    head = re.sub(r"=.?$", "", encoded[:_OWNER_HEAD])
    return f"{head}=={hashlib.sha256(key.encode()).hexdigest()}"


def decode_owner(folder: str) -> str | None:
    """The owner key of a folder name; None for hashed or foreign names."""
    if not re.fullmatch(r"(?:[a-z0-9_-]|=[0-9a-f]{2})+", folder):
        return None
    raw = re.sub(
        rb"=([0-9a-f]{2})", lambda match: bytes([int(match[1], 16)]), folder.encode("ascii")
    )
    try:
        key = raw.decode()
    except UnicodeDecodeError:
        return None
    return key if encode_owner(key) == folder else None


def _segment_fault(segment: str) -> str | None:
    if segment in ("", ".", ".."):
        return "has an empty, `.` or `..` part"
    for at, char in enumerate(segment):
        category = unicodedata.category(char)
        if category in ("Cc", "Cf", "Cs", "Zl", "Zp") and not (
            char in _JOINERS and _joins(segment[:at], segment[at + 1 :])
        ):
            return "holds a control or invisible character"
        if char in _WINDOWS_FORBIDDEN:
            return f"holds the character {char}, which not every system allows"
    if segment[-1] in ". ":
        return "has a part that ends in a dot or space"
    if re.fullmatch(_GIT_ALIAS, segment):
        return "reaches into .git"
    if segment.casefold() == SIDECAR_DIR:
        return "reaches into the sidecar folder"
    if re.fullmatch(_RESERVED, segment):
        return "is a device name on Windows"
    if len(segment.encode()) > 255:
        return "has a part longer than 255 bytes"
    return None


def _joins(before: str, after: str) -> bool:
    """Whether a joiner is part of how a word is written (Persian, Hindi) or a picture put together:
    it stands between two letters or signs that are not ASCII."""
    return all(
        not char.isascii() and unicodedata.category(char)[0] in "LMS"
        for char in (before[-1:] or ".", after[:1] or ".")
    )


def _check_encoded(raw: str) -> None:
    # SEC-01: a path that turns dangerous once somebody decodes it (%2e%2e, ..%252f).
    if "%" not in raw:
        return
    from urllib.parse import unquote

    decoded = raw
    for _ in range(4):
        previous, decoded = decoded, unquote(decoded)
        if decoded == previous:
            return
        parts = re.split(r"[/\\]", decoded)
        if len(parts) != raw.count("/") + 1 or any(map(_segment_fault, parts)):
            raise _unsafe(raw, "hides a separator, `..` or control character behind % signs")


def _canonical(path: str) -> bool:
    return path in WELL_KNOWN or path.partition("/")[0] in _WELL_KNOWN_DIRS


def _shown(raw: str) -> str:
    return ascii(raw if len(raw) <= 80 else raw[:77] + "...")


def _unsafe(raw: str, reason: str) -> UnsafeName:
    return UnsafeName(
        f"the path {_shown(raw)} {reason}",
        hint="use a relative path inside the workspace, such as memory/2026-05-01.md",
    )
