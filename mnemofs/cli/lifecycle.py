"""extract, watch: how memory learns and keeps up."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import (
    json_option,
    open_view,
    open_workspace,
    owner_option,
    reading,
    workspace_option,
)
from mnemofs.cli.output import count, note, print_json, say, style, warn
from mnemofs.cli.sharing import Interval, keep_syncing

if TYPE_CHECKING:
    from mnemofs.view import View

ENGINES = click.Choice(["rules", "llm"])


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--conversation", metavar="ID", help="Name of the conversation (default: the file's)."
)
@click.option("--engine", type=ENGINES, help="rules needs no model; llm asks your endpoint.")
@click.option("--force", is_flag=True, help="Skip the gates for short or recent conversations.")
@click.option(
    "--trigger",
    default="import",
    metavar="NAME",
    help="Where it comes from: import (an old one), chat (just ended; obeys the cooldown), cron.",
)
@reading
def extract(
    files: tuple[str, ...],
    conversation: str | None,
    engine: str | None,
    force: bool,
    trigger: str,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Learn from conversations in FILES (- for standard input): what is worth keeping is committed.

    Read are JSON lists of {role, content}, the same one per line, and Claude Code session logs.
    Only what was said counts. The same conversation again adds nothing.
    """
    view = open_view(workspace, owner)
    if conversation and len(files) > 1:
        raise click.UsageError("--conversation goes with one file")
    reports = []
    for name in files:
        source = sys.stdin.buffer.read() if name == "-" else name
        report = view.extract(
            source, conversation=conversation, engine=engine, trigger=trigger, force=force
        )
        reports.append(report)
        if not as_json:
            _print_extraction(name, report)
    if as_json:
        shapes = [report.as_dict() for report in reports]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
    return 1 if any(report.status == "failed" for report in reports) else 0


@click.command()
@click.option("--sync", "every", type=Interval(), help="Also sync with the remote: 60s, 5m, ...")
@workspace_option
@owner_option
@json_option
def watch(every: float | None, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Commit and index edits as they are made, until Ctrl-C. Nothing needs this: every command
    looks for edits itself."""
    import signal
    import threading

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    opened = open_workspace(workspace)
    view: View = opened.for_owner(owner) if owner else opened

    def folded(commit: str, paths: tuple[str, ...]) -> None:
        if as_json:
            import json

            say(json.dumps({"commit": commit, "paths": list(paths)}, ensure_ascii=False))
        else:
            say(f"{style(commit[:10], 'yellow')}  {', '.join(paths)}")
        sys.stdout.flush()

    if not as_json:
        note(f"watching {opened.root} (Ctrl-C to stop)")
    # A view of its own: the two threads then share nothing but the store's locks.
    other = open_view(workspace, owner) if every else None
    syncing = keep_syncing(other, every, stop, as_json=as_json) if other and every else None
    try:
        view.watch(folded, stop, problem=lambda text: warn([text]))
    finally:
        stop.set()
        if syncing is not None:
            syncing.join()


def _print_extraction(name: str, report: Any) -> None:
    if report.commit:
        say(
            f"{style('learned', 'green')} from {name}: {report.reason} "
            f"({', '.join(report.paths)} in {report.commit[:10]})"
        )
    else:
        say(f"{report.status}: {name}: {report.reason}")
    if report.masked:
        warn([f"{count(report.masked, 'secret was', 'secrets were')} masked before writing"])
    warn(report.warnings)
