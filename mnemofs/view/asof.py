"""The memory as it was: every store at the commit that it had at one instant, read only."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn

from mnemofs.clock import parse_instant
from mnemofs.errors import NotFound
from mnemofs.scopes import Scope
from mnemofs.view.base import ViewBase
from mnemofs.view.prompting import Prompting
from mnemofs.view.tracing import Tracing

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemofs.index.sidecar import Index
    from mnemofs.index.timelines.timeline import Timeline
    from mnemofs.store.disk.scan import Survey
    from mnemofs.store.model import Committed
    from mnemofs.store.past.asof import PastStore

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T].*)?")
# How many revisions a view keeps open.
_OPEN = 4


def past_view(view: ViewBase, when: str) -> PastView:
    """See `Reading.at`."""
    moment, named = _moment(view, when.strip())
    scopes: list[Scope] = []
    for scope in view._scopes:
        commit = named.get(id(scope)) or _commit_at(scope, moment)
        if commit:
            scopes.append(_past_scope(view, scope, commit))
    if not scopes:
        raise NotFound(
            f"there was no memory yet at {when}",
            hint="`mnemofs log` lists what there is",
            revision=when,
        )
    return PastView(view, when, moment, scopes)


class PastScope(Scope):
    """One store at one commit. Nothing is folded, and nothing changes."""

    def __init__(self, present: Scope, commit: str) -> None:
        super().__init__(
            present.name, present.owner, present.root, present.embedders, self._open_past
        )
        self._present = present
        self.revision = commit

    @property
    def index(self) -> Index:
        """The search index of that commit."""
        if self._index is None:
            from mnemofs.index.asof import PastIndex

            self._index = PastIndex(
                self.root, self.revision, lambda: self.store.tree(), self._present.store.blob
            )
        return self._index

    def read(self, path: str) -> bytes | None:
        """The file as the commit has it."""
        return self.store.read(path).content

    def fresh(self, *, semantic: bool) -> tuple[str, ...]:
        """Makes the index of the commit, once; warnings."""
        self.index.embedder = self.embedders.get() if semantic else None
        return self.index.refresh().warnings

    def fold(self, seen: Survey | None = None) -> tuple[str, ...]:
        """Nothing: there are no hand edits in the past."""
        return ()

    def written(self, done: Committed) -> tuple[str, ...]:
        """Never called: nothing is written."""
        return ()

    @property
    def contested(self) -> bool:
        """False: what was undecided then was shown as it stood."""
        return False

    def close(self) -> None:
        """Releases the index; the repository is the present's."""
        if self._index is not None:
            self._index.close()

    def _open_past(self) -> PastStore:
        from mnemofs.store.past.asof import PastStore

        return PastStore(self._present.store, self.revision)


class PastView(Prompting, Tracing):
    """What `at` gives: ls, read, search, context, log, diff and blame of that time.

    when: as it was asked. moment: the instant it means. Any method that would change something
    raises GuardRefused.
    """

    def __init__(self, present: ViewBase, when: str, moment: datetime, scopes: list[Scope]) -> None:
        super().__init__(
            present.config, present.clock, present._embedders, scopes, owner=present.owner
        )
        self._present = present
        self.when = when
        self.moment = moment

    @property
    def revisions(self) -> dict[str, str]:
        """The commit of each store, by scope."""
        return {scope.name: scope.revision for scope in self._scopes}

    def at(self, when: str) -> PastView:
        """Another time, of the same memory."""
        return past_view(self._present, when)

    def close(self) -> None:
        """Nothing to release: the present view keeps what is open."""

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        from mnemofs.store.past.asof import read_only
        from mnemofs.view import View

        if name.startswith("_") or not callable(getattr(View, name, None)):
            raise AttributeError(f"{type(self).__name__} has no {name}")

        def refuse(*_args: object, **_kwargs: object) -> NoReturn:
            raise read_only(self.when)

        return refuse

    def _timeline(self, scope: Scope) -> Timeline:
        from mnemofs.index.timelines.timeline import Timeline
        from mnemofs.store.past.asof import PastStore

        store = scope.store
        return Timeline(store.present if isinstance(store, PastStore) else store)


def _moment(view: ViewBase, when: str) -> tuple[datetime, dict[int, str]]:
    """The instant that is meant, and the commit of the store that was asked for a revision."""
    if _DATE.fullmatch(when):
        return parse_instant(when, view.clock.zone), {}
    unknown: NotFound | None = None
    for scope in view._scopes:
        try:
            commit = scope.store.resolve(when)
        except NotFound as error:
            unknown = unknown or error
            continue
        return scope.store.commit_info(commit).time, {id(scope): commit}
    raise unknown or NotFound(f"there is no revision {when!r}", revision=when)


def _past_scope(view: ViewBase, scope: Scope, commit: str) -> Scope:
    key = scope.root, commit
    found = view._past.pop(key, None) or PastScope(scope, commit)
    view._past[key] = found
    while len(view._past) > max(_OPEN, len(view._scopes)):
        view._past.pop(next(iter(view._past))).close()
    return found


def _commit_at(scope: Scope, moment: datetime) -> str | None:
    """The commit a store stood at; None when it was not there yet.

    Hand edits that are in no commit yet belong to the present: they are committed first when that
    is what was asked for.
    """
    commit = _look_up(scope, moment)
    if commit is not None and commit == scope.store.head().commit:
        scope.fold()
        commit = _look_up(scope, moment)
    return commit


def _look_up(scope: Scope, moment: datetime) -> str | None:
    from mnemofs.index.timelines.timeline import Timeline

    with Timeline(scope.store) as timeline:
        found = timeline.at(moment)
    if found is not None:
        return found or None
    try:
        return scope.store.resolve(moment.isoformat())
    except NotFound:
        return None
