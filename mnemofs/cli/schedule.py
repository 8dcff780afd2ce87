"""schedule: nightly dreams, tidying, facts and waiting conversations, each at its time."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import json_option
from mnemofs.cli.output import count, note, print_json, say, style, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, tzinfo

    from mnemofs.scheduler import Ran, State

workspaces_option = click.option(
    "-w",
    "--workspace",
    "workspaces",
    multiple=True,
    metavar="PATH",
    help="Only this memory (can be given again). Default: all of this machine.",
)


@click.group()
def schedule() -> None:
    """Run what is to be done regularly: nightly dreams, tidying of structured entries, facts,
    search by meaning, and conversations that wait (`extract --async`), for every memory of this
    machine.

    Times are cron fields in mnemofs.toml ([dreaming], [consolidation], [facts], [embedder]
    schedule), in the memory's own time zone. What was missed while the machine was off is made up
    for once.

    \b
    All memories under MNEMOFS_HOME are looked after; add others:
      mnemofs schedule add ~/notes
    Keep it running with systemd, launchd or cron:
      mnemofs schedule install --print
    """


@schedule.command()
@workspaces_option
@json_option
def run(workspaces: tuple[str, ...], as_json: bool) -> None:
    """Keep running: each job at its time, until Ctrl-C.

    Several may run at once: one of them works for each memory, the others stand by and take over
    when it ends.
    """
    import signal
    import threading

    from mnemofs.scheduler import Scheduler

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    roots = _roots(workspaces, needed=False)
    if not as_json:
        found = len(roots())
        note(f"looking after {count(found, 'memory', 'memories')} (Ctrl-C to stop)")
        if not found:
            note("add one, now or later, with `mnemofs schedule add PATH`")

    def heard(ran: Ran) -> None:
        if as_json:
            print_json(ran.as_dict(), line=True)
        else:
            _print_ran(ran)
        sys.stdout.flush()

    with Scheduler(roots) as scheduler:
        scheduler.run(stop, heard=heard, problem=lambda text: warn([text]))


@schedule.command()
@workspaces_option
@json_option
def once(workspaces: tuple[str, ...], as_json: bool) -> int:
    """Do what is due now and end: for people who have cron.

    The first time nothing is due yet: that is when the schedule begins.
    """
    from mnemofs.scheduler import Scheduler

    with Scheduler(_roots(workspaces)) as scheduler:
        tick = scheduler.tick(None if as_json else _print_ran)
    if as_json:
        print_json(
            {
                "ran": [one.as_dict() for one in tick.ran],
                "next": tick.next.isoformat(timespec="seconds") if tick.next else None,
                "standby": list(tick.standby),
                "warnings": list(tick.troubles),
            }
        )
    else:
        for root in tick.standby:
            note(f"{root}: another process runs its jobs")
        if not tick.ran and not tick.standby:
            say("nothing is due")
        warn(tick.troubles)
    failed = tick.troubles or any(one.status == "failed" for one in tick.ran)
    return 1 if failed else 0


@schedule.command()
@workspaces_option
@json_option
def status(workspaces: tuple[str, ...], as_json: bool) -> int:
    """Show the next and the last runs, for every memory and everybody's own part of it."""
    from mnemofs.errors import MnemofsError
    from mnemofs.scheduler import state_of

    states, troubles = [], []
    for root in _roots(workspaces)():
        try:
            states.append(state_of(root))
        except MnemofsError as error:
            troubles.append(f"{root}: {error.message}")
    if as_json:
        shapes = [state.as_dict() for state in states]
        print_json({"workspaces": shapes, "warnings": troubles})
        return 1 if troubles else 0
    for state in states:
        _print_state(state)
    warn(troubles)
    return 1 if troubles else 0


@schedule.command()
@click.argument("path", type=click.Path())
@json_option
def add(path: str, as_json: bool) -> None:
    """Look after the memory at PATH, too (those under MNEMOFS_HOME need no adding)."""
    from mnemofs.register import register
    from mnemofs.workspace import Workspace

    root = Workspace.find(path, start=os.getcwd())
    added = register(root)
    if as_json:
        print_json({"status": "created" if added else "unchanged", "path": root})
    else:
        say(f"{'added' if added else 'looked after already'}: {root}")


@schedule.command()
@click.argument("path", type=click.Path())
@json_option
def remove(path: str, as_json: bool) -> None:
    """Look after the memory at PATH no longer. The memory itself stays."""
    from mnemofs.register import unregister

    gone = unregister(os.path.abspath(os.path.expanduser(path)))
    if as_json:
        print_json({"status": "deleted" if gone else "unchanged", "path": path})
    else:
        say(f"{'no longer looked after' if gone else 'was not added'}: {path}")


@schedule.command()
@click.option("--print", "shown", is_flag=True, required=True, help="Print; nothing is changed.")
@click.option(
    "--for",
    "kind",
    type=click.Choice(["systemd", "launchd", "cron"]),
    help="Only for this one (default: all three).",
)
def install(shown: bool, kind: str | None) -> None:
    """Print what makes the scheduler start by itself, for you to put where it says."""
    command = [sys.executable, "-m", "mnemofs", "schedule"]
    for name, snippet in _SNIPPETS.items():
        if kind in (None, name):
            say(snippet(command).rstrip("\n"))
            say()


