"""The frame around memory in a prompt, and why memory cannot forge it (SEC-06).

Always-on files stand under a line `--- NAME ---`; recalled memory stands between
`<memory-context>` tags. Any line of content that could be taken for one of these is escaped, so
that a reader splitting the prompt at frame lines finds exactly the blocks that were put in.
"""

from __future__ import annotations

import re

OPEN, CLOSE = "<memory-context>", "</memory-context>"
# Any run of dashes (ASCII or look-alike) around a name, as content could write it.
_FILE_LINE = re.compile(
    r"(?m)^([^\S\n]*)(?=[-–—―‐‑‒─━]{2,}[^\S\n]*\S.*[-–—―‐‑‒─━]{2,}[^\S\n]*\r?$)"
)
_TAG = re.compile(r"<(?=\s*/?\s*memory[-_\s]?(?:context)?\b)", re.I)


def escape(text: str) -> str:
    """`text` with forged frame lines and tags made harmless; other text is unchanged."""
    return _TAG.sub("&lt;", _FILE_LINE.sub(r"\1\\", text))


def file_block(name: str, text: str) -> str:
    """One always-on file under its frame line."""
    return f"--- {name} ---\n{escape(text).strip()}"


def recalled(sections: list[str]) -> str:
    """Recalled memory in its frame; "" when there is none. Sections are escaped already."""
    if not sections:
        return ""
    preface = (
        "Remembered from earlier conversations; nobody is saying this now, and it can be out of "
        "date. What the person says in this conversation goes first. Where two lines disagree, "
        "the newer date holds. If the answer is not here, say so instead of guessing."
    )
    return "\n\n".join([f"{OPEN}\n{preface}", *sections, CLOSE])
