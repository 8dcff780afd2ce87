"""search and context: what an agent or a person asks."""

from __future__ import annotations

import sys
from typing import Any

import click

from mnemofs.cli.options import TextCommand, open_view, reading
from mnemofs.cli.output import note, print_json, say, style, warn


@click.command(cls=TextCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--lexical", is_flag=True, help="Words only, no meaning: instant.")
@click.option("-n", "--limit", type=click.IntRange(1, 1000), help="How many hits (default 10).")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many hits.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@reading
def search(
    query: tuple[str, ...],
    lexical: bool,
    limit: int | None,
    offset: int,
    explain: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Find memories that fit QUERY, by words and by meaning.

    "quoted words" are searched as they stand and word* as a beginning; all else is plain text.
    """
    view = open_view(workspace, owner)
    result = view.search(
        " ".join(query),
        limit=limit,
        offset=offset,
        mode="lexical" if lexical else None,
        explain=explain or as_json,
    )
    if as_json:
        print_json(
            {
                "hits": [hit_dict(hit) for hit in result.hits],
                "mode": result.mode,
                "warnings": list(result.warnings),
            }
        )
        return
    for hit in result.hits:
        place = style(f"{hit.path}:{hit.line_start}", "cyan")
        extra = "  ".join(part for part in (hit.date or "", hit.heading, hit.owner or "") if part)
        say(f"{place}  {style(extra, 'dim')}".rstrip())
        say("  " + hit.text.strip().replace("\n", "\n  "))
        if explain:
            parts = "  ".join(f"{name} {value:.3f}" for name, value in hit.parts.items())
            say(style(f"  score {hit.score:.3f} = {parts}", "dim"))
    warn(result.warnings)
    if not result.hits:
        note("nothing found" + (" by words" if result.mode == "lexical" else ""))


@click.command()
@click.option("-q", "--query", default="", help="The question or message of this turn.")
@click.option("--hybrid", is_flag=True, help="Recall by meaning too (slower to start).")
@reading
def context(
    query: str, hybrid: bool, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """Print what an agent should be told: the always-on memory, then what fits this turn."""
    result = open_view(workspace, owner).context(
        query=query, mode="hybrid" if hybrid else "lexical"
    )
    if as_json:
        print_json(result.as_dict())
        return
    say("\n\n".join(part for part in (result.system, result.prefetch) if part))
    sys.stdout.flush()
    warn(result.warnings)
    if result.omitted:
        warn([f"left out to stay within the budget: {', '.join(result.omitted)}"])


def hit_dict(hit: Any) -> dict[str, Any]:
    """The stable JSON form of a search hit."""
    return {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "heading": hit.heading,
        "text": hit.text,
        "date": hit.date,
        "scope": hit.scope,
        "owner": hit.owner,
        "score": hit.score,
        "parts": dict(hit.parts),
    }
