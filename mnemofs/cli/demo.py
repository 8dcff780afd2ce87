"""demo: two weeks of somebody's conversations, lived through in seconds, as a real memory.

Every step is what a user's own program would call; the text between is the tour.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import click

from mnemofs.cli.output import Progress, count, note, say, style
from mnemofs.errors import UsageError

if TYPE_CHECKING:
    from mnemofs.workspace import Workspace


class Calendar:
    """The demo's present moment, moved on from session to session."""

    def __init__(self, start: datetime) -> None:
        self.moment = start

    def read(self) -> datetime:
        """The instant it is in the story."""
        return self.moment


@click.command()
@click.argument("path", default="mnemofs-demo", type=click.Path())
def demo(path: str) -> None:
    """Build an example memory in PATH (default ./mnemofs-demo) and walk through it.

    Two weeks of an invented person's conversations are learned from, consolidated, searched and
    partly undone. Offline, no key needed, well under a minute.
    """
    from mnemofs.clock import Clock, load_zone
    from mnemofs.workspace import Workspace

    if os.path.exists(path) and (not os.path.isdir(path) or os.listdir(path)):
        raise UsageError(
            f"{path} exists already and is not empty",
            hint="name another folder: mnemofs demo PATH",
        )
    started = time.monotonic()
    history = _history()
    zone = load_zone(history["zone"])
    calendar = Calendar(datetime.fromisoformat(history["sessions"][0]["time"]) - timedelta(hours=1))
    clock = Clock(zone, calendar.read)
    with Workspace.init(path, agent="demo", timezone=zone.key, clock=clock) as memory:
        _learn(memory, calendar, history)
        _edit_by_hand(memory, calendar, history["hand_edit"])
        _dream(memory, calendar)
        _search(memory, history["searches"])
        _undo(memory)
        _farewell(memory, path, time.monotonic() - started)


def _learn(memory: Workspace, calendar: Calendar, history: Mapping[str, Any]) -> None:
    sessions = history["sessions"]
    person = history["user"]["name"]
    _title(1, f"Learning from two weeks of conversations with {person}")
    note("Each conversation becomes at most one commit. No model is used: the rules engine.\n")
    masked = 0
    for session in sessions:
        calendar.moment = datetime.fromisoformat(session["messages"][-1]["time"])
        report = memory.extract(
            session["messages"], conversation=session["conversation"], trigger="import"
        )
        masked += report.masked
        when = style(calendar.moment.strftime("%d %b"), "dim")
        result = f"{report.commit[:10]}  {report.reason}" if report.commit else report.reason
        say(f"  {when}  {_padded(session['title'], 30)}  {style(result, 'green')}")
    say(
        f"\n  One message held an access token. {count(masked, 'secret was', 'secrets were')} "
        "masked before anything was written:"
    )
    for hit in _grep(memory, "[redacted"):
        say(f"  {style(hit, 'cyan')}")


def _edit_by_hand(memory: Workspace, calendar: Calendar, edit: Mapping[str, str]) -> None:
    _title(2, "An edit by hand")
    calendar.moment = datetime.fromisoformat(edit["time"])
    with open(os.path.join(memory.root, edit["path"]), "a", encoding="utf-8") as file:
        file.write(edit["append"])
    say(f"  Typed into {edit['path']} with an editor: {edit['append'].strip()}")
    # Half-written files are left alone until they have come to rest.
    time.sleep(0.4)
    memory.search(edit["append"], mode="lexical", limit=1)
    last = memory.log(limit=1)[0]
    say("  The next command noticed it and committed it as a person's:")
    say(f"  {style(last.id[:10], 'yellow')}  {style(last.actor, 'cyan')}  {last.reason}")


def _dream(memory: Workspace, calendar: Calendar) -> None:
    _title(3, "A night's consolidation")
    calendar.moment = calendar.moment.replace(hour=3, minute=0) + timedelta(days=2)
    report = memory.dream()
    say(f"  {report.reason}" + (f" ({report.commit[:10]})" if report.commit else ""))
    for text in report.promoted:
        say(f"  {style('+', 'green')} {text}")
    for text, why in report.rejected[:3]:
        say(style(f"  · left in the notes: {text} ({why})", "dim"))


def _search(memory: Workspace, searches: Sequence[Mapping[str, str]]) -> None:
    _title(4, "Search by meaning, in any language")
    with Progress("reading for meaning") as progress:
        memory.prepare(progress)
    for search in searches:
        found = memory.search(search["query"], limit=1)
        say(f"  {style('?', 'bold')} {search['query']}")
        for hit in found.hits:
            place = style(f"{hit.path}:{hit.line_start}", "cyan")
            say(f"    {place}  {_shortened(' '.join(hit.text.split()), 90)}")
        for warning in found.warnings:
            note(f"    {warning}")


def _undo(memory: Workspace) -> None:
    _title(5, "Everything can be looked at, and taken back")
    dream = next((commit for commit in memory.log(limit=50) if commit.actor == "dream"), None)
    if dream is None:
        say("  Nothing was consolidated, so there is nothing to undo here.")
        return
    say(f"  What the night changed in MEMORY.md (mnemofs diff {dream.id[:10]}):")
    for file in memory.diff(dream.id, path="MEMORY.md"):
        for hunk in file.hunks:
            for line in hunk.lines:
                if line.kind != " " and line.text.strip():
                    say("    " + style(f"{line.kind} {line.text}", _COLOUR[line.kind]))
    done, _ = memory.undo(dream.id, actor="person")
    say(f"  Undone in {(done.commit or '')[:10]}: {', '.join(done.paths)}.")
    again, _ = memory.undo(done.commit, actor="person")
    say(f"  And undone again in {(again.commit or '')[:10]}: the night's work is back.")


def _farewell(memory: Workspace, path: str, seconds: float) -> None:
    commits = len(memory.log(limit=None))
    _title(6, "Yours to explore")
    say(f"  {count(commits, 'commit')} in {seconds:.1f} s. The folder: {memory.root}")
    say(f"\n  cd {path}")
    say("  cat MEMORY.md                      what is remembered")
    say("  mnemofs log                        how it came to be (git log works too)")
    say("  mnemofs blame PROFILE.md           where each line came from")
    say('  mnemofs search "food" --explain    why a hit is a hit')
    say("  mnemofs context -q dinner          what an agent would be told")
    say("\n  With your own conversations, in an empty folder:")
    say("  mnemofs init . && mnemofs extract ~/.claude/projects/*/*.jsonl && mnemofs dream")


_COLOUR = {"+": "green", "-": "red"}


def _history() -> dict[str, Any]:
    from importlib.resources import files

    text = files("mnemofs.templates").joinpath("demo/history.json").read_text(encoding="utf-8")
    history: dict[str, Any] = json.loads(text)
    return history


def _grep(memory: Workspace, text: str) -> Iterator[str]:
    for entry in memory.ls():
        content = (memory.read(entry.path).content or b"").decode("utf-8", "replace")
        for number, line in enumerate(content.split("\n"), 1):
            if text in line:
                yield f"{entry.path}:{number}  {line.strip()}"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _padded(text: str, width: int) -> str:
    """`text` filled up to `width` columns; wide characters take two."""
    taken = sum(1 + (east_asian_width(char) in "WF") for char in text)
    return text + " " * max(width - taken, 0)


def _title(number: int, text: str) -> None:
    say(f"\n{style(f'{number}. {text}', 'bold')}")
