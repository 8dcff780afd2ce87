"""`fit`: a conversation that fits into a model's window, with what matters still in it.

Three stages (mateclaw-contract §15), each only when the one before did not suffice. 1: above the
trigger, old tool outputs are trimmed, then replaced by a word on what they were, then the old
messages by a summary. 2: above the budget, the same with fewer recent messages. 3: the oldest go,
the last two stay. A tool call and its answer are never separated (CTX-01). Below the trigger
nothing is touched, so that the model's prompt cache holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mnemofs.context import stages
from mnemofs.context.shapes import Message, pairs
from mnemofs.context.summary import (
    Summarize,
    SummaryRequest,
    anchor,
    bounded,
    earlier_summary,
    extract,
    summary_message,
)
from mnemofs.context.summary_cache import COOLDOWN_SECONDS, FORCED_SECONDS, SHARED, SummaryCache
from mnemofs.context.tokens import count_messages, count_text, count_tools
from mnemofs.errors import MnemofsError, UsageError

if TYPE_CHECKING:
    from mnemofs.sections import WindowConfig

Notes = Callable[[Sequence[Message]], Sequence[str]]

_ROUNDS = 6


@dataclass(frozen=True)
class Fitted:
    """The conversation as it may be sent.

    messages: those that did not change are the very objects that were given. actions: what was
    done, in words and in order; empty when nothing had to be. tokens_*: estimates with the tools.
    fits: whether the budget is kept; if not, a warning says why.
    """

    messages: tuple[Message, ...]
    actions: tuple[str, ...]
    tokens_before: int
    tokens_after: int
    budget: int
    warnings: tuple[str, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the budget is kept."""
        return self.tokens_after <= self.budget

    def with_warnings(self, more: Sequence[str]) -> Fitted:
        """The same with more warnings."""
        return replace(self, warnings=(*self.warnings, *more)) if more else self

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "messages": list(self.messages),
            "actions": list(self.actions),
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "budget": self.budget,
            "fits": self.fits,
            "warnings": list(self.warnings),
        }


def fit(
    messages: Sequence[Mapping[str, Any]],
    budget: int,
    *,
    config: WindowConfig,
    summarize: Summarize | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    conversation: str = "",
    notes: Notes | None = None,
    force: bool = False,
    cache: SummaryCache = SHARED,
) -> Fitted:
    """`messages` (OpenAI's or Anthropic's form) within `budget` tokens, `tools` counted in.

    summarize: asks a model; without one, or while it fails, the summary is taken out by rule.
    conversation: for whom a failing model is left alone. notes: says what a
    summary of these messages must not lose.
    force: the model said that it was too long, whatever the estimate says. Raises UsageError for a
    budget that is none and for messages that are no objects.
    """
    if budget <= 0:
        raise UsageError("the budget must be a positive number of tokens")
    if not all(isinstance(message, Mapping) for message in messages):
        raise UsageError("messages must be a list of objects with a role and a content")
    job = _Job(list(messages), budget, config, count_tools(tools), conversation)
    job.summarize, job.notes, job.cache = summarize, notes, cache
    before = job.tokens
    if force or before > job.trigger:
        _run(job, force=force)
    _, orphans = pairs(job.messages)
    if orphans:
        job.warnings.append("a tool answer stands without its call, as it did in what was given")
    return Fitted(
        tuple(job.messages),
        tuple(job.actions),
        before,
        job.tokens,
        budget,
        tuple(job.warnings),
    )


@dataclass
class _Job:
    messages: list[Message]
    budget: int
    config: WindowConfig
    tools: int
    conversation: str
    summarize: Summarize | None = None
    notes: Notes | None = None
    cache: SummaryCache = SHARED
    actions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return count_messages(self.messages) + self.tools

    @property
    def trigger(self) -> int:
        return int(self.budget * self.config.trigger_ratio)

    def try_(self, messages: Sequence[Message], action: str) -> None:
        """Take over a shorter version."""
        if list(messages) != self.messages:
            self.messages = list(messages)
            self.actions.append(action)


def _run(job: _Job, *, force: bool) -> None:
    for _ in range(_ROUNDS):
        before = job.messages
        _shorten(job, force=force)
        force = False
        # What is left may be split in another way: else the next call would find more to do.
        if job.tokens <= job.trigger or job.messages == before:
            break
    if job.tokens > job.budget:
        over = job.tokens - job.budget
        job.warnings.append(
            f"the budget of {job.budget} tokens is exceeded by {over}: the system prompt, the tools"
            " and the last messages alone need more"
        )


