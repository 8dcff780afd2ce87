"""What may be written: text that is text, without the secrets that a machine would leave in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mnemofs.errors import UnreadableText, UsageError

if TYPE_CHECKING:
    from mnemofs.store.model import Actor

# Writers that run unattended and for long: every detector is worth its loading time there.
_DEEP = frozenset({"api", "import"})
_SECRET_KEPT = "the text holds something that looks like a secret; it will stay in history"
_SECRET_MASKED = "something that looked like a secret was masked before writing"


def admit(text: str, actor: Actor) -> tuple[str, tuple[str, ...]]:
    """A statement as it may be written, and a sentence when it holds a secret: a person's own is
    kept, any other masked. Raises UsageError for an empty text and for half characters."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise UsageError("there is nothing to write: the text is empty")
    if "\ud800" <= max(text) <= "\udfff" or any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError("the text is not valid UTF-8", hint="save it as UTF-8 and try again")
    shown, count = masked(text, deep=actor in _DEEP)
    if not count:
        return text.strip("\n"), ()
    if actor == "person":
        return text.strip("\n"), (_SECRET_KEPT,)
    return shown.strip("\n"), (_SECRET_MASKED,)


def admit_given(
    content: bytes | str | Mapping[str, str], actor: Actor
) -> tuple[str | Mapping[str, str], tuple[str, ...]]:
    """The same for a file's text, or values by key, which may be empty and stay to the letter."""
    deep = actor in _DEEP
    if isinstance(content, bytes | str):
        text = _valid(content)
        shown, count = masked(text, deep=deep)
        given: str | Mapping[str, str] = text if actor == "person" else shown
    else:
        # Masked together with its key, which tells what it is.
        lines = {
            key: masked(_valid(f"{key}: {value}"), deep=deep) for key, value in content.items()
        }
        count = sum(found for _, found in lines.values())
        given = {key: line[len(key) + 2 :] for key, (line, _) in lines.items()}
        given = content if actor == "person" else given
    if not count:
        return given, ()
    return given, (_SECRET_KEPT if actor == "person" else _SECRET_MASKED,)


def admit_edited(content: bytes, standing: bytes, actor: Actor) -> tuple[bytes, tuple[str, ...]]:
    """The same for a file after an edit, whose new text may have made a secret of what stood."""
    text = content.decode()
    if not masked(text, deep=actor in _DEEP)[1]:
        return content, ()
    from mnemofs.lifecycle.gates import mask_new

    text, count = mask_new(text, standing.decode("utf-8", "replace"))
    if not count:
        return content, ()
    return (content, (_SECRET_KEPT,)) if actor == "person" else (text.encode(), (_SECRET_MASKED,))


def masked(text: str, *, deep: bool = False) -> tuple[str, int]:
    """The text without its secrets, and how many there were."""
    from mnemofs.secrets import mask

    shown, findings = mask(text, deep=deep)
    return shown, len(findings)


def naming(
    path: str, change: Callable[[bytes | None], bytes | None]
) -> Callable[[bytes | None], bytes | None]:
    """The change, except that of a file that it cannot read it says which one it is."""

    def named(data: bytes | None) -> bytes | None:
        try:
            return change(data)
        except UnreadableText as error:
            said = error.message.removeprefix("the text ")
            raise UnreadableText(f"{path}: its text {said}", hint=error.hint, path=path) from None

    return named


def _valid(content: bytes | str) -> str:
    """As text. Raises UsageError for bytes or lone surrogates that are no UTF-8."""
    from mnemofs.markdown.lines import decode

    try:
        data = content if isinstance(content, bytes) else content.encode()
        decode(data)
        return data.decode()
    except (UnicodeError, UnreadableText):
        raise UsageError(
            "the content is not valid UTF-8", hint="save it as UTF-8 and try again"
        ) from None
