"""Objects that are all there and yet not quite JSON, as small models write them.

Read are comments, commas before a closing bracket, names without quotes, text in single quotes and
Python's True, False and None. Nothing is ever completed: what stops in the middle stays unreadable
(LLM-06).
"""

from __future__ import annotations

import json
import re

_PIECE = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*")'
    r"|'(?P<single>(?:[^'\\\n]|\\.)*)'"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<word>[A-Za-z_$][\w$-]*)(?P<colon>\s*:)?",
    re.DOTALL,
)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_BARE_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_LITERALS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside strings lose nothing


def loads(text: str) -> object:
    """The value that `text` (an object or an array, from bracket to bracket) spells.

    Raises ValueError or RecursionError when it spells none.
    """
    return _DECODER.decode(_LAST_COMMA.sub(lambda match: match[1] or "", _PIECE.sub(_json, text)))


def _json(piece: re.Match[str]) -> str:
    if piece["single"] is not None:
        inner = piece["single"].replace("\\'", "'")
        return '"' + _BARE_QUOTE.sub(lambda match: match[1] or '\\"', inner) + '"'
    if piece["comment"] is not None:
        return ""
    if piece["word"] is not None:
        if piece["colon"] is not None:
            return f'"{piece["word"]}":'
        return _LITERALS.get(piece["word"], piece["word"])
    return piece[0]
