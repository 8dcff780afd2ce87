"""export and import: a memory as a ZIP file."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import open_view, reading
from mnemofs.cli.output import count, note, print_json, say, size, style, warn
from mnemofs.errors import GuardRefused

if TYPE_CHECKING:
    from mnemofs.snapshot.planning import ImportPlan
    from mnemofs.view.exchanging import Imported


@click.command()
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
@reading
def export(file: str, force: bool, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Write the memory into the ZIP file FILE: its files, without their history.

    The always-on files, daily notes, the diary, structured entries and keyed memories are in it.
    With --owner it is that person's private memory, and without it nobody's.
    """
    done = open_view(workspace, owner).export(file, force=force)
    if as_json:
        print_json(done.as_dict())
        return
    for target, _, length in done.archives:
        say(f"{style('wrote', 'green')} {target} ({size(length)})")
    say(f"  {count(len(done.paths), 'file')}; take them in with: mnemofs import FILE.zip")
    warn(done.warnings)
    if done.omitted:
        note(f"{count(len(done.omitted), 'file')} of other kinds left out (--json lists them)")


@click.command("import")
@click.argument("file", type=click.Path())
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")
@click.option(
    "--trust",
    is_flag=True,
    help="Write its instructions to the agent (AGENTS.md, SOUL.md), too: you vouch for them.",
)
@click.option(
    "--token", metavar="TOKEN", help="Import only what the --dry-run with this token showed."
)
@reading
def import_(
    file: str,
    dry_run: bool,
    yes: bool,
    trust: bool,
    token: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Take in the ZIP file FILE, as one commit that can be undone.

    First it is shown what would be created, replaced and left out; then exactly that is done.
    AGENTS.md and SOUL.md tell the agent what to do: they wait for your review (`mnemofs review`)
    unless you say --trust. Secrets are masked, and what was forgotten stays forgotten.
    """
    view = open_view(workspace, owner)
    plan = view.import_preview(file, trust=trust)
    if dry_run:
        if as_json:
            print_json(plan.as_dict())
        else:
            _show(plan)
            if plan.files:
                words = ["mnemofs", "import", file, "--yes", "--token", plan.token]
                words += [*(["--owner", owner] if owner else []), *(["--trust"] if trust else [])]
                say(f"  do it: {shlex.join(words)}")
        return 0
    if plan.files and not yes:
        if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise GuardRefused(
                "an import is confirmed first; nothing was changed",
                hint="look with --dry-run, then say --yes",
            )
        _show(plan)
        click.confirm("Import this?", abort=True)
    done = view.import_(plan, token=token, source=os.path.basename(file))
    if as_json:
        print_json(done.as_dict())
    else:
        _report(done)
    return 0


def _show(plan: ImportPlan) -> None:
    for file in plan.files:
        before = f"{size(len(file.old))} → " if file.old is not None else ""
        how = "review" if file.waits else "create" if file.old is None else "update"
        say(f"{style(how, 'green')}  {file.path}  {style(before + size(len(file.new)), 'dim')}")
    for one in plan.skipped:
        say(f"{style('skip', 'dim')}    {one.name}  {style(one.reason, 'dim')}")
    if not plan.files:
        say("nothing to import")
    warn(plan.warnings)


def _report(done: Imported) -> None:
    if done.commit:
        undo = style(f"(undo: mnemofs undo {done.commit[:10]})", "dim")
        say(
            f"{style('imported', 'green')} {count(len(done.paths), 'file')} in"
            f" {done.commit[:10]} {undo}"
        )
    elif not done.waiting:
        say("nothing changed")
    if done.waiting:
        waiting = count(len(done.waiting), "proposal")
        say(f"{waiting} waiting for you: mnemofs review")
    if done.skipped:
        note(f"{count(len(done.skipped), 'entry', 'entries')} skipped (--json lists them)")
    warn(done.warnings)
