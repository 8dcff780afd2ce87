"""What all parts of a view share: its stores, its clock, and which store it writes to."""

from __future__ import annotations

from mnemofs.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from mnemofs.clock import Clock
    from mnemofs.lifecycle.dreams.report import DreamReport
    from mnemofs.scopes import Embedders, Scope
    from mnemofs.sections import Config


class ViewBase:
    """The stores of one reader. owner: "" for the workspace itself.

    scopes: what may be read, the store that is written first. `open_writer` makes that store when
    it is not there yet (a person's repository is created by their first memory). clock: None for
    the system's, which is only looked up when it is needed.
    """

    def __init__(
        self,
        config: Config,
        clock: Clock | None,
        embedders: Embedders,
        scopes: Sequence[Scope],
        *,
        owner: str = "",
        open_writer: Callable[[], Scope] | None = None,
    ) -> None:
        self.config = config
        self._clock = clock
        self.owner = owner
        self._embedders = embedders
        self._scopes = list(scopes)
        self._open_writer = open_writer
        self._past: dict[tuple[str, str], Scope] = {}

    @property
    def clock(self) -> Clock:
        """What time it is in the workspace's zone."""
        if self._clock is None:
            self._clock = self.config.clock()
        return self._clock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases files and locks."""
        for scope in (*self._past.values(), *self._scopes):
            scope.close()

    def _own(self) -> Scope | None:
        own = self._scopes[0] if self._scopes else None
        return own if own is not None and own.owner == self.owner else None

    def _require_own(self) -> Scope:
        own = self._own()
        if own is None:
            raise NotFound(
                f"there is no memory of {self.owner} yet", hint="it begins with the first write"
            )
        return own

    def _writer(self) -> Scope:
        own = self._own()
        if own is None:
            if self._open_writer is None:
                raise NotFound(f"there is no memory of {self.owner}")
            own = self._open_writer()
            self._scopes.insert(0, own)
        return own

    def _after_dream(self, scope: Scope, report: DreamReport) -> tuple[str, ...]:
        """What follows a dream of a store, for the parts of a view that know more; warnings."""
        return ()
