"""remote and sync: one memory on several machines."""

from __future__ import annotations

import os
import re
import sys
import threading
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import json_option, open_view, owner_option, workspace_option
from mnemofs.cli.output import count, note, print_json, say, style, warn

if TYPE_CHECKING:
    from mnemofs.errors import MnemofsError
    from mnemofs.view import View
    from mnemofs.view.sharing import SyncReport

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Interval(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """A length of time such as 60s, 5m or 1h; plain numbers are seconds."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds, at least one."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", str(value))
        seconds = float(match[1]) * _UNITS[match[2]] if match else 0.0
        if seconds < 1:
            self.fail(f"{value!r} is no length of time; write 60s, 5m or 1h", param, ctx)
        return seconds


@click.group()
def remote() -> None:
    """Choose where this memory is shared: any git repository, on a server or in a folder."""


@remote.command("add")
@click.argument("url")
@click.option("--name", default="origin", show_default=True, help="What to call it.")
@workspace_option
@owner_option
@json_option
def remote_add(
    url: str, name: str, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """Share this memory through the git repository at URL, after asking whether it answers."""
    from mnemofs.store.sharing.remote import secrets_of

    found = open_view(workspace, owner).add_remote(url, name=name, folder=os.getcwd())
    if as_json:
        print_json({"status": "created", **found.as_dict()})
        return
    state = "empty" if found.empty else "with content"
    say(f"{style('added', 'green')} {found.name}: {found.url} ({state})")
    say(f"  mnemofs sync          share now; undo with: mnemofs remote remove {found.name}")
    if secrets_of(url):
        warn(["the token in that address stays in .git/config; git's credential helpers are safer"])


@remote.command("show")
@workspace_option
@owner_option
@json_option
def remote_show(workspace: str | None, owner: str | None, as_json: bool) -> None:
    """List the remotes of this memory, without user names and tokens."""
    view = open_view(workspace, owner)
    found = view.remotes()
    if as_json:
        print_json([one.as_dict() for one in found])
        return
    for one in found:
        where = f"  ({one.branch})" if one.current else ""
        say(f"{style(one.name, 'bold')}  {one.url}{where}")
    if not found:
        note("no remote; add one with `mnemofs remote add URL`")
    else:
        say(f"  {_apart(view)}")


@remote.command("remove")
@click.argument("name", default="origin")
@workspace_option
@owner_option
@json_option
def remote_remove(name: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Stop sharing through a remote. Nothing is deleted, here or there."""
    open_view(workspace, owner).remove_remote(name)
    if as_json:
        print_json({"status": "deleted", "name": name})
    else:
        say(f"removed {name}; files and history stay, here and there")


@click.command()
@click.option("--pull-only", is_flag=True, help="Take over what is there; send nothing.")
@click.option("--push-only", is_flag=True, help="Send what is here; take over nothing.")
@click.option("--allow-deletions", is_flag=True, help="Take over a mass deletion: it is meant.")
@click.option("--allow-secrets", is_flag=True, help="Send what looks like a secret: it is none.")
@click.option("--remote", metavar="NAME", help="With this remote (default: origin).")
@workspace_option
@owner_option
@json_option
def sync(
    pull_only: bool,
    push_only: bool,
    allow_deletions: bool,
    allow_secrets: bool,
    remote: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Bring this memory and its remote to the same content.

    Edits made by hand are committed first. Changes of both sides are merged entry by entry; what
    contradicts is kept in both forms. Nothing is ever forced. Offline: exit code 1, and what is
    committed here goes with the next sync.
    """
    if pull_only and push_only:
        raise click.UsageError("--pull-only and --push-only exclude each other")
    report = open_view(workspace, owner).sync(
        remote=remote,
        pull=not push_only,
        push=not pull_only,
        allow_deletions=allow_deletions,
        allow_secrets=allow_secrets,
    )
    if as_json:
        print_json(report.as_dict())
    else:
        print_sync(report)


def print_sync(report: SyncReport) -> None:
    """One line that says what was done and how to take it back; conflicts and warnings below."""
    if report.status == "unchanged":
        waits = f"; {count(report.left, 'commit')} to push" if report.left else ""
        say(f"up to date with {report.remote}{waits}")
    else:
        parts = []
        if report.pulled:
            files = count(len(report.paths), "file")
            parts.append(f"{count(report.pulled, 'commit')} pulled ({files} changed here)")
        if report.pushed:
            parts.append(f"{count(report.pushed, 'commit')} pushed")
        say(f"{style('synced', 'green')} with {report.remote}: {', '.join(parts)}")
    if report.paths and report.before:
        say(f"  undo one file with: mnemofs restore FILE {report.before[:10]}")
    if report.conflicts:
        places = ", ".join(dict.fromkeys(report.conflicts))
        warn([f"{count(len(report.conflicts), 'contradiction')} kept in both forms: {places}"])
    warn(report.warnings)


def keep_syncing(
    view: View, seconds: float, stop: threading.Event, *, as_json: bool
) -> threading.Thread:
    """Sync in the background every so many seconds until `stop` is set; the started thread."""

    def synced(report: SyncReport) -> None:
        if as_json:
            print_json({"sync": report.as_dict()}, line=True)
        else:
            print_sync(report)
        sys.stdout.flush()

    def failed(error: MnemofsError) -> None:
        if as_json:
            print_json({"sync": {"error": error.as_dict()}}, line=True)
            sys.stdout.flush()
        else:
            warn([error.message])
            sys.stderr.flush()

    thread = threading.Thread(
        target=view.sync_every, args=(seconds, stop, synced, failed), name="mnemofs-sync"
    )
    thread.start()
    return thread


def _apart(view: View) -> str:
    state = view.sync_state()
    return apart(state.ahead, state.behind, state.conflicts)


def apart(ahead: int, behind: int, conflicts: int) -> str:
    """The line of `status`."""
    return f"{ahead} to push, {behind} to pull, {count(conflicts, 'conflict')}"
