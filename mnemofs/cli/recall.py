"""search, context, why-in-context: what an agent or a person asks, and what it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemofs.cli import answers
from mnemofs.cli.options import TextCommand, open_view, reading
from mnemofs.cli.output import count, note, print_json, say, style

if TYPE_CHECKING:
    from mnemofs.view.recalling import GivenPrompt


@click.command(cls=TextCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--lexical", is_flag=True, help="Words only, no meaning: instant.")
@click.option("-n", "--limit", type=click.IntRange(1, 1000), help="How many hits (default 10).")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many hits.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--recency", type=click.FloatRange(0, 1), help="Prefer newer memories (0 to 1).")
@click.option("--importance", type=click.FloatRange(0, 1), help="Prefer used ones (0 to 1).")
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def search(
    query: tuple[str, ...],
    lexical: bool,
    limit: int | None,
    offset: int,
    explain: bool,
    recency: float | None,
    importance: float | None,
    at: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Find memories that fit QUERY, by words and by meaning.

    "quoted words" are searched as they stand and word* as a beginning; all else is plain text.
    """
    answers.search(
        open_view(workspace, owner),
        " ".join(query),
        lexical=lexical,
        limit=limit,
        offset=offset,
        explain=explain,
        at=at,
        as_json=as_json,
        recency=recency,
        importance=importance,
    )


@click.command()
@click.option("-q", "--query", default="", help="The question or message of this turn.")
@click.option("--hybrid", is_flag=True, help="Recall by meaning too (slower to start).")
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def context(
    query: str,
    hybrid: bool,
    at: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Print what an agent should be told: the always-on memory, then what fits this turn."""
    view = open_view(workspace, owner)
    answers.context(view, query=query, hybrid=hybrid, at=at, as_json=as_json)


@click.command("why-in-context", cls=TextCommand)
@click.argument("text", nargs=-1)
@click.option(
    "--last",
    "limit",
    metavar="N",
    type=click.IntRange(1, 500),
    help="How many prompts, newest first (default 1, or 10 with TEXT).",
)
@reading
def why_in_context(
    text: tuple[str, ...],
    limit: int | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Show what prompts were given, and why: for which question, by which score.

    With TEXT: the prompts that held an entry that says it, or left it out.
    """
    wanted = " ".join(text)
    view = open_view(workspace, owner)
    found = view.why_in_context(wanted, limit=limit or (10 if wanted else 1))
    if as_json:
        print_json([prompt.as_dict() for prompt in found])
        return
    for number, prompt in enumerate(found):
        if number:
            say()
        _print_prompt(prompt, whole=bool(wanted))
    if not found:
        note("no prompt held that" if wanted else "no prompt was made here yet")


def _print_prompt(prompt: GivenPrompt, *, whole: bool) -> None:
    asked = f'"{" ".join(prompt.query.split())}"' if prompt.query else ""
    if not asked and prompt.query_hash:
        asked = f"a question that is not kept ({prompt.query_hash})"
    say(style(f"{prompt.at:%Y-%m-%d %H:%M %Z}  {asked}".rstrip(), "bold"))
    standing: dict[str, int] = {}
    for entry in prompt.entries:
        place = entry.path if entry.scope == "TEAM" else f"{entry.scope}/{entry.path}"
        if entry.why == "always-on" and not whole:
            standing[place] = standing.get(place, 0) + 1
            continue
        score = f" {entry.score:.2f}" if entry.score else ""
        parts = style(f"  ({entry.parts})", "dim") if entry.parts else ""
        where = f"{place}:{entry.line}" if entry.line else place
        said = " ".join(entry.text.split()) or "(changed or removed since)"
        say(f"  {entry.why}{score}  {style(where, 'cyan')}  {said[:160]}{parts}")
    for place, entries in standing.items():
        say(f"  always-on  {style(place, 'cyan')}  {count(entries, 'entry', 'entries')}")
    for left in prompt.omitted:
        say(f"  left out  {left}")
