"""forget, purge, scan: making memory lose something, provably."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import TextCommand, open_view, reading, source_option
from mnemofs.cli.output import note, print_json, say, style, warn
from mnemofs.errors import GuardRefused

if TYPE_CHECKING:
    from mnemofs.lifecycle.forgetting import Place
    from mnemofs.lifecycle.receipts import Receipt
    from mnemofs.view import View


@click.command(cls=TextCommand)
@click.argument("text", required=False)
@click.option(
    "--entry", metavar="PLACE", help="An entry: PATH:LINE, PATH#KEY, KIND/KEY, a memory's key."
)
@click.option("--all-mentions", is_flag=True, help="Also what contains TEXT in something longer.")
@click.option("--dry-run", is_flag=True, help="List every place; change nothing.")
@click.option("--purge", "from_history", is_flag=True, help="Erase it from history, too.")
@click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")
@source_option
@reading
@click.pass_context
def forget(
    ctx: click.Context,
    text: str | None,
    entry: str | None,
    all_mentions: bool,
    dry_run: bool,
    from_history: bool,
    yes: bool,
    source: str,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Forget TEXT (- to read it from standard input): it goes from every place that says it.

    What is forgotten stays forgotten: learning, dreaming, imports and restores leave it out until
    somebody says it again. History keeps it unless --purge is given; the receipt says so.
    With --owner and neither TEXT nor --entry: forget that person, their whole private memory.
    """
    view = open_view(workspace, owner)
    if text is None and entry is None:
        named = ctx.get_parameter_source("owner") is click.core.ParameterSource.COMMANDLINE
        if not owner or not named:
            raise click.UsageError("give a text, --entry PLACE, or --owner KEY for a whole person")
        return _forget_person(view, dry_run=dry_run, yes=yes, as_json=as_json)
    if text is not None and entry is not None:
        raise click.UsageError("give a text or --entry, not both")
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
    looked = view.forget(text, entry=entry, all_mentions=all_mentions, dry_run=True)
    if dry_run:
        _show(looked, as_json)
        return 0
    if not looked.found and looked.mentions and not from_history:
        # Nothing says just that: whether everything about it is meant is for a person to say.
        if not yes and _asks():
            _list(looked.mentions)
            yes = click.confirm("Nothing says just that. Forget everything that mentions it?")
            if not yes:
                raise click.Abort
        all_mentions = all_mentions or yes
    if from_history and not yes:
        _confirm("Rewrite all of history? Other clones have to be told (--rejoin).")
    receipt = view.forget(
        text, entry=entry, all_mentions=all_mentions, purge=from_history, source=source
    )
    _report(receipt, as_json)
    return 0


def _forget_person(view: View, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    looked = view.forget_owner(dry_run=True)
    if dry_run:
        _report(looked, as_json)
        return 0
    if not yes:
        if _asks():
            say(looked.sentence)
        _confirm("Delete all of it for good?")
    _report(view.forget_owner(), as_json)
    return 0


def _confirm(question: str) -> None:
    if not _asks():
        raise GuardRefused(
            "this cannot be undone, and nobody is there to be asked; nothing was changed",
            hint="say --yes",
        )
    if not click.confirm(question):
        raise click.Abort


def _asks() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _show(receipt: Receipt, as_json: bool) -> None:
    """A dry run: every place with its text."""
    if as_json:
        shape = receipt.as_dict()
        for name, places in (("would_remove", receipt.found), ("mentions", receipt.mentions)):
            shape[name] = [
                {"path": p.path, "line": p.line, "kind": p.kind, "text": p.text} for p in places
            ]
        print_json(shape)
        return
    _list(receipt.found)
    if receipt.mentions:
        say(style("also mentioned (stays):", "bold"))
        _list(receipt.mentions)
    note(receipt.sentence)
    warn(receipt.warnings)


def _list(places: tuple[Place, ...]) -> None:
    for place in places:
        where = f"{place.path}:{place.line}" if place.line else place.path
        text = " ".join(place.text.split())
        shown = text if len(text) <= 80 else text[:79] + "…"
        say(f"{style(where, 'cyan')}  {style(place.kind, 'dim')}  {shown}")


def _report(receipt: Receipt, as_json: bool) -> None:
    if as_json:
        print_json(receipt.as_dict())
        return
    say(receipt.sentence)
    for text in receipt.unreached:
        note(f"not reached: {text}")
    warn(receipt.warnings)
