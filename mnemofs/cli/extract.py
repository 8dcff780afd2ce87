"""extract: what is learned from conversations, at once or in the background."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import open_view, reading
from mnemofs.cli.output import count, print_json, say, style, warn

if TYPE_CHECKING:
    from mnemofs.scopes import Scope
    from mnemofs.view.turning import Turning

ENGINES = click.Choice(["rules", "llm"])


@click.command()
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "--conversation", metavar="ID", help="Name of the conversation (default: the file's)."
)
@click.option("--engine", type=ENGINES, help="rules needs no model; llm asks your endpoint.")
@click.option("--force", is_flag=True, help="Skip the gates for short or recent conversations.")
@click.option(
    "--trigger",
    metavar="NAME",
    help="Where it comes from: import (an old one), chat (just ended; obeys the cooldown), cron."
    " Default: import, with --async chat.",
)
@click.option(
    "--state",
    default="",
    metavar="WORD",
    help="How the last answer ended, if not well: stopped, error. Nothing is learned then.",
)
@click.option(
    "--async",
    "later",
    is_flag=True,
    help="Keep the conversation safely, return at once, learn from it in the background.",
)
@click.option("--no-worker", is_flag=True, help="With --async: leave it to --drain or `schedule`.")
@click.option("--drain", is_flag=True, help="Learn from what waits, now.")
@click.option("--retry", is_flag=True, help="With --drain: also from what was put aside.")
@click.option("--status", is_flag=True, help="Show how the last turns ended and what waits.")
@click.option(
    "--background",
    is_flag=True,
    hidden=True,
    help="With --drain: give way to others, keep to the cooldown. What --async starts.",
)
@reading
def extract(
    files: tuple[str, ...],
    conversation: str | None,
    engine: str | None,
    force: bool,
    trigger: str | None,
    state: str,
    later: bool,
    no_worker: bool,
    drain: bool,
    retry: bool,
    status: bool,
    background: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Learn from conversations in FILES (- for standard input): what is worth keeping is committed.

    Read are JSON lists of {role, content}, the same one per line, and Claude Code session logs.
    Only what was said counts. The same conversation again adds nothing.
    """
    _check(files, conversation, later=later, drain=drain, status=status, force=force)
    view: Turning = _keeper(workspace, owner) if later else open_view(workspace, owner)
    if status:
        _show_status(view, as_json)
        return 0
    if drain:
        return _drain(view, engine, retry=retry, hurry=not background, as_json=as_json)
    reports = []
    for name in files:
        source = sys.stdin.buffer.read() if name == "-" else name
        report: Any
        if later:
            report = view.spool(
                source, conversation=conversation or "", state=state, trigger=trigger or "chat"
            )
        else:
            report = view.extract(
                source,
                conversation=conversation,
                engine=engine,
                trigger=trigger or "import",
                state=state,
                force=force,
            )
        reports.append(report)
        if not as_json:
            _print_report(name, report)
    if later and not no_worker and any(report.status == "queued" for report in reports):
        _start_worker(view, workspace, owner, engine)
    if as_json:
        shapes = [report.as_dict() for report in reports]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
    return 1 if any(report.status == "failed" for report in reports) else 0


def _keeper(workspace: str | None, owner: str | None) -> Turning:
    """A view that only keeps turns: a host waits for us, and nothing is committed."""
    from mnemofs.opening import Stores, find_workspace, load_settings
    from mnemofs.view.turning import Turning

    root = find_workspace(workspace, start=os.getcwd())
    config = load_settings(root)
    stores = Stores(root, config)
    key, scopes = stores.seen_by(owner or "")

    def new_store() -> Scope:
        from mnemofs.workspace import Workspace

        return Workspace.open(root).for_owner(key)._writer()

    return Turning(config, None, stores.embedders, scopes, owner=key, open_writer=new_store)


def _check(
    files: tuple[str, ...],
    conversation: str | None,
    *,
    later: bool,
    drain: bool,
    status: bool,
    force: bool,
) -> None:
    if drain + status + later > 1:
        raise click.UsageError("--async, --drain and --status exclude each other")
    if (drain or status) and files:
        raise click.UsageError("--drain and --status take no files")
    if not (files or drain or status):
        raise click.UsageError("name a file with a conversation, or - for standard input")
    if conversation and len(files) > 1:
        raise click.UsageError("--conversation goes with one file")
    if later and force:
        raise click.UsageError("--force does not go with --async")


def _drain(view: Turning, engine: str | None, *, retry: bool, hurry: bool, as_json: bool) -> int:
    if retry:
        view.retry_parked()
    report = view.drain(hurry=hurry, engine=engine)
    if as_json:
        print_json(report.as_dict())
    else:
        say(f"{style(report.status, 'bold')}: {report.reason}")
        if report.parked:
            aside = count(report.parked, "turn was", "turns were")
            warn([f"{aside} put aside: see `mnemofs extract --status`"])
    return 1 if report.status == "failed" else 0


def _show_status(view: Turning, as_json: bool) -> None:
    found = view.turn_status()
    if as_json:
        print_json(found.as_dict())
        return
    for outcome in found.outcomes:
        local = outcome.time.astimezone(view.clock.zone)
        head = f"{local:%Y-%m-%d %H:%M}  {outcome.kind:<8}{outcome.status:<10}"
        say(f"{head}{outcome.conversation}: {outcome.reason}")
    if not found.outcomes:
        say("no conversation was looked at yet")
    if found.waiting:
        why = f" ({found.trouble})" if found.trouble else ""
        say(f"{count(found.waiting, 'turn')} waiting{why}")
    if found.cooldown:
        say(f"the cooldown lasts {count(found.cooldown, 'more second')}")
    warn(f"put aside: {one.conversation}: {one.reason} ({one.since})" for one in found.parked)


def _start_worker(
    view: Turning, workspace: str | None, owner: str | None, engine: str | None
) -> None:
    """A process of its own, which outlives this one; none when one is at work already."""
    if view.is_draining():
        return
    from mnemofs.cli.detached import start
    from mnemofs.opening import find_workspace

    root = find_workspace(workspace, start=os.getcwd())
    arguments = ["extract", "--drain", "--background", "-w", root]
    arguments += ["--owner", owner] if owner else []
    arguments += ["--engine", engine] if engine else []
    start(arguments, folder="/")


def _print_report(name: str, report: Any) -> None:
    found = getattr(report, "extraction", report)
    if report.commit:
        say(
            f"{style('learned', 'green')} from {name}: {report.reason} "
            f"({', '.join(found.paths)} in {report.commit[:10]})"
        )
    else:
        say(f"{report.status}: {name}: {report.reason}")
    if found is not None and found.masked:
        warn([f"{count(found.masked, 'secret was', 'secrets were')} masked before writing"])
    warn(report.warnings)
