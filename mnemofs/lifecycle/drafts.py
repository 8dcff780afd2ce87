"""A file as it was read and as it shall be: the bridge between gates (text) and the store (bytes).

A draft remembers the blob it was computed from. As long as it was only added to, it also remembers
the steps, so that the store can repeat them on newer bytes; a rewritten draft is merged instead
(I2, CON-02).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from mnemofs.errors import UnreadableText
from mnemofs.markdown.lines import Decoded, decode, encode, main_ending, with_ending
from mnemofs.store.model import Edit, Snapshot

Step = Callable[[bytes | None], bytes | None]


@dataclass(frozen=True)
class Draft:
    """snapshot: what was read. content: what shall stand there. steps: how the one becomes the
    other, None when it was rewritten as a whole."""

    snapshot: Snapshot
    content: bytes | None
    steps: tuple[Step, ...] | None = ()

    @classmethod
    def of(cls, snapshot: Snapshot) -> Draft:
        """The draft that changes nothing yet."""
        return cls(snapshot, snapshot.content)

    @property
    def path(self) -> str:
        return self.snapshot.path

    @property
    def readable(self) -> bool:
        """False for bytes that are no UTF-8 text: such a file is left alone (TXT-02)."""
        try:
            self._decoded()
        except UnreadableText:
            return False
        return True

    @property
    def text(self) -> str:
        """The present text with \\n line ends, "" for an absent or unreadable file."""
        try:
            return with_ending(self._decoded().text, "\n")
        except UnreadableText:
            return ""

    @property
    def changed(self) -> bool:
        return self.content != self.snapshot.content

    def stepped(self, step: Step) -> Draft:
        """The draft after an addition that can be repeated on other bytes."""
        steps = None if self.steps is None else (*self.steps, step)
        return replace(self, content=step(self.content), steps=steps)

    def rewritten(self, text: str) -> Draft:
        """The draft with a whole new text, in the line ends and with the mark the file has."""
        if self.content is None:
            return replace(self, content=text.encode(), steps=None)
        old = self._decoded()
        content = encode(with_ending(text, main_ending(old.text)), bom=old.bom)
        return replace(self, content=content, steps=None)

    def edit(self) -> Edit | None:
        """What to hand to the store; None when nothing changes."""
        if not self.changed:
            return None
        steps = self.steps
        if steps is None:
            return Edit(self.path, self.snapshot.blob, self.content)

        def replay(data: bytes | None) -> bytes | None:
            return reduce(lambda present, step: step(present), steps, data)

        return Edit(self.path, self.snapshot.blob, self.content, replay)

    def _decoded(self) -> Decoded:
        return decode(self.content or b"")
