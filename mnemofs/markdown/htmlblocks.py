"""The seven kinds of HTML block of CommonMark: how each begins and what ends it."""

from __future__ import annotations

import re
from typing import Final

BLANK_LINE: Final = re.compile(r"\Z.")  # matches nothing: such a block ends at a blank line
COMMENT_END: Final = re.compile("-->")
_INSTRUCTION_END: Final = re.compile(r"\?>")
_CDATA_END: Final = re.compile(r"\]\]>")
_DECLARATION_END: Final = re.compile(">")
_ATTRIBUTE: Final = (
    r"(?>\s+[a-zA-Z_:][a-zA-Z0-9:._-]*"
    r"(?>\s*=\s*(?>[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
_TAG_ALONE: Final = (  # compiled on first use
    rf"<[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}*\s*/?>\s*$|</[A-Za-z][A-Za-z0-9-]*\s*>\s*$"
)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=\s|(/?>)|$)")
_RAW_END: Final = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_RAW: Final = frozenset(["script", "pre", "style", "textarea"])
_CLOSING: Final = {
    COMMENT_END: "-->",
    _INSTRUCTION_END: "?>",
    _CDATA_END: "]]>",
    _DECLARATION_END: ">",
}
_BLOCK: Final = (
    " address article aside base basefont blockquote body caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option "
    "p param search section summary table tbody td tfoot th thead title tr track ul "
)


def html_closing(text: str) -> str:
    """What closes the HTML block that begins with `text`; "" for one that ends at a blank line."""
    ending = html_start(text, in_text=False)
    if ending is _RAW_END and (tag := _TAG.match(text)):
        return f"</{tag[2]}>"
    return _CLOSING.get(ending, "") if ending else ""


def html_start(text: str, *, in_text: bool) -> re.Pattern[str] | None:
    """What ends the HTML block that begins with `text`; None when none begins.

    A lone tag of any other name does not interrupt a paragraph (`in_text`).
    """
    if text.startswith("<!--"):
        return COMMENT_END
    if text.startswith("<?"):
        return _INSTRUCTION_END
    if text.startswith("<![CDATA["):
        return _CDATA_END
    if text[1:2] == "!" and text[2:3].isascii() and text[2:3].isalpha():
        return _DECLARATION_END
    tag = _TAG.match(text)
    name = tag[2].lower() if tag else ""
    if tag and name in _RAW and not tag[1] and tag[3] != "/>":
        return _RAW_END
    if (name and f" {name} " in _BLOCK) or (not in_text and re.match(_TAG_ALONE, text)):
        return BLANK_LINE
    return None
