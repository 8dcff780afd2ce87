"""review: what waits for a person, and deciding about it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.changes import file_dict, print_file, print_lines
from mnemofs.cli.options import actor, open_view, reading, text_argument
from mnemofs.cli.output import count, note, print_json, say, style, warn

if TYPE_CHECKING:
    from mnemofs.lifecycle.reviewing.decisions import Verdict
    from mnemofs.lifecycle.reviewing.review import Decided
    from mnemofs.lifecycle.reviewing.waiting import Waiting
    from mnemofs.view import View
    from mnemofs.view.reviewing import Shown

_DONE = {
    "accepted": "accepted",
    "rejected": "rejected",
    "edited": "written",
    "ours": "kept ours",
    "theirs": "kept theirs",
    "both": "kept both",
    "keep_a": "kept A",
    "keep_b": "kept B",
    "merge": "merged",
    "ignored": "left both for good",
}
_KINDS = ("proposal", "conflict", "contradiction", "soul", "import")


@click.group(invoke_without_command=True)
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    help="Only these (soul and import: proposals from there).",
)
@click.option("--walk", is_flag=True, help="Go through them one by one.")
@reading
@click.pass_context
def review(
    ctx: click.Context,
    kind: str | None,
    walk: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """List what waits for a decision: proposals (of models, of imports, for SOUL.md), conflicts of
    merges, and contradictions between facts.

    `review show ID` shows one; `review accept`, `reject` and `edit` decide; `review --walk` asks
    about each. An id may be cut short.
    """
    if ctx.invoked_subcommand is not None:
        return
    view = open_view(workspace, owner)
    waiting = [item for item in view.review() if kind in (None, item.kind, item.actor)]
    if walk and not as_json:
        from mnemofs.cli.walking import walk_through

        walk_through(view, waiting)
        return
    if as_json:
        print_json([item.as_dict() for item in waiting])
        return
    for item in waiting:
        since = view.clock.local(item.since).strftime("%Y-%m-%d %H:%M")
        say(f"{style(item.id, 'yellow')}  {since}  {style(_kind(item), 'cyan')}  {_place(item)}")
        say(f"            {item.what}" + style(f"  {_who(item)}", "dim"))
    if not waiting:
        note("nothing waits for a decision")
    elif sys.stdout.isatty():
        note(f"look at one with: mnemofs review show {waiting[0].id}, or at all: review --walk")


def _options(command: Any) -> Any:
    return click.argument("item", metavar="ID")(reading(command))


@review.command()
@_options
def show(item: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Show what a proposal would change, or the two texts of a conflict."""
    view = open_view(workspace, owner)
    shown = view.review_item(item)
    if as_json:
        print_json(_shown_dict(shown))
        return
    print_shown(view, shown)
    waiting = shown.item
    if waiting.kind == "proposal":
        note(f"decide: mnemofs review accept|reject|edit {waiting.id}")
    else:
        ways = "|".join(
            f"--{word.replace('_', '-').replace('ignored', 'ignore')}"
            for word in waiting.verdicts
            if word != "edited"
        )
        note(f"decide: mnemofs review accept {waiting.id} {ways}, or review edit {waiting.id}")


def print_shown(view: View, shown: Shown) -> None:
    """One item for a person to look at."""
    waiting = shown.item
    since = view.clock.local(waiting.since).strftime("%Y-%m-%d %H:%M")
    where = _place(waiting)
    say(f"{style(waiting.id, 'yellow')}  {since}  {style(_kind(waiting), 'cyan')}  {where}")
    say(f"  {waiting.what}" + style(f"  {_who(waiting)}", "dim"))
    if shown.contradiction is not None:
        for sign, fact in (("A", shown.contradiction.a), ("B", shown.contradiction.b)):
            for place in fact.places:
                at = style(f"{place.path}:{place.line}", "dim")
                say(f"  {sign}: {place.statement}  {at}")
    elif waiting.kind == "conflict":
        for side, by, sign in zip(("ours", "theirs"), shown.actors, "-+", strict=True):
            about = [word for word, true in _about(shown, side) if true]
            who = f" by {by}," if by else ""
            colour = "red" if sign == "-" else "green"
            say(style(f"  {sign} {side}:{who} {', '.join(about)}", colour))
        for hunk in (hunk for file in shown.files for hunk in file.hunks):
            print_lines(hunk.lines)
    else:
        for file in shown.files:
            print_file(file)
        if not shown.files:
            say("  it would change nothing any more")


