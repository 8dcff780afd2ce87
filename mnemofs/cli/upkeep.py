"""`consolidate` and `soul`: keeping memory tidy, and the character in step with it."""

from __future__ import annotations

from typing import Any

import click

from mnemofs.cli.options import (
    json_option,
    open_view,
    open_workspace,
    owner_option,
    reading,
    workspace_option,
)
from mnemofs.cli.output import count, print_json, say, style, warn


@click.command()
@workspace_option
@owner_option
@json_option
@click.option("--all", "everyone", is_flag=True, help="Also the memory of every person.")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@click.option(
    "--engine", type=click.Choice(["rules", "llm"]), help="Instead of the one in mnemofs.toml."
)
def consolidate(
    workspace: str | None,
    owner: str | None,
    as_json: bool,
    everyone: bool,
    dry_run: bool,
    engine: str | None,
) -> int:
    """Join structured entries that say the same thing.

    Entries that differ in a value (a number, a date, a name, a "not") are never joined. What would
    lose words waits in `mnemofs review`. Each kind of entry is one commit; take it back with
    `mnemofs undo`.
    """
    if everyone and owner:
        raise click.UsageError("--all is about everybody; leave out --owner")
    with open_workspace(workspace) if everyone else open_view(workspace, owner) as view:
        report = view.consolidate(everyone=everyone, dry_run=dry_run, engine=engine)
    if as_json:
        print_json(report.as_dict())
    else:
        _print_consolidation(report)
    return 1 if report.status == "failed" else 0


@click.command()
@reading
@click.option("--now", is_flag=True, help="Look now, even if it is not due.")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed; keep nothing.")
@click.option("--status", "only_status", is_flag=True, help="Only say when the next look is due.")
def soul(
    workspace: str | None,
    owner: str | None,
    as_json: bool,
    now: bool,
    dry_run: bool,
    only_status: bool,
) -> int:
    """Let the agent's character (SOUL.md) grow with its memory.

    A language model looks at it after every so many memory writes ([soul] update_interval). What
    it proposes waits in `mnemofs review`, with the difference, until you accept, edit or reject it.
    """
    with open_view(workspace, owner) as view:
        if only_status:
            counted = view.soul_status()
            if as_json:
                print_json(counted.as_dict())
            else:
                say(_when(counted))
            return 0
        report = view.evolve_soul(now=now, dry_run=dry_run)
    if as_json:
        print_json(report.as_dict())
        return 1 if report.status == "failed" else 0
    head = f"{style(report.status, 'bold')}: {report.reason}"
    say(head + (f" (in {report.commit[:10]})" if report.commit else ""))
    if report.diff:
        say()
        say(report.diff.rstrip("\n"))
    warn(report.warnings)
    return 1 if report.status == "failed" else 0


def _when(counted: Any) -> str:
    writes = count(counted.writes, "memory write")
    if counted.proposal:
        return f"a proposal waits: mnemofs review show {counted.proposal}"
    if not counted.interval:
        return f"{writes} since the last look; looking is switched off ([soul] update_interval = 0)"
    return f"{writes} since the last look; the next one is due after {counted.interval}"


def _print_consolidation(report: Any) -> None:
    say(f"{style(report.status, 'bold')}: {report.summary()}")
    for bucket in report.buckets:
        where = f"structured/{bucket.kind}.md" + (f" of {bucket.owner}" if bucket.owner else "")
        told = f"{bucket.reason} (in {bucket.commit[:10]})" if bucket.commit else bucket.reason
        line = f"  {where}: {told}"
        say(line if bucket.status != "skipped" else style(line, "dim"))
        if bucket.diff and report.dry_run:
            say(bucket.diff.rstrip("\n"))
    warn(report.warnings)
