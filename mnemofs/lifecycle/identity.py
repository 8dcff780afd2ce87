"""Who an entry is, wherever it stands: a short hash of what it says."""

from __future__ import annotations

import hashlib

from mnemofs.markdown.entries import normalise


def entry_id(text: str) -> str:
    """12 hex digits that stay the same when an entry moves, is dated, emphasised or re-cased.

    text: the entry as it stands, with or without its marker, date and source (see `normalise`).
    """
    return normal_id(normalise(text))


def normal_id(normal: str) -> str:
    """The same for a text that is normalised already (`markdown.entries.Entry.normal`)."""
    return hashlib.blake2b(normal.encode("utf-8", "replace"), digest_size=6).hexdigest()