@review.command()
@_options
@click.option("--ours", "verdict", flag_value="ours", help="Of a conflict: keep this side only.")
@click.option("--theirs", "verdict", flag_value="theirs", help="Of a conflict: keep this side.")
@click.option("--both", "verdict", flag_value="both", help="Of a conflict: both are right.")
@click.option("--keep-a", "verdict", flag_value="keep_a", help="Of a contradiction: A is right.")
@click.option("--keep-b", "verdict", flag_value="keep_b", help="Of a contradiction: B is right.")
@click.option("--merge", "verdict", flag_value="merge", help="Of a contradiction: join the two.")
@click.option("--ignore", "verdict", flag_value="ignored", help="Of a contradiction: both stay.")
@click.option("--text", metavar="TEXT", help="Write this instead (- for standard input).")
def accept(
    item: str,
    verdict: Verdict | None,
    text: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Take a proposal over, or settle a conflict or a contradiction, as one commit.

    What was written since the proposal was made stays. Without an option a conflict keeps what
    stands there now.
    """
    if verdict not in (None, "merge") and text is not None:
        raise click.UsageError("give a text, or say which one stays, not both")
    view = open_view(workspace, owner)
    if text is not None:
        content = text_argument(text, "the text")
        report(view.decide(item, "edited", text=content, actor=actor()), as_json)
        return
    if verdict is None:
        verdict = _as_it_stands(view.review_item(item))
    report(view.decide(item, verdict, actor=actor()), as_json)


@review.command()
@_options
def reject(item: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Turn a proposal down; the same text is not proposed again. Of a contradiction: both stay."""
    view = open_view(workspace, owner)
    waiting = view.review_item(item).item
    if waiting.kind == "conflict":
        raise click.UsageError(
            f"{waiting.id} is a conflict: say which text stays, with "
            f"`mnemofs review accept {waiting.id} --ours` (or --theirs, --both, --text)"
        )
    verdict: Verdict = "ignored" if waiting.kind == "contradiction" else "rejected"
    report(view.decide(item, verdict, actor=actor()), as_json)


@review.command()
@_options
@click.option("--text", metavar="TEXT", help="The text (- for standard input); else an editor.")
def edit(
    item: str,
    text: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Decide with a text of your own: the whole file of a proposal, the entry of a conflict, the
    statement of a contradiction."""
    view = open_view(workspace, owner)
    if text is None and sys.stdin.isatty():
        draft = view.review_draft(item).decode("utf-8", "surrogateescape")
        text = click.edit(draft, extension=".md")
        if text is None:
            note("nothing was changed: the editor saved nothing")
            return
    content = text_argument(text, "the text")
    report(view.decide(item, "edited", text=content, actor=actor()), as_json)


def _as_it_stands(shown: Shown) -> Verdict:
    if shown.item.kind == "proposal":
        return "accepted"
    if shown.item.kind == "contradiction":
        raise click.UsageError(
            f"{shown.item.id} is a contradiction: say what is right with --keep-a, --keep-b, "
            "--merge, --ignore or --text"
        )
    if "both" in shown.item.verdicts:
        return "both"
    return "theirs" if "theirs" in shown.standing else "ours"


def _about(shown: Shown, side: str) -> list[tuple[str, bool]]:
    text = shown.ours if side == "ours" else shown.theirs
    return [
        ("deleted it", not text),
        ("the newer", shown.newer == side),
        ("the older", shown.newer != side),
        ("stands in the file", side in shown.standing),
        ("is in history only", bool(text) and side not in shown.standing),
    ]


def _kind(item: Waiting) -> str:
    if item.kind == "proposal" and item.actor in ("soul", "import"):
        return f"{item.actor} proposal"
    return item.kind


def _place(item: Waiting) -> str:
    paths = ", ".join(item.paths[:3]) + (" …" if len(item.paths) > 3 else "")
    return f"{paths}  {item.heading}".rstrip()


def _who(item: Waiting) -> str:
    who = f"{item.actor} {item.source}".strip() if item.kind == "proposal" else item.source
    return f"from {who}" + (f" ({item.trust})" if item.trust == "web" else "") if who else ""


def _shown_dict(shown: Shown) -> dict[str, Any]:
    made: dict[str, Any] = {
        **shown.item.as_dict(),
        "files": [file_dict(file) for file in shown.files],
    }
    if shown.contradiction is not None:
        made |= shown.contradiction.as_dict()
    if shown.item.kind == "conflict":
        made |= {
            "ours": (shown.ours or b"").decode("utf-8", "replace"),
            "theirs": (shown.theirs or b"").decode("utf-8", "replace"),
            "actors": list(shown.actors),
            "newer": shown.newer,
            "standing": sorted(shown.standing),
        }
    return made


def report(decided: Decided, as_json: bool) -> None:
    """Say what a decision did and how to take it back."""
    done, item = decided.done, decided.item
    if as_json:
        print_json(
            {
                "status": decided.verdict,
                "id": item.id,
                "kind": item.kind,
                "commit": done.commit,
                "paths": list(done.paths),
                "conflicts": len(done.conflicts),
                "warnings": list(done.warnings),
            }
        )
        return
    where = f" in {done.commit[:10]}" if done.commit else ""
    undo = style(f"(undo: mnemofs undo {done.commit[:10]})", "dim") if done.commit else ""
    what = style(_DONE[decided.verdict], "green")
    say(f"{what} {item.kind} {item.id} of {_place(item)}{where} {undo}".rstrip())
    warn(done.warnings)
    if done.conflicts:
        warn([f"{count(len(done.conflicts), 'place')} kept both texts: the file had moved on"])
