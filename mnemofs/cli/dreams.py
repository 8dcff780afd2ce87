"""`dream` and `dreams`: consolidating notes, and looking at what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import open_view, open_workspace, reading
from mnemofs.cli.output import count, note, print_json, say, style, warn

if TYPE_CHECKING:
    from mnemofs.lifecycle.dreams.report import DreamReport
    from mnemofs.lifecycle.dreams.scoring import Ranking

ENGINES = click.Choice(["rules", "llm"])


@click.command()
@click.option("--topic", help="Look for this above all.")
@click.option("--all", "everyone", is_flag=True, help="Also each person's notes, each by itself.")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@click.option("--engine", type=ENGINES, help="rules needs no model; llm asks your endpoint.")
@reading
def dream(
    topic: str | None,
    everyone: bool,
    dry_run: bool,
    engine: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Consolidate recent notes into MEMORY.md. Notes stay as they are; undo takes it back whole."""
    if everyone:
        if owner:
            raise click.UsageError("--all is about everybody; leave out --owner")
        opened = open_workspace(workspace)
        reports = opened.dream_everywhere(topic=topic, dry_run=dry_run, engine=engine)
    else:
        view = open_view(workspace, owner)
        reports = (view.dream(topic=topic, dry_run=dry_run, engine=engine),)
    if as_json:
        shapes = [report.as_dict() for report in reports]
        print_json(shapes if everyone else shapes[0])
    else:
        for report in reports:
            _print_dream(report, named=everyone)
    codes = {"failed": 1, "refused": 3}
    return min((codes[one.status] for one in reports if one.status in codes), default=0)


@click.group(invoke_without_command=True)
@click.option("--limit", type=click.IntRange(1), default=20, help="How many (default 20).")
@reading
@click.pass_context
def dreams(
    context: click.Context, limit: int, workspace: str | None, owner: str | None, as_json: bool
) -> int:
    """Look at past dreams, and at what the next one would weigh.

    Without a command: the dreams that changed something, newest first.
    """
    return _list(workspace, owner, as_json, limit) if context.invoked_subcommand is None else 0


@dreams.command("list")
@click.option("--limit", type=click.IntRange(1), default=20, help="How many (default 20).")
@reading
def list_(
    limit: int,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """The dreams that changed something, newest first."""
    return _list(workspace, owner, as_json, limit)


@dreams.command()
@click.argument("name", metavar="ID")
@reading
def show(
    name: str,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """One dream in full: what was promoted, what was not and why, and the difference."""
    past = open_view(workspace, owner).dream_report(name)
    if as_json:
        print_json(past.as_dict())
        return 0
    record = past.record
    say(f"{style(record.id[:10], 'yellow')}  {record.time:%Y-%m-%d %H:%M %z}  {_counts(record)}")
    where = f"commit {record.commit[:10]}" if record.commit else "its commit is gone"
    say(style(f"{record.trigger or record.mode}, engine {record.engine}, {where}", "dim"))
    _print_entries(past.promoted, past.removed, past.rejected)
    if past.diff:
        say()
        say(past.diff.rstrip("\n"))
    if record.commit:
        note(f"\nto take it back: mnemofs undo {record.commit[:10]}")
    return 0


@dreams.command()
@reading
def status(
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """When the last and the next dream are, and what waits for it."""
    found = open_view(workspace, owner).dream_status()
    if as_json:
        print_json(found.as_dict())
        return 0
    state = f"on, engine {found.engine}" if found.enabled else "switched off"
    last = found.last_run
    ran = f"{last['time']}  {last['status']}: {last['reason']}" if last else "never on this machine"
    due = f"{found.next_run:%Y-%m-%d %H:%M %Z}" if found.next_run else "none"
    rows = [
        ("dreaming", state),
        ("schedule", f"{found.schedule} ({found.timezone})"),
        ("last run", ran),
        ("next run", due),
        ("last page", found.last_entry or "none"),
        ("so far", f"{count(found.dreams, 'dream')}, {found.promoted} promoted"),
        ("unread", count(found.unread, "note")),
        ("candidates", f"{found.candidates} of {found.recalled} recalled entries and what recurs"),
    ]
    for name, value in rows:
        say(f"{style(f'{name:<11}', 'dim')}{value}")
    return 0


@dreams.command()
@click.option("--limit", type=click.IntRange(1), default=20, help="How many (default 20).")
@reading
def candidates(
    limit: int,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """What the next dream would weigh, best first, and what is no candidate and why."""
    found = open_view(workspace, owner).candidates()
    if as_json:
        others = [
            {"entry": one.entry, "text": one.text, "path": one.paths[0], "reason": why}
            for one, why in found.others[:limit]
        ]
        shown = [one.as_dict() for one in found.candidates[:limit]]
        print_json({"candidates": shown, "others": others})
    else:
        _print_candidates(found, limit)
    return 0


def _list(workspace: str | None, owner: str | None, as_json: bool, limit: int) -> int:
    found = open_view(workspace, owner).dreams(limit)
    if as_json:
        print_json([record.as_dict() for record in found])
        return 0
    for record in found:
        topic = style("  about a topic", "dim") if record.mode == "focused" else ""
        name = style(record.id[:10], "yellow")
        say(f"{name}  {record.time:%Y-%m-%d %H:%M}  {_counts(record)}{topic}")
    if not found:
        note("no dream has changed anything yet: see `mnemofs dreams status`")
    return 0


def _counts(record: Any) -> str:
    return (
        f"{record.promoted} promoted, {record.removed} removed, {record.rejected} left, "
        f"from {count(record.read, 'note')}"
    )


def _print_dream(report: DreamReport, *, named: bool) -> None:
    whose = f"{report.owner or 'shared memory'}: " if named else ""
    head = f"{whose}{style(report.status, 'bold')}: {report.reason}"
    say(head + (f" (in {report.commit[:10]})" if report.commit else ""))
    _print_entries(report.promoted, report.removed, report.rejected)
    if report.more_rejected:
        say(style(f"  · and {report.more_rejected} more", "dim"))
    if report.diff and not report.commit:
        say()
        say(report.diff.rstrip("\n"))
    if report.archived:
        note(f"{count(report.archived, 'page')} of the diary moved to memory/dreams/")
    warn(report.warnings)


def _print_entries(promoted: Any, removed: Any, rejected: Any) -> None:
    for text in promoted:
        say(f"  {style('+', 'green')} {text}")
    for text in removed:
        say(f"  {style('-', 'red')} {text}")
    for text, why in rejected:
        say(style(f"  · {text} ({why})", "dim"))


def _print_candidates(found: Ranking, limit: int) -> None:
    for one in found.candidates[:limit]:
        seen = one.evidence
        told = (
            f"recalled {count(seen.recalls, 'time')} by {count(seen.queries, 'question')}"
            if seen.way == "recalled"
            else f"stands in {count(len(seen.paths), 'note')}"
        )
        say(f"{style(f'{one.score:.2f}', 'bold')}  {seen.text}")
        say(style(f"      {told}; {seen.paths[0]}", "dim"))
    for seen, why in found.others[:limit]:
        say(style(f"   ·  {seen.text} ({why})", "dim"))
    if not found.candidates:
        note("no candidate: entries of notes become one by recurring or by being recalled")