def _roots(named: Sequence[str], *, needed: bool = True) -> Callable[[], list[str]]:
    """The workspaces that are meant, asked again at every look. Raises NotAWorkspace when one of
    them is none, and when there is none at all but one is needed."""
    from mnemofs.errors import NotAWorkspace
    from mnemofs.register import known_workspaces
    from mnemofs.workspace import Workspace

    if named:
        found = [Workspace.find(name, start=os.getcwd()) for name in named]
        return lambda: found
    if needed and not known_workspaces():
        raise NotAWorkspace(
            "this machine has no memory to look after",
            hint="add one with `mnemofs schedule add PATH`, or name one with --workspace",
        )
    return known_workspaces


def _print_ran(ran: Ran) -> None:
    whose = f"{ran.workspace} {ran.store}".rstrip()
    missed = f" (and {count(ran.missed, 'missed run')})" if ran.missed else ""
    colour = "red" if ran.status == "failed" else "green"
    say(f"{style(ran.status, colour)}: {ran.job} of {whose}{missed}: {ran.reason}")


def _print_state(state: State) -> None:
    from datetime import datetime

    from mnemofs.clock import load_zone

    zone = load_zone(state.timezone)
    now = datetime.now(zone)
    runner = f"run by process {state.holder.get('pid')}" if state.holder else "not running"
    say(f"{style(state.workspace, 'bold')}  {state.timezone}, {runner}")
    for store in state.stores:
        say(f"  {store.store or 'shared memory'}")
        for job, upcoming in store.plan.next.items():
            last = store.lasts.get(job)
            due = any(one.job == job for one in store.plan.due)
            when = "due now" if due else f"next {_when(upcoming, zone, now)}"
            say(f"    {job:<12} {when:<24} {_ended(last, zone, now)}")
        if store.waiting or store.parked:
            aside = f", {store.parked} put aside" if store.parked else ""
            say(f"    {'learn':<12} {count(store.waiting, 'turn')} waiting{aside}")


def _ended(last: Any, zone: tzinfo, now: datetime) -> str:
    if last is None or last.slot is None:
        return style("not run yet", "dim")
    when = _when(last.finished or last.started, zone, now)
    tries = f", try {last.tries}" if last.tries > 1 else ""
    return f"last {when}: {last.status}{tries} ({last.reason})" if last.reason else f"last {when}"


def _when(moment: datetime | None, zone: tzinfo, now: datetime) -> str:
    if moment is None:
        return "never"
    local = moment.astimezone(zone)
    return f"{local:%H:%M}" if local.date() == now.date() else f"{local:%Y-%m-%d %H:%M}"


def _home() -> str:
    """Where this user's memories are, if that was said: a service does not see the variable."""
    return os.environ.get("MNEMOFS_HOME", "")


def _systemd(command: Sequence[str]) -> str:
    home = f"Environment={_quoted('MNEMOFS_HOME=' + _home())}\n" if _home() else ""
    return f"""# systemd: ~/.config/systemd/user/mnemofs.service
#   systemctl --user enable --now mnemofs; loginctl enable-linger
[Unit]
Description=mnemofs: dreams, tidying and facts at their time

[Service]
{home}ExecStart={" ".join(map(_quoted, command))} run
Restart=on-failure
Nice=10

[Install]
WantedBy=default.target
"""


def _launchd(command: Sequence[str]) -> str:
    from html import escape

    arguments = "\n".join(f"    <string>{escape(part)}</string>" for part in (*command, "run"))
    home = escape(_home())
    variables = f"<dict><key>MNEMOFS_HOME</key><string>{home}</string></dict>"
    environment = f"  <key>EnvironmentVariables</key>{variables}\n" if home else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- launchd: ~/Library/LaunchAgents/org.mnemofs.schedule.plist
     launchctl load ~/Library/LaunchAgents/org.mnemofs.schedule.plist -->
<plist version="1.0"><dict>
  <key>Label</key><string>org.mnemofs.schedule</string>
  <key>ProgramArguments</key><array>
{arguments}
  </array>
{environment}  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>LowPriorityIO</key><true/>
</dict></plist>
"""


def _cron(command: Sequence[str]) -> str:
    import shlex

    home = f"MNEMOFS_HOME={shlex.quote(_home())} " if _home() else ""
    line = (home + " ".join(map(shlex.quote, command))).replace("%", r"\%")
    return f"""# cron: `crontab -e`, then add
*/10 * * * * {line} once >/dev/null
"""


def _quoted(part: str) -> str:
    """A word of an ExecStart line."""
    part = part.replace("%", "%%").replace("$", "$$")
    return part if part.isprintable() and not set(part) & set(" \"'\\") else f'"{part}"'


_SNIPPETS = {"systemd": _systemd, "launchd": _launchd, "cron": _cron}
