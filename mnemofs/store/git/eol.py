"""Line endings as git converts them, so that git sees a clean tree after our writes (GIT-07).

The work tree keeps the bytes a person or program wrote; the blob holds what git's "clean" side
would have stored. Attributes come from `.gitattributes` files, `info/attributes` and the user's
file, as in gitattributes(5).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from mnemofs.errors import UnsupportedRepository
from mnemofs.store.git.config import GitConfig, config_home
from mnemofs.store.git.ignore import read_rules
from mnemofs.store.git.patterns import glob

Settings = tuple[tuple[str, str | bool | None], ...]
Attributes = dict[str, str | bool | None]  # True set, False unset, text a value, None unspecified

_MAX_MACROS = 10
_RELEVANT = frozenset({"text", "crlf", "eol", "filter", "ident", "working-tree-encoding"})


@dataclass(frozen=True, slots=True)
class _Rule:
    matches: Callable[[str], bool]
    by_name: bool
    attributes: Settings


class Conversion:
    """What git would do to the bytes of each path. Made once; ask `current` before each use."""

    def __init__(self, root: str, common_dir: str, config: GitConfig) -> None:
        self._root = root
        self._fold = config.flag("core.ignorecase")
        self._autocrlf = (config.get("core.autocrlf") or "").lower()
        chosen = config.get("core.attributesfile")
        user_file = os.path.expanduser(chosen) if chosen else ""
        self._stamps: dict[str, tuple[int, int, int] | None] = {}
        self._macros: dict[str, Settings] = {"binary": (("text", False),)}
        self._info = self._read(os.path.join(common_dir, "info", "attributes"))
        self._user = self._read(user_file or os.path.join(config_home(), "attributes"))
        self._system = self._read("/etc/gitattributes")
        self._folders: dict[str, list[_Rule]] = {}

    def current(self) -> bool:
        """Whether every attribute file that was looked at is unchanged."""
        # A copy: another thread may be looking at a folder for the first time.
        return all(_stamp(path) == seen for path, seen in list(self._stamps.items()))

    def clean(self, path: str, content: bytes, stored: Callable[[], bytes | None]) -> bytes:
        """The bytes git would store for work-tree bytes.

        stored: reads the blob that is tracked at present; git leaves a file alone whose tracked
        text already has CRLF when the conversion is only automatic.
        Raises UnsupportedRepository for paths under a filter program or another encoding.
        """
        attributes = self._attributes(path)
        for name in ("filter", "working-tree-encoding"):
            if attributes.get(name) not in (None, False):
                raise UnsupportedRepository(
                    f"{path} is under the git attribute `{name}`, which mnemofs does not apply",
                    hint="exclude Markdown files from that attribute in .gitattributes",
                    path=path,
                )
        if attributes.get("ident") is True:
            raise UnsupportedRepository(
                f"{path} is under the git attribute `ident`, which mnemofs does not apply",
                path=path,
            )
        if b"\r\n" not in content:
            return content
        mode = self._mode(attributes)
        if mode == "keep":
            return content
        if mode == "auto":
            if looks_binary(content):
                return content
            tracked = stored()
            if tracked is not None and b"\r\n" in tracked and not looks_binary(tracked):
                return content
        return content.replace(b"\r\n", b"\n")

    def _mode(self, attributes: Attributes) -> str:
        text = attributes.get("text")
        if text is None:
            text = attributes.get("crlf")
            text = True if text == "input" else text
        if text is False:
            return "keep"
        if text is True:
            return "text"
        if text == "auto":
            return "auto"
        if attributes.get("eol") in ("lf", "crlf"):
            return "text"
        return "auto" if self._autocrlf in ("true", "input", "yes", "on", "1") else "keep"

    def _attributes(self, path: str) -> Attributes:
        folders = path.split("/")[:-1]
        found: Attributes = {}
        layers: list[tuple[str, list[_Rule]]] = [("", self._system), ("", self._user)]
        for depth in range(len(folders) + 1):
            here = "/".join(folders[:depth])
            if here not in self._folders:
                place = os.path.join(self._root, here, ".gitattributes")
                self._folders[here] = self._read(place, follow=False)
            layers.append((here, self._folders[here]))
        layers.append(("", self._info))
        name = path.rpartition("/")[2]
        for here, rules in layers:
            inner = path[len(here) + 1 :] if here else path
            for rule in rules:
                if rule.matches(name if rule.by_name else inner):
                    self._apply(rule.attributes, found)
        return found

    def _apply(self, given: Settings, found: Attributes, depth: int = 0) -> None:
        for name, value in given:
            if value is True and name in self._macros and depth < _MAX_MACROS:
                self._apply(self._macros[name], found, depth + 1)
            elif name in _RELEVANT:
                found[name] = value

    def _read(self, path: str, follow: bool = True) -> list[_Rule]:
        self._stamps[path] = _stamp(path)
        if self._stamps[path] is None:
            return []
        rules = []
        for line in read_rules(path, follow).removeprefix("\ufeff").split("\n"):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            pattern, words = _split(line)
            given = tuple(map(_setting, words))
            if pattern.startswith("[attr]"):
                self._macros[pattern[len("[attr]") :]] = given
            elif not pattern.startswith("!") and not pattern.endswith("/"):
                by_name = "/" not in pattern  # a pattern ending in a slash matches no file
                matches = glob(pattern.removeprefix("/"), fold=self._fold)
                rules.append(_Rule(matches, by_name, given))
        return rules


def looks_binary(content: bytes) -> bool:
    """Git's guess (convert.c): a NUL, a bare CR, or more than 1 in 128 characters unprintable."""
    if b"\0" in content or content.count(b"\r") != content.count(b"\r\n"):
        return True
    body = content.removesuffix(b"\x1a")
    odd = len(body.translate(None, delete=_PRINTABLE))
    return (len(body) - body.count(b"\r\n") - body.count(b"\n") - odd) >> 7 < odd


_PRINTABLE = bytes(
    byte for byte in range(256) if byte in b"\b\t\n\r\x1b\x0c" or (byte >= 32 and byte != 127)
)


def _split(line: str) -> tuple[str, list[str]]:
    if line.startswith('"'):
        end = 1
        while end < len(line) and line[end] != '"':
            end += 2 if line[end] == "\\" else 1
        return line[1:end].replace('\\"', '"').replace("\\\\", "\\"), line[end + 1 :].split()
    words = line.split()
    return words[0], words[1:]


def _setting(word: str) -> tuple[str, str | bool | None]:
    name, equals, value = word.partition("=")
    if equals:
        return name, value
    if word[0] in "-!":
        return word[1:], False if word[0] == "-" else None
    return word, True


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
