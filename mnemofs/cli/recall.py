"""search and context: what an agent or a person asks."""

from __future__ import annotations

import click

from mnemofs.cli import answers
from mnemofs.cli.options import TextCommand, open_view, reading


@click.command(cls=TextCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--lexical", is_flag=True, help="Words only, no meaning: instant.")
@click.option("-n", "--limit", type=click.IntRange(1, 1000), help="How many hits (default 10).")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many hits.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def search(
    query: tuple[str, ...],
    lexical: bool,
    limit: int | None,
    offset: int,
    explain: bool,
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
