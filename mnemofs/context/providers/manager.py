"""All providers beside the workspace: asked together, each kept from harming the others.

A provider has `prefetch_timeout_ms`, all together `prefetch_budget_ms`; who fails often rests
(`breaker`). What was not answered is said in a warning, never silently left out (I8).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.context.frame import escape, hints
from mnemofs.context.providers.breaker import Breaker
from mnemofs.context.providers.lane import Call, Lane
from mnemofs.context.providers.protocol import MemoryWrite, Provider, Turn
from mnemofs.errors import MnemofsError, ProviderError, UsageError

if TYPE_CHECKING:
    from mnemofs.sections import ProvidersConfig

_MOST_STATEMENTS = 50
# Blank ones count for nothing, but somebody may send them for ever.
_MOST_LOOKED_AT = 1000
_MOST_NOTES, _NOTE_CHARS = 8, 300
_MOST_CHARS = 2000
_MOST_SYSTEM_CHARS = 4000
_CUT = "[memory truncated]"


class Recall(NamedTuple):
    """Statements by provider, in order; warnings name who did not answer, and why."""

    statements: tuple[tuple[str, tuple[str, ...]], ...] = ()
    warnings: tuple[str, ...] = ()

    def sections(self, without: Callable[[str], bool] | None = None) -> tuple[str, ...]:
        """As framed hints for a prompt. without: statements that must not be shown."""
        found = []
        for label, texts in self.statements:
            text = hints(label, [one for one in texts if without is None or not without(one)])
            if text:
                found.append(text)
        return tuple(found)


class _Answer(NamedTuple):
    """What a thread brings back. asked: False when the provider was not available."""

    asked: bool
    value: Any
    notes: tuple[str, ...]


class _Told(NamedTuple):
    """What providers answered (id, answer), who failed, and what else they say."""

    said: list[tuple[str, Any]]
    failed: list[str]
    notes: list[str]

    @property
    def warnings(self) -> tuple[str, ...]:
        return (*self.failed, *self.notes)


class _Member:
    """A provider, its breaker and its threads. Nothing of it is called outside of these."""

    def __init__(self, provider: Provider, breaker: Breaker) -> None:
        self.provider = provider
        self.id = provider.id
        self.order = provider.order
        self.label = " ".join(str(provider.label).split())[:40] or provider.id
        self.breaker = breaker
        self._recall = Lane(f"mnemofs-recall-{provider.id}")
        self._tell = Lane(f"mnemofs-tell-{provider.id}")

    def ask(self, query: str, owner: str) -> Call[_Answer] | None:
        """Begin a question."""
        return self._recall.start(self._work(lambda one: _statements(one.prefetch(query, owner))))

    def tell(self, what: Callable[[Provider], Any]) -> Call[_Answer] | None:
        """Begin a call of any other method."""
        return self._tell.start(self._work(what))

    def _work(self, what: Callable[[Provider], Any]) -> Callable[[], _Answer]:
        def work() -> _Answer:
            # It may come and go while we run (W-28).
            asked = bool(self.provider.available())
            value = what(self.provider) if asked else None
            return _Answer(asked, value, self._notes())

        return work

    def _notes(self) -> tuple[str, ...]:
        """Its warnings, a few. One that cannot even warn has still answered."""
        try:
            found = self.provider.warnings() or ()
            some = (found,) if isinstance(found, str) else tuple(islice(found, _MOST_NOTES))
            return tuple(f"{self.id}: {' '.join(str(text).split())[:_NOTE_CHARS]}" for text in some)
        except Exception as error:
            return (f"{self.id}: its warnings cannot be told: {_reason(error)}",)


class Manager:
    """The providers of one workspace, sorted by order. Safe to use from threads.

    state: a folder for the breakers' state, None = in this process only.
    """

    def __init__(
        self,
        config: ProvidersConfig,
        *,
        state: str | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._config = config
        self._state = state
        self._now = now
        self._lock = threading.Lock()
        self._members: tuple[_Member, ...] = ()
        self._system: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    def add(self, provider: Provider) -> None:
        """Ask this provider, too, unless `[providers] disabled` names it.

        Raises UsageError for an id that is taken, or is none.
        """
        name = provider.id
        if not isinstance(name, str) or not name.replace("-", "").replace("_", "").isalnum():
            raise UsageError(f"{name!r} cannot be the id of a provider", hint="use letters, digits")
        if not isinstance(provider.order, int):
            raise UsageError(f"the order of the provider {name} is no whole number")
        if name in self._config.disabled:
            return
        file = os.path.join(self._state, f"circuit-{name}") if self._state else None
        breaker = Breaker(
            self._config.circuit_failures,
            self._config.circuit_cooldown_seconds,
            file=file,
            now=self._now,
        )
        with self._lock:
            if any(member.id == name for member in self._members):
                raise UsageError(f"there is a provider {name} already")
            # A new tuple: whoever is asking the old one is not disturbed (W-28).
            members = [*self._members, _Member(provider, breaker)]
            self._members = tuple(sorted(members, key=lambda one: (one.order, one.id)))
            self._system = None

    def __bool__(self) -> bool:
        return bool(self._members)

    def begin(self, query: str, owner: str) -> Pending:
        """Ask all providers; `Pending.result` collects what they say."""
        return Pending(self._config, self._members, query, owner)

    def recall(self, query: str, owner: str) -> Recall:
        """Ask all providers and wait for their answers, within the deadlines."""
        return self.begin(query, owner).result()

    def system_blocks(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Their texts for the system prompt in order, escaped and cut at a line; and warnings.

        Asked once, so that the prompt stays the same bytes; again after a failure.
        """
        if self._system is not None:
            return self._system
        told = self._tell(lambda provider: provider.system_block())
        blocks: list[str] = []
        cut: list[str] = []
        room = _MOST_SYSTEM_CHARS
        for name, text in told.said:
            text = escape(_sound(text)).strip() if isinstance(text, str) else ""
            if not text:
                continue
            if len(text) > room:
                text = text[:room].rpartition("\n")[0]
                text = f"{text}\n{_CUT}" if text else ""
                cut.append(f"{name}: its part of the system prompt was cut")
                room = 0
            room = max(room - len(text), 0)
            if text:
                blocks.append(text)
        if not told.failed:
            self._system = tuple(blocks), tuple(cut)
        return tuple(blocks), (*told.warnings, *cut)

    def sync_turn(self, turn: Turn) -> tuple[str, ...]:
        """Hand a finished turn to all; warnings."""
        return self._tell(lambda provider: provider.sync_turn(turn)).warnings

    def session_ended(self, conversation: str) -> tuple[str, ...]:
        """Say that a conversation is over; warnings."""
        return self._tell(lambda provider: provider.on_session_end(conversation)).warnings

    def memory_written(self, write: MemoryWrite) -> tuple[str, ...]:
        """Say what was written to this memory; warnings."""
        return self._tell(lambda provider: provider.on_memory_write(write)).warnings

    def pre_compress(
        self, messages: Sequence[Mapping[str, Any]]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a summary of these messages should not lose, by provider; and warnings."""
        told = self._tell(lambda provider: provider.on_pre_compress(messages))
        texts = (text for _, text in told.said if isinstance(text, str) and text.strip())
        return tuple(_sound(text[:_MOST_CHARS]) for text in texts), told.warnings

    def flush(self, seconds: float) -> tuple[str, ...]:
        """Let those who queue what they are told send it, for at most so long; warnings."""
        calls = [(one, one.tell(lambda provider: provider.flush(seconds))) for one in self._members]
        warnings: list[str] = []
        for member, call, late in _wait(self._config, calls, seconds=seconds):
            if call is None or late or call.value is None or not call.value.value:
                warnings.append(f"{member.id}: not everything could be sent yet")
            if call is not None and call.value is not None:
                warnings += call.value.notes
        return tuple(warnings)

    def close(self) -> None:
        """Let each finish what is queued, and forget them."""
        with self._lock:
            members, self._members = self._members, ()
        _wait(self._config, [(one, one.tell(lambda provider: provider.close())) for one in members])

    def _tell(self, what: Callable[[Provider], Any]) -> _Told:
        """Call each available provider within the deadlines."""
        told = _Told([], [], [])
        for member, call, late in _wait(
            self._config, [(member, member.tell(what)) for member in self._members]
        ):
            if call is None or late:
                told.failed.append(f"{member.id} is busy and did not hear of this")
            elif call.value is None:
                told.failed.append(f"{member.id} failed: {_reason(call.error)}")
            else:
                told.notes.extend(call.value.notes)
                if call.value.asked:
                    told.said.append((member.id, call.value.value))
        return told


class Pending:
    """Questions under way."""

    def __init__(
        self, config: ProvidersConfig, members: Sequence[_Member], query: str, owner: str
    ) -> None:
        self._config = config
        self._began = time.monotonic()
        self._warnings: list[str] = []
        self._calls: list[tuple[_Member, Call[_Answer] | None]] = []
        for member in members if query.strip() else ():
            if member.breaker.allows():
                self._calls.append((member, member.ask(query, owner)))
            else:
                rest = f"{member.breaker.rests():.0f} s"
                self._warnings.append(
                    f"{member.id} was not asked: it failed several times and rests for {rest}"
                )

    def result(self) -> Recall:
        """Wait for the answers, within what is left of the deadlines."""
        found = []
        for member, call, late in _wait(self._config, self._calls, self._began):
            if call is not None and not late and call.value is not None:
                member.breaker.succeeded()
                self._warnings += call.value.notes
                if call.value.value:
                    found.append((member.label, call.value.value))
                continue
            if call is None:
                problem = "an earlier question is still unanswered"
            else:
                problem = "it took too long" if late else _reason(call.error)
            member.breaker.failed()
            self._warnings.append(f"{member.id} could not be asked: {problem}")
        return Recall(tuple(found), tuple(self._warnings))


def _statements(found: Any) -> tuple[str, ...]:
    """What a provider said, as texts; bounded. Raises ProviderError for anything else."""
    if found is None:
        return ()
    if isinstance(found, str):
        found = (found,)
    if not isinstance(found, Iterable) or isinstance(found, bytes | Mapping):
        raise ProviderError(f"it answered with a {type(found).__name__}, not with texts")
    statements = []
    for text in islice(found, _MOST_LOOKED_AT):
        if not isinstance(text, str):
            raise ProviderError(f"one of its answers is a {type(text).__name__}, not a text")
        if text.strip():
            statements.append(_sound(text[:_MOST_CHARS]))
        if len(statements) == _MOST_STATEMENTS:
            break
    return tuple(statements)


def _sound(text: str) -> str:
    """A text that every encoding of a prompt can hold: half a character is none."""
    return text.encode("utf-8", "replace").decode()


def _wait(
    config: ProvidersConfig,
    calls: Iterable[tuple[_Member, Call[_Answer] | None]],
    began: float | None = None,
    *,
    seconds: float | None = None,
) -> list[tuple[_Member, Call[_Answer] | None, bool]]:
    """Each call once it is done or too late: (provider, call, whether it is late).

    All run at the same time, so the shorter of both deadlines holds for each, or else `seconds`.
    """
    began = time.monotonic() if began is None else began
    limits = [ms / 1000 for ms in (config.prefetch_timeout_ms, config.prefetch_budget_ms) if ms > 0]
    if seconds is not None:
        limits = [seconds]
    end = began + min(limits) if limits else None
    found = []
    for member, call in calls:
        left = None if end is None else max(end - time.monotonic(), 0.0)
        found.append((member, call, call is not None and not call.wait(left)))
    return found


def _reason(error: BaseException | None) -> str:
    """Why, without any text that may be private: only our own errors are quoted."""
    return error.message if isinstance(error, MnemofsError) else type(error).__name__