def _shorten(job: _Job, *, force: bool) -> None:
    job.try_(stages.without_duplicates(job.messages), "repeated tool outputs replaced by a note")
    job.try_(
        stages.without_oversized(job.messages, job.budget),
        "oversized tool outputs cut to their ends",
    )
    if not force and job.tokens <= job.trigger:
        return
    if not force:
        _compact(job, stages.split(job.messages, job.config, job.trigger), job.trigger)
    if force or job.tokens > job.budget:
        _force(job)
    if job.tokens > job.budget:
        _drop(job)


def _compact(job: _Job, split: stages.Split | None, goal: int) -> None:
    """Stage 1: shorten what is old, step by step, until the goal is met."""
    if split is None:
        return
    base = job.messages
    for shorter, action in (
        (stages.trimmed(base, split.cut), "old tool outputs trimmed"),
        (stages.placeholders(base, split.cut), "old tool outputs left out"),
    ):
        if count_messages(shorter) < count_messages(job.messages):
            job.try_(shorter, action)
        if job.tokens <= goal:
            return
    shorter = _summarised(job, base, split)
    if count_messages(shorter) < count_messages(job.messages):
        old = split.cut - split.system
        job.try_(shorter, f"{old} old messages replaced by a summary")


def _force(job: _Job) -> None:
    """Stage 2: keep no more than a quarter, and summarise the rest."""
    fixed = job.tools + count_messages(job.messages[: stages.leading_system(job.messages)])
    split = stages.forced_split(job.messages, max(job.budget - fixed, 0) // 2)
    if split is None or (
        split.cut - split.system == 1 and earlier_summary(job.messages[split.system])
    ):
        return
    shorter = _summarised(job, job.messages, split, forced=True)
    if count_messages(shorter) < count_messages(job.messages):
        old = split.cut - split.system
        job.try_(shorter, f"compaction forced: {old} messages replaced by a summary")


def _drop(job: _Job) -> None:
    """Stage 3: the oldest go, the summary last of all; then what remains is cut."""
    for keep_summary in (True, False):
        messages = job.messages

        def keep(index: int, some: Sequence[Message] = messages, yes: bool = keep_summary) -> bool:
            return yes and earlier_summary(some[index]) is not None

        shorter, gone = stages.drop_front(messages, job.tokens - job.budget, keep)
        if gone:
            job.try_(shorter, f"{gone} of the oldest messages dropped")
        if job.tokens <= job.budget:
            return
        job.try_(
            stages.shrink_outputs(job.messages, job.tokens - job.budget),
            "tool outputs of the last messages cut",
        )
        if job.tokens <= job.budget:
            return


def _summarised(
    job: _Job, messages: Sequence[Message], split: stages.Split, *, forced: bool = False
) -> list[Message]:
    """The messages with one summary in the place of messages[split.system : split.cut]."""
    config = job.config
    old = list(messages[split.system : split.cut])
    earlier = earlier_summary(old[0])
    goal = earlier.goal if earlier else ""
    if not goal and config.first_user_anchor:
        goal = anchor(old, config.first_user_anchor_tokens)
    chars = int(count_messages(old) * config.summary_budget_ratio)
    limit = min(max(chars, config.summary_floor_chars), config.summary_ceiling_chars)
    rest = old[1:] if earlier else old
    kept = tuple(job.notes(old)) if job.notes is not None else ()
    request = SummaryRequest(
        tuple(stages.cleared(rest)), limit, earlier.summary if earlier else "", kept
    )
    room = count_messages(old) - count_text(goal)
    summary = _summary(job, request, forced=forced)
    shown = summary_message(summary, goal)
    for _ in range(_ROUNDS):  # a summary longer than what it replaces helps nobody
        if count_messages([shown]) <= max(room, 0) or not (summary or goal):
            break
        summary, goal = summary[: len(summary) // 2], goal[: len(goal) // 2]
        shown = summary_message(summary, goal)
    return [*messages[: split.system], shown, *messages[split.cut :]]


def _summary(job: _Job, request: SummaryRequest, *, forced: bool) -> str:
    if job.summarize is None:
        return extract(request)
    known = job.cache.get(request)
    if known is not None:
        return known
    just_forced = f"forced {job.conversation}"
    if job.cache.rests(job.conversation) or (forced and job.cache.rests(just_forced)):
        return extract(request)
    if forced:
        job.cache.rest(just_forced, FORCED_SECONDS)
    try:
        summary = bounded(job.summarize(request), request.limit)
    except (Exception, SystemExit) as error:
        reason = error.message if isinstance(error, MnemofsError) else type(error).__name__
        job.warnings.append(f"the model did not summarise, so it was done by rule: {reason}")
        job.cache.rest(job.conversation, COOLDOWN_SECONDS)
        return extract(request)
    job.cache.put(request, summary)
    return summary
