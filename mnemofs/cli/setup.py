"""init, status, doctor: getting a memory and knowing that all is well with it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import json_option, open_workspace, reading, workspace_option
from mnemofs.cli.output import count, print_json, say, style, warn
from mnemofs.cli.sharing import apart

if TYPE_CHECKING:
    from mnemofs.doctor import Proven
    from mnemofs.view import View
    from mnemofs.workspace import Workspace

# Differences that are named at a terminal.
_NAMED = 20


@click.command()
@click.argument("path", required=False, type=click.Path())
@click.option(
    "--agent", metavar="NAME", default="", help="The agent's name (default: the folder's)."
)
@click.option("--timezone", metavar="ZONE", default="", help="IANA name (default: this machine's).")
@click.option("--from", "url", metavar="URL", help="Begin as a copy of the memory at URL.")
@click.option(
    "--owner", metavar="KEY", help="With --from: copy this person's memory into the workspace."
)
@json_option
def init(
    path: str | None, agent: str, timezone: str, url: str | None, owner: str | None, as_json: bool
) -> None:
    """Create a memory in PATH (. for this folder; default: MNEMOFS_HOME/agents/NAME).

    Files that are there already are kept and become part of the memory. With --from, PATH must be
    new or empty, and `mnemofs sync` keeps the copies together.
    """
    from mnemofs import config, names
    from mnemofs.opening import AGENTS_DIR
    from mnemofs.workspace import Workspace

    root = path or os.path.join(config.home(), AGENTS_DIR, agent or "default")
    if owner and not url:
        raise click.UsageError("--owner goes with --from; their memory begins with the first write")
    if owner and url:
        with open_workspace(path) as workspace, workspace.clone_owner(url, owner) as person:
            found = [remote.as_dict() for remote in person.remotes()]
        if as_json:
            print_json({"status": "created", "owner": owner, "remotes": found})
        else:
            say(f"{style('copied', 'green')} the memory of {owner} from {found[0]['url']}")
        return
    known = os.path.isfile(os.path.join(root, names.SETTINGS))
    if url:
        known = False
        workspace = Workspace.clone(url, root, agent=agent, timezone=timezone)
    else:
        workspace = Workspace.init(root, agent=agent, timezone=timezone)
    with workspace:
        status = workspace.status()
    if as_json:
        print_json({"status": "unchanged" if known else "created", **status.as_dict()})
        return
    if known:
        say(f"{status.workspace} is a memory already")
        return
    verb = "copied" if url else "created"
    say(f"{style(verb, 'green')} the memory of {status.agent} in {status.workspace}")
    say(f"  {count(status.files, 'file')}, branch {status.branch}, zone {status.timezone}")
    here = "" if os.path.samefile(root, os.getcwd()) else f"cd {root}\n  "
    say("\nTry:")
    say(f'  {here}mnemofs remember "We deploy on Fridays"')
    say('  mnemofs search "when do we ship"')
    say("  mnemofs log")
    warn(status.warnings)


@click.command()
@workspace_option
@json_option
def status(workspace: str | None, as_json: bool) -> None:
    """Show where the memory is and whether all is well."""
    state = open_workspace(workspace).status()
    if as_json:
        print_json(state.as_dict())
        return
    head = state.head[:10] if state.head else "no commit yet"
    say(f"{style(state.workspace, 'bold')}")
    say(f"  agent    {state.agent}  ({state.timezone})")
    say(f"  branch   {state.branch or 'none'} at {head}")
    people = f", {count(len(state.owners), 'person', 'people')}" if state.owners else ""
    say(f"  files    {count(state.files, 'file')}{people}")
    index = "fresh" if state.index["fresh"] else "being updated by another process"
    say(f"  index    {index}{_waiting(state.index['vectors'])}")
    if state.remote:
        say(f"  shared   {state.remote}: {apart(**state.sync)}")
    if state.dirty:
        say(f"  edited   {', '.join(state.dirty[:8])} (not committed yet)")
    warn(state.warnings)


def _waiting(vectors: dict[str, Any] | None) -> str:
    if not vectors or not vectors["pending"]:
        return ""
    now = ", being made now" if vectors["at_work"] else ""
    missing = f"{vectors['pending']} of {count(vectors['total'], 'text')} without a vector"
    return f", {missing} of {vectors['model']}{now}"


@click.command()
@click.option("--index", "prove", is_flag=True, help="Prove that the search index is true.")
@click.option("--repair", is_flag=True, help="With --index: make one that is not anew.")
@workspace_option
@json_option
def doctor(prove: bool, repair: bool, workspace: str | None, as_json: bool) -> int:
    """Check everything that could be wrong, and say what to do about it.

    With --index every file is read and cut up anew, and compared with the search index: file by
    file, text by text, word by word, vector by vector, in every store and every person's.

    Exit code 1 when something needs a hand.
    """
    from mnemofs.doctor import examine

    if repair and not prove:
        raise click.UsageError("--repair goes with --index")
    if prove:
        return _prove(open_workspace(workspace), repair, as_json)
    marks = {
        "ok": style("ok  ", "green"),
        "warn": style("warn", "yellow"),
        "fail": style("FAIL", "red"),
    }
    checks = []
    for check in examine(open_workspace(workspace)):
        checks.append(check)
        if not as_json:
            say(f"{marks[check.state]}  {check.name}: {check.detail}")
            if check.hint and check.state != "ok":
                say(f"      {check.hint}")
    failed = sum(check.state == "fail" for check in checks)
    if as_json:
        print_json({"ok": not failed, "checks": [check.as_dict() for check in checks]})
    return 1 if failed else 0


def _prove(workspace: Workspace, repair: bool, as_json: bool) -> int:
    from mnemofs.cli.output import Progress
    from mnemofs.doctor import prove_indexes

    stores = []
    with Progress("files", quiet=as_json) as progress:
        for store in prove_indexes(workspace, repair=repair, progress=progress):
            stores.append(store)
            if not as_json:
                _tell(store)
    wrong = any(store.proof.differences for store in stores)
    if as_json:
        print_json({"ok": not wrong, "stores": [store.as_dict() for store in stores]})
    elif not repair and any(store.proof.can_be_mended for store in stores):
        say("\n`mnemofs doctor --index --repair` makes the index anew from the files.")
    return 1 if wrong else 0


def _tell(store: Proven) -> None:
    proof = store.proof
    mark = style("FAIL", "red") if proof.differences else style("ok  ", "green")
    anew = "made anew; " if store.repaired else ""
    if proof.differences:
        say(f"{mark}  {store.name}: {anew}{count(len(proof.differences), 'difference')}")
        for difference in proof.differences[:_NAMED]:
            say(f"      {difference}")
        if len(proof.differences) > _NAMED:
            say(f"      and {len(proof.differences) - _NAMED} more (--json names all)")
        return
    vectors = f", {count(proof.vectors, 'vector')}" if proof.vectors else ""
    say(
        f"{mark}  {store.name}: {anew}the index says what the files say "
        f"({count(proof.files, 'file')}, {count(proof.chunks, 'text')}, "
        f"{count(proof.words, 'indexed word')}{vectors})"
    )


@click.command()
@click.option("--rebuild", is_flag=True, help="Throw the index away and build it anew.")
@click.option(
    "--background", is_flag=True, help="Do it in a process of its own that ends by itself."
)
@reading
def index(
    rebuild: bool, background: bool, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """Bring search fully up to date: words at once, then meaning, with progress.

    Nothing needs this: every search looks for changes itself. It spares the first searches after
    a large import the wait, may be stopped with Ctrl-C, and goes on where it was. With --background
    it goes on after this command, at low priority; `mnemofs status` shows how far it is.
    """
    import time

    from mnemofs.cli.output import Progress

    opened = open_workspace(workspace)
    view = opened.for_owner(owner) if owner else opened
    if background:
        _start_indexing(opened.root, view, rebuild, as_json)
        return
    started = time.monotonic()
    with (
        Progress("files", quiet=as_json) as files,
        Progress("texts", quiet=as_json) as progress,
        Progress("words", quiet=as_json) as words,
    ):
        left, warnings = view.prepare(progress, files=files, words=words, rebuild=rebuild)
    if as_json:
        print_json({"status": "updated", "pending": left, "warnings": list(warnings)})
        return
    seconds = time.monotonic() - started
    say(f"{style('up to date', 'green')}: {count(progress.done, 'new text')} in {seconds:.1f} s")
    warn(warnings)
    if left:
        warn([f"{count(left, 'text')} without a vector: found by words, not by meaning"])


def _start_indexing(root: str, view: View, rebuild: bool, as_json: bool) -> None:
    """One process at a time: a second one would only wait for the first."""
    from mnemofs.cli.detached import start
    from mnemofs.doctor import backlogs

    found = backlogs(view)
    under_way = any(backlog.at_work for backlog in found) and not rebuild
    if not under_way:
        arguments = ["index", "--json", "--workspace", root]
        arguments += ["--owner", view.owner] if view.owner else []
        start([*arguments, *(["--rebuild"] if rebuild else [])], folder=root)
    status = "under way" if under_way else "started"
    if as_json:
        print_json({"status": status, "backlogs": [backlog._asdict() for backlog in found]})
        return
    say(f"{style(status, 'green')}: `mnemofs status` shows how far it is")
