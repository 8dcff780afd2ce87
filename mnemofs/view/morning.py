"""The morning card: what dreams added since one last looked, to confirm, edit or forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mnemofs.errors import NotFound
from mnemofs.view.admission import admit
from mnemofs.view.knowing import Knowing

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting.receipts import Receipt
    from mnemofs.lifecycle.reviewing.card import Card
    from mnemofs.results import WriteResult
    from mnemofs.store.model import Actor


class Morning(Knowing):
    """The card, and what can be done with its entries."""

    def card(self) -> Card:
        """What dreams promoted since this reader last looked: all of it, newest first, from their
        own memory and the team's."""
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.lifecycle.reviewing.card import Card, Seen, unseen

        found = []
        for scope in self._scopes:
            if scope.name == "GLOBAL":
                continue
            with Timeline(scope.store) as timeline:
                seen = Seen(scope.root, self.owner).load()
                found += unseen(scope.store, seen, timeline, scope=scope.name, owner=scope.owner)
        found.sort(key=lambda one: (one.time, one.id), reverse=True)
        return Card(tuple(found))

    def card_seen(self, report: str | None = None) -> int:
        """Note that a report and all before it were seen, or all there are; how many that is.

        Raises NotFound.
        """
        from mnemofs.lifecycle.reviewing.card import Seen

        reports = self.card().reports
        if report is not None:
            wanted = next((one for one in reports if one.id == report), None)
            if wanted is None:
                raise NotFound(f"there is no unseen report {report}", hint="see `mnemofs card`")
            reports = tuple(one for one in reports if (one.time, one.id) <= (wanted.time, report))
        for scope in self._scopes:
            ids = [one.id for one in reports if (one.scope, one.owner) == (scope.name, scope.owner)]
            if ids:
                Seen(scope.root, self.owner).add(ids)
        return len(reports)

    def card_confirm(self, entry: str, *, actor: Actor = "person") -> WriteResult:
        """A person says that a promoted entry holds today. Raises NotFound."""
        self._card_entry(entry, shared=True)
        return self._say(entry, "CONFIRMED", actor)

    def card_edit(self, entry: str, text: str, *, actor: Actor = "person") -> WriteResult:
        """Put an own text in the place of a promoted entry, whose section is then marked as edited
        by a person. Raises NotFound, and UsageError for an empty text."""
        from mnemofs.lifecycle.marks import without_forged_marks
        from mnemofs.lifecycle.reviewing.card import MEMORY, edited

        text, warnings = admit(without_forged_marks(text, ""), actor)
        self._card_entry(entry)
        change = partial(edited, entry=entry, text=text, day=self.clock.today())
        return self._apply(MEMORY, change, "card: 1 entry edited", actor, "", warnings, said=True)

    def card_forget(self, entry: str, *, source: str = "") -> Receipt:
        """Forget a promoted entry, everywhere in the reader's own store. Raises NotFound."""
        line = self._card_entry(entry)
        return self.forget(entry=f"MEMORY.md:{line}", source=source)

    def _card_entry(self, entry: str, *, shared: bool = False) -> int:
        """The line of an entry of MEMORY.md, in the reader's own store, or in a shared one."""
        from mnemofs.lifecycle.reviewing.card import MEMORY, find_entry

        own = self._own()
        for scope in self._scopes:
            if scope.name == "GLOBAL" or (scope is not own and not shared):
                continue
            try:
                return find_entry(scope.read(MEMORY), entry).line
            except NotFound:
                continue
        raise NotFound(f"there is no entry {entry}", hint="see `mnemofs card`")
