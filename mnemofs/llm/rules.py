"""The offline engine: finds what people say of themselves by rules, without a model.

It proposes only sentences that the user said, in their words. It is simpler than a model and says
less: what it does not recognise stays in the conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mnemofs.llm import rules_dream, rules_text
from mnemofs.llm.engine import (
    Consolidated,
    ConsolidateRequest,
    Dream,
    DreamRequest,
    Extraction,
    ExtractionRequest,
    Judged,
    JudgeRequest,
    Nudge,
    NudgeRequest,
    Soul,
    SoulRequest,
    StructuredType,
)
from mnemofs.llm.replies import Clean, Rejected
from mnemofs.llm.rules_corrections import replaced
from mnemofs.llm.rules_statements import Statement, bare, lines, statements, topic

# One-valued things of a project: kept under a key, so that a new value replaces the old.
_KEYED = {"code name": "code_name", "budget": "budget", "deadline": "deadline"}


@dataclass(frozen=True)
class RulesEngine:
    """Deterministic, without a model. Never raises; rejects only what takes one."""

    name: str = "rules"

    def extract(self, request: ExtractionRequest) -> Clean[Extraction] | Rejected:
        """The user's lasting statements; tasks and events go to the daily note.

        A later statement of the same conversation replaces an earlier one that it corrects.
        """
        standing = [*lines(request.profile), *lines(request.memory)]
        known = [rules_text.gist(bare(line)) for line in (*standing, *lines(request.daily))]
        said: list[Statement] = []
        superseded: list[str] = []
        for message in request.messages:
            for statement in statements(message.text) if message.role == "user" else ():
                about = rules_text.gist(statement.text)
                if any(rules_text.covers(line, about) for line in known):
                    continue
                known.append(about)
                outdated = set(replaced(statement, [earlier.text for earlier in said]))
                said = [earlier for earlier in said if earlier.text not in outdated]
                superseded += replaced(statement, standing)
                said.append(statement)
        return Clean(_proposal(said, superseded))

    def dream(self, request: DreamRequest) -> Clean[Dream] | Rejected:
        """Promote what recurs in the notes or is marked as lasting."""
        return Clean(rules_dream.plan_dream(request))

    def consolidate(self, request: ConsolidateRequest) -> Clean[Consolidated] | Rejected:
        """Join what says the same about the same values."""
        from mnemofs.llm.rules_consolidate import join_duplicates

        return Clean(join_duplicates(request))

    def soul(self, request: SoulRequest) -> Clean[Soul] | Rejected:
        """Unsupported: rules cannot write a character."""
        return Rejected("unsupported", "The rules engine cannot write a character file.")

    def judge(self, request: JudgeRequest) -> Clean[Judged] | Rejected:
        """Another value for one thing, with no word of time or scope, is a contradiction."""
        from mnemofs.llm.rules_judge import plan_judgement

        return Clean(plan_judgement(request))

    def nudge(self, request: NudgeRequest) -> Clean[Nudge] | Rejected:
        """The user's lasting statements that no entry makes yet."""
        from mnemofs.llm.rules_nudge import plan_nudge

        return Clean(plan_nudge(request))


def _proposal(said: Iterable[Statement], superseded: Iterable[str]) -> Extraction:
    profile: list[str] = []
    memory: list[str] = []
    daily: list[str] = []
    structured: dict[tuple[StructuredType, str], str] = {}
    for statement in said:
        if statement.kind == "todo":
            daily.append(f"- [ ] {statement.text}")
        elif statement.kind == "event":
            daily.append(f"- {statement.text}")
        elif statement.attribute in _KEYED:
            structured["project", _KEYED[statement.attribute]] = statement.text
        elif statement.kind == "reference" and (key := topic(statement)):
            structured["reference", key] = statement.text
        elif statement.personal:
            profile.append(statement.text)
        else:
            memory.append(statement.text)
    lasting = len(profile) + len(memory) + len(structured)
    return Extraction(
        should_update=bool(lasting or daily),
        reason=_reason(lasting, len(daily)),
        daily_entry="\n".join(daily) or None,
        structured=tuple((kind, key, text) for (kind, key), text in structured.items()),
        memory_entries=tuple(memory),
        profile_entries=tuple(profile),
        superseded=tuple(dict.fromkeys(superseded)),
    )


def _reason(lasting: int, daily: int) -> str:
    if not lasting and not daily:
        return "no lasting statement, task or event found"
    parts = []
    if lasting:
        parts.append(f"{lasting} lasting statement{'s' if lasting > 1 else ''}")
    if daily:
        parts.append(f"{daily} task{'s' if daily > 1 else ''} or event{'s' if daily > 1 else ''}")
    return " and ".join(parts)
