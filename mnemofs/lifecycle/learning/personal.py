"""Which conversations are a person's, so that none of them is written to shared memory (W-1).

`<workspace>/.mnemofs/turns/personal`: hashes only, without text and without owners, 16 bytes each.
A conversation is known by its id, and by its first messages, because an id can be given anew.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from mnemofs.digests import blake2b
from mnemofs.lifecycle.learning.alignment import fingerprints
from mnemofs.names import SIDECAR_DIR
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.disk.files import read_file
from mnemofs.systems import APPEND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mnemofs.lifecycle.learning.transcripts import Transcript

_SIZE = 16
# Two talks may begin with the same greeting and its answer, hardly with the same four messages.
_FIRST = 4
_TELLING = 80  # characters that are as telling


def marks_of(transcript: Transcript, conversation: str) -> tuple[bytes, ...]:
    """What a conversation is known by. conversation: the id it is given here, "" for none."""
    marks = [f"id {name}" for name in (conversation, transcript.conversation) if name]
    first = transcript.messages[:_FIRST]
    if len(first) == _FIRST or sum(len(message.text) for message in first) >= _TELLING:
        marks.append(f"said {' '.join(fingerprints(first))}")
    return tuple(
        blake2b(mark.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()
        for mark in dict.fromkeys(marks)
    )


def claim(workspace: str, marks: Iterable[bytes]) -> None:
    """From now on these belong to a person. Raises StorageFull and PermissionRefused."""
    new = [mark for mark in marks if mark not in _known(workspace)]
    if new:
        path = _path(workspace)
        with storage_errors(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            # One short append is one write: two processes never mix theirs.
            descriptor = os.open(path, APPEND, 0o600)
            try:
                # A write that a full disk cut short left part of a mark (CON-04).
                rest = bytes(-os.fstat(descriptor).st_size % _SIZE)
                data = rest + b"".join(new)
                if os.write(descriptor, data) < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(descriptor)


def is_personal(workspace: str, marks: Iterable[bytes]) -> bool:
    """Whether any of these belongs to a person."""
    known = _known(workspace)
    return any(mark in known for mark in marks)


def _known(workspace: str) -> frozenset[bytes]:
    data = read_file(_path(workspace)) or b""
    return frozenset(data[at : at + _SIZE] for at in range(0, len(data), _SIZE))


def _path(workspace: str) -> str:
    return os.path.join(workspace, SIDECAR_DIR, "turns", "personal")
