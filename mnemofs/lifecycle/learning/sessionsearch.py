"""A question to raw conversations as FTS5 expressions, and the line of an answer to show. Pure."""

from __future__ import annotations

import re
from typing import Final

SPACE: Final = re.compile(r"\s+")
_SNIPPET: Final = 200


def terms(query: str) -> list[str]:
    """A query as FTS5 expressions, one for each word between spaces: quoted tokens only."""
    from mnemofs.index.terms.text import fold, query_symbols, words

    found: dict[str, None] = {}
    for chunk in fold(query[:2000].encode("utf-8", "replace").decode()).split()[:32]:
        symbols = query_symbols(chunk)
        plain = words(chunk)[:64]
        if symbols:
            found["sym : (" + " AND ".join(f'"{token}"' for token in symbols) + ")"] = None
        elif plain:
            found['body : "' + " ".join(plain) + '"'] = None
    return list(found)


def snippet(text: str, query: str) -> str:
    """One line of the text with the first word of the query about one third in."""
    line = SPACE.sub(" ", text).strip()
    if len(line) <= _SNIPPET:
        return line
    place = -1
    for word in sorted(query.split(), key=len, reverse=True):
        for part in dict.fromkeys((word, word[: max(3, len(word) - 3)])):
            found = re.search(re.escape(part), line, re.IGNORECASE)
            if found and place < 0:
                place = found.start()
    start = max(0, min(max(place, 0) - _SNIPPET // 3, len(line) - _SNIPPET + 2))
    end = start + _SNIPPET - 2
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
