"""What FTS5 sees: text folded so that its stock tokenizer finds every script and symbol.

Characters of scripts written without spaces stand alone and are asked for as phrases (recall 1.0
for one character and up). What the tokenizer would drop (`C++`, `100%`, `file_name`, emoji) is
written once more as a letters-and-digits token into the `sym` column, so that such a term matches
itself and nothing else (SRC-06). No custom tokenizer: any SQLite client can open the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from mnemofs.digests import sha1

TOKENIZER = "porter unicode61 remove_diacritics 2"

# Patterns are compiled when first needed: a question in English needs none of them.
# Han, kana, bopomofo, Hangul; and the letters of Thai, Lao, Myanmar, Khmer.
_IDEOGRAPHS = (
    "\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_UNSPACED = "\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff"
_JOINERS = "[\u200b-\u200f\u2060\ufe00-\ufe0f\u00ad\ufeff]"
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\0": " "})

# Symbols that belong to the word they touch. Quotes, brackets, `*`, `|` and `,` never do.
_HARD = r"%_+#@$&=~^\\€£¥§°"
_SYMBOL = re.compile(f"[{_HARD}]")
_DOTTED = re.compile(r"[0-9]\.[0-9]")
_WORD_CHAR = re.compile(r"\w")
_WORD = re.compile(r"[^\W_]+")


def _blanking(keep: Callable[[str], bool]) -> bytes:
    """A table for `bytes.translate` that puts spaces for the other ASCII characters."""
    return bytes(byte if keep(chr(byte)) else 32 for byte in range(128)) + bytes(128)


# For ASCII, a table does what a pattern does in a fifth of the time.
_WORD_TABLE = _blanking(str.isalnum)
_LETTERS_TABLE = _blanking(str.isalpha)
_RUN_TABLE = _blanking(lambda char: char not in "\"'`*|,;:!?()[]{}<>/.-")
_ASCII_SYMBOLS = "".join(filter(str.isascii, _HARD)).replace("\\\\", "\\").encode()
_DIGITS = b"0123456789"


@cache
def _solitary() -> re.Pattern[str]:
    return re.compile(f"[{_IDEOGRAPHS}{_UNSPACED}]")


@cache
def solitary_run() -> re.Pattern[str]:
    """Characters of unspaced scripts that stand together."""
    return re.compile(f"[{_IDEOGRAPHS}{_UNSPACED}]+")


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile("[\u2190-\u21ff\u2300-\u23ff\u2460-\u2bff\U0001f000-\U0001faff]")


def _run(text: str) -> re.Pattern[str]:
    """What stands between spaces, quotes, brackets and soft separators; a number's point stays."""
    # The wide ranges take milliseconds to compile: plain text is spared them.
    return _run_outside("" if text.isascii() else _IDEOGRAPHS + _UNSPACED)


@cache
def _run_outside(scripts: str) -> re.Pattern[str]:
    inside = rf"[^\s\"'`*|,;:!?()\[\]{{}}<>/.\-{scripts}]+"
    return re.compile(rf"{inside}(?:(?<=[0-9])[.,](?=[0-9]){inside})*")


def fold(text: str) -> str:
    """One spelling for what people take as equal: NFKC, case, apostrophes; invisible joiners go."""
    if text.isascii():
        return text.lower().replace("\0", " ")
    text = re.sub(_JOINERS, "", text.translate(_APOSTROPHES))
    return unicodedata.normalize("NFKC", text).casefold()


def spaced(folded: str) -> str:
    """`folded` with each character of an unspaced script set apart; its combining marks dropped."""
    if folded.isascii():
        return folded
    return _solitary().sub(_set_apart, folded)


def solitary_count(text: str) -> int:
    """How many characters of scripts without spaces there are."""
    return 0 if text.isascii() else len(_solitary().findall(text))


def words(folded: str) -> list[str]:
    """The tokens (unstemmed) that the tokenizer will make of `folded`, in order."""
    if folded.isascii():
        return folded.encode().translate(_WORD_TABLE).decode().split()
    return _WORD.findall(spaced(folded))


def letters(text: str) -> list[str]:
    """The runs of letters in a text, in order."""
    if text.isascii():
        return text.encode().translate(_LETTERS_TABLE).decode().split()
    return re.findall(r"[^\W\d_]+", text)


def symbol_tokens(folded: str) -> list[str]:
    """The `sym` column's tokens of `folded`: one for each symbol-bearing word and emoji."""
    tokens: list[str] = []
    if _has_symbol(folded):
        for run in _runs(folded):
            if not run.isalnum():
                tokens += map(_encode, _forms(run))
    if not folded.isascii():
        tokens += [_encode(match[0]) for match in _emoji().finditer(folded)]
    return tokens


def query_symbols(folded: str) -> list[str]:
    """The `sym` tokens that a text must hold to contain the word `folded`, in order."""
    tokens = []
    for match in _run(folded).finditer(folded):
        forms = _forms(match[0])
        if forms:
            tokens.append(_encode(forms[0]))
    if not folded.isascii():
        tokens += [_encode(match[0]) for match in _emoji().finditer(folded)]
    return tokens


def has_digit(text: str) -> bool:
    """Whether there is an ASCII digit."""
    raw = text.encode()
    return len(raw.translate(None, _DIGITS)) < len(raw)


def _has_symbol(folded: str) -> bool:
    if folded.isascii():
        raw = folded.encode()
        if len(raw.translate(None, _ASCII_SYMBOLS)) < len(raw):
            return True
        # Most texts hold a full stop, few a digit.
        if "." not in folded or len(raw.translate(None, _DIGITS)) == len(raw):
            return False
        return _DOTTED.search(folded) is not None
    # Two patterns that each begin with a set: many times faster than one with an alternative.
    return _SYMBOL.search(folded) is not None or _DOTTED.search(folded) is not None


def _runs(folded: str) -> list[str]:
    if not folded.isascii() or (has_digit(folded) and ("." in folded or "," in folded)):
        return _run(folded).findall(folded)
    return folded.encode().translate(_RUN_TABLE).decode().split()


def _forms(run: str) -> list[str]:
    """The exact spellings under which a run is indexed; none when it is an ordinary word."""
    if run.isalnum():
        return []
    run = run.rstrip("&=~^\\")
    if not _WORD_CHAR.search(run.replace("_", "")):
        return []
    forms = []
    bare = run.strip("_")
    if _has_symbol(run):
        forms.append(run)
        # `_name_` may be emphasis around a word, and `v1.2` is asked for as `1.2`.
        if bare != run and _has_symbol(bare):
            forms.append(bare)
        if bare[0] == "v" and _DOTTED.search(bare) and bare[1:2].isdigit():
            forms.append(bare[1:])
    return forms


def _encode(form: str) -> str:
    # Ends in a digit so that the stemmer leaves it alone; bounded, since a run may be 100 kB.
    raw = form.encode("utf-8", "replace")
    if len(raw) > 40:
        return f"x{sha1(raw, usedforsecurity=False).hexdigest()}1"
    return f"x{raw.hex()}0"


def _set_apart(match: re.Match[str]) -> str:
    char = match[0]
    if unicodedata.category(char)[0] == "M":
        return ""
    return f" {char} "
