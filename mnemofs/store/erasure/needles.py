"""What a purge looks for: a text in every form in which a file or an object may hold it.

Plain (Unicode forms C and D, either line end), JSON- (once, and again inside other JSON) and
HTML-escaped, URL-encoded, base64 in its three alignments, hexadecimal, UTF-16, and what editors
wrote before UTF-8. Replacing is the same everywhere and on every machine, so
that two clones that purge the same text arrive at the same commits.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from html import escape
from typing import Final
from urllib.parse import quote, quote_plus

from mnemofs.errors import UsageError

MARK: Final = "[purged]"
_NAME: Final = b"purged"
_SHORTEST: Final = 4
_SHORTEST_HEX: Final = 8
# Shorter encoded forms would be found by accident.
_SHORTEST_ENCODED: Final = 6
_LONG_LINE: Final = 20
_LEGACY: Final = (
    "cp1252", "cp1250", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1255", "cp1256",
    "gb18030", "big5hkscs", "cp932", "euc-jp", "cp949",
)  # fmt: skip


class Needles:
    """Texts to purge. Raises UsageError for one that is too short to be told from anything else."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted({text.strip("\r\n") for text in texts}))
        if not self.texts:
            raise UsageError("there is nothing to purge")
        forms: dict[bytes, bytes] = {}
        for text in self.texts:
            if len(text.strip()) < (2 if not text.isascii() else _SHORTEST):
                raise UsageError(
                    f"a text of fewer than {_SHORTEST} characters is in too many places to purge"
                )
            if len(text) < _SHORTEST_HEX and re.fullmatch(r"[0-9a-fA-F]+", text):
                raise UsageError(
                    "a short text of hexadecimal digits stands in too many ids to purge"
                )
            if text in MARK:
                raise UsageError(f"{MARK} is what takes the place of a purged text")
            for part in _parts(text):
                forms.update(_forms(part))
        mark = MARK.encode()
        self._forms = tuple(
            (form, forms[form])
            for form in sorted(forms, key=lambda form: (-len(form), form))
            if form not in mark
        )
        self._found = tuple(form for form, _ in self._forms)
        plain = {form for text in self.texts for part in _parts(text) for form in _plain(part)}
        self._plain = tuple(sorted(plain, key=lambda form: (-len(form), form)))

    def found(self, data: bytes) -> bool:
        """Whether any form stands in these bytes."""
        return any(map(data.__contains__, self._found))

    def replaced(self, data: bytes) -> bytes:
        """The bytes with every form replaced by a mark."""
        for form, mark in self._forms:
            if form in data:
                data = data.replace(form, mark)
        return data

    def in_name(self, name: bytes) -> bool:
        """Whether a file name, or a tree full of them, holds the text itself."""
        return any(map(name.__contains__, self._plain))

    def renamed(self, name: bytes) -> bytes:
        """A file name without the text."""
        for form in self._plain:
            name = name.replace(form, _NAME)
        return name


def free_name(name: bytes, taken: Collection[bytes]) -> bytes:
    """A file name, with a number before its first dot when it is taken."""
    stem, dot, suffix = name.partition(b".")
    number = 1
    while name in taken:
        number += 1
        name = b"%s-%d%s%s" % (stem, number, dot, suffix)
    return name


def _parts(text: str) -> Iterator[str]:
    """The text, and each long line of a text of several lines."""
    yield text
    if "\n" in text:
        yield from (line.strip() for line in text.splitlines() if len(line.strip()) >= _LONG_LINE)


def _plain(text: str) -> set[bytes]:
    variants = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
    if "\n" in text:
        bare = {variant.replace("\r\n", "\n") for variant in variants}
        variants = bare | {variant.replace("\n", "\r\n") for variant in bare}
    return {variant.encode("utf-8", "surrogateescape") for variant in variants}


def _forms(text: str) -> dict[bytes, bytes]:
    """{form: what takes its place}."""
    mark = MARK.encode()
    found = dict.fromkeys(_plain(text), mark)
    escaped = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    escaped |= {json.dumps(shape, ensure_ascii=False)[1:-1] for shape in escaped}
    escaped |= {escape(text), escape(text, quote=False), _numbered(escape(text))}
    for encoded in (_quoted(text, ""), _quoted(text, "/"), quote_plus(text, errors="replace")):
        escaped |= {encoded, _lower_hex(encoded)}
    for raw in list(found):
        for form in _encoded(raw):
            if len(form) >= _SHORTEST_ENCODED:
                found.setdefault(form, mark)
    for shape in escaped:
        if len(shape) >= _SHORTEST:
            found.setdefault(shape.encode("utf-8", "surrogateescape"), mark)
    if len(text) >= _SHORTEST:
        for codec in ("utf-16-le", "utf-16-be"):
            found.setdefault(text.encode(codec, "surrogatepass"), MARK.encode(codec))
    composed = unicodedata.normalize("NFC", text)
    for codec in _LEGACY if not composed.isascii() else ():
        form = composed.encode(codec, "ignore")
        if len(form) >= _SHORTEST_ENCODED and form.decode(codec, "ignore") == composed:
            found.setdefault(form, mark)
    return found


def _numbered(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _encoded(raw: bytes) -> Iterator[bytes]:
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    for shift, dropped in ((0, 0), (1, 2), (2, 3)):
        whole = (shift + len(raw)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            packed = encode(bytes(shift) + raw)
            yield packed[dropped:whole]
            yield packed[dropped:]  # at the end of what was encoded, with its padding
            yield packed[dropped:].rstrip(b"=")


def _quoted(text: str, safe: str) -> str:
    return quote(text, safe=safe, errors="replace")


def _lower_hex(encoded: str) -> str:
    pieces = encoded.split("%")
    return "%".join([pieces[0], *(piece[:2].lower() + piece[2:] for piece in pieces[1:])])
