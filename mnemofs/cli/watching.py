"""watch: how memory keeps up with edits."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import (
    json_option,
    open_view,
    open_workspace,
    owner_option,
    workspace_option,
)
from mnemofs.cli.output import note, print_json, say, style, warn
from mnemofs.cli.sharing import Interval, keep_syncing

if TYPE_CHECKING:
    from mnemofs.view import View


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
            print_json({"commit": commit, "paths": list(paths)}, line=True)
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
