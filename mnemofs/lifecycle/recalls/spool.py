"""What a prompt was given, noted in passing: one line at the end of a small file.

A hook runs at every prompt and has no time for a database: `.mnemofs/recall.jsonl` takes a line
(0.1 ms), and whoever asks for counts (`recall.RecallBook`) moves the lines into `recall.db`.
Nothing here imports `json` or SQLite, and nothing raises.
"""

from __future__ import annotations

import os

from mnemofs.digests import blake2b
from mnemofs.names import SIDECAR_DIR
from mnemofs.records import Record
from mnemofs.systems import APPEND, NO_LINK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SPOOL = "recall.jsonl"
# The line that grows the spool beyond this has it drained; it is given up when that fails on.
DRAIN_BYTES = 512 << 10
_MOST_BYTES = 4 << 20
_QUERY_CHARS = 500
_TRIES = 5
_TEXT_CHARS = 4000
# Most entries, and names of what was left out, of one prompt.
_MOST = 200

_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(32), 0x22, 0x5C, 0x2028, 0x2029)}


class Injected(Record):
    """An entry that was shown. line: where it stood, 0 when unknown. heading: above it, or its key.

    why: "always-on", "search", "structured" or "read". parts: what the score is made of, as
    "name value" words.
    """

    path: str
    line: int
    heading: str
    text: str
    why: str
    score: float = 0.0
    parts: str = ""


class Shown(Record):
    """A file that was shown whole, or as far as `limit` characters of it go (0 = all).

    blob: git's id of its bytes. without: keys of structured entries that were left out.
    """

    path: str
    blob: str
    limit: int = 0
    why: str = "always-on"
    without: tuple[str, ...] = ()


def query_hash(query: str) -> str:
    """What is kept of a question where its words may not be: 8 bytes of a hash, as hex."""
    folded = " ".join(query.casefold().split())
    return blake2b(folded.encode("utf-8", "replace"), digest_size=8).hexdigest()


def owner_tag(owner: str) -> str:
    """A person as other stores may know them: a hash, their key stands in no shared file."""
    return blake2b(owner.encode(), digest_size=6).hexdigest() if owner else ""


def new_prompt() -> str:
    """The id of one prompt, the same in every store that gave to it."""
    return os.urandom(6).hex()


def note(
    root: str,
    entries: Sequence[Injected],
    *,
    prompt: str,
    query: str,
    owner: str,
    private: bool,
    at: float,
    files: Sequence[Shown] = (),
    omitted: Sequence[str] = (),
) -> int:
    """Append a line; the size of the spool after it, 0 when nothing could be noted.

    at: seconds since 1970. private: the store is the asker's own. Elsewhere only a hash of the
    question is kept (W-2).
    """
    keep_words = private or not owner
    line = _json(
        {
            "prompt": prompt,
            "at": at,
            "owner": owner_tag(owner),
            "query": _masked(query[:_QUERY_CHARS]) if keep_words else "",
            "hash": query_hash(query) if query.strip() else "",
            "files": [one.as_tuple() for one in files],
            "entries": [
                one.replace(text=one.text[:_TEXT_CHARS]).as_tuple() for one in entries[:_MOST]
            ],
            "omitted": [text[:_QUERY_CHARS] for text in omitted[:_MOST]],
        }
    )
    return append(os.path.join(root, SIDECAR_DIR, SPOOL), f"{line}\n".encode("utf-8", "replace"))


def append(path: str, line: bytes) -> int:
    """Add a line to a file; its size then, 0 when that could not be done. Never raises."""
    try:
        for _ in range(_TRIES):
            try:
                descriptor = os.open(path, APPEND | NO_LINK, 0o600)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                descriptor = os.open(path, APPEND | NO_LINK, 0o600)
            try:
                # One write: lines of processes that note at the same time do not mix.
                os.write(descriptor, line)
                status = os.fstat(descriptor)
            finally:
                os.close(descriptor)
            if status.st_nlink:
                break
            # Somebody drained it just now; a line that was counted is not counted again.
        if status.st_size > _MOST_BYTES:
            os.unlink(path)
            return 0
    except OSError:
        return 0
    return status.st_size


def may_hold_secret(text: str) -> bool:
    """Whether the detectors should be loaded for a text: it has more than plain words."""
    return any(
        (len(word) >= 12 and not word.isalpha()) or ":" in word or "=" in word
        for word in text.split()
    )


def _masked(query: str) -> str:
    if not may_hold_secret(query):
        return query
    from mnemofs.secrets import mask

    return mask(query)[0]


def _json(value: object) -> str:
    """`value` as JSON. Importing `json` would cost a hook two milliseconds."""
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        items = ",".join(f"{_json(key)}:{_json(item)}" for key, item in value.items())
        return f"{{{items}}}"
    assert isinstance(value, list | tuple)
    return f"[{','.join(map(_json, value))}]"
