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
_TAG_ALONE: Final = re.compile(
    rf"<[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}*\s*/?>\s*$|</[A-Za-z][A-Za-z0-9-]*\s*>\s*$"
)
_RAW_TAG: Final = re.compile(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.IGNORECASE)
_RAW_END: Final = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_BLOCK_TAG: Final = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|"
    r"details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|"
    r"h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|"
    r"optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|"
    r"ul)(?=\s|/?>|$)",
    re.IGNORECASE,
)


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
    if _RAW_TAG.match(text):
        return _RAW_END
    if _BLOCK_TAG.match(text) or (not in_text and _TAG_ALONE.match(text)):
        return BLANK_LINE
    return None
