"""forget, purge, scan: making memory lose something, provably."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import TextCommand, open_view, reading, source_option
from mnemofs.cli.output import note, print_json, say, style, warn
from mnemofs.errors import GuardRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemofs.lifecycle.forgetting.forgetting import Place
    from mnemofs.lifecycle.forgetting.receipts import Receipt
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
    if from_history:
        return _purged(receipt, as_json)
    _report(receipt, as_json)
    return 0


@click.command(cls=TextCommand)
@click.argument("text", required=False)
@click.option(
    "--secret-from",
    metavar="FILE",
    type=click.Path(),
    multiple=True,
    help="Read the text from FILE (- for standard input), so that no shell remembers it.",
)
@click.option("--dry-run", is_flag=True, help="Count where it stands; change nothing.")
@click.option("--push", is_flag=True, help="Replace the history at the remotes, too.")
@click.option("--rejoin", is_flag=True, help="Follow a purge that was done in another clone.")
@click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")
@reading
def purge(
    text: str | None,
    secret_from: tuple[str, ...],
    dry_run: bool,
    push: bool,
    rejoin: bool,
    yes: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> int:
    """Erase a text from every file and from all of history, then search everything for it.

    It is asked for at a terminal, or read from a pipe; given as TEXT it stays in the history of
    your shell. Found are also its base64, URL, JSON, hexadecimal and UTF-16 forms. Commits get new
    ids. In every other clone run `mnemofs purge --rejoin`: it purges the same there and keeps that
    clone's own new work. What no command here can reach is in the receipt.
    """
    view = open_view(workspace, owner)
    if rejoin:
        given = _secrets(None, secret_from) if secret_from else []
        if not yes:
            _confirm("Rewrite this clone's history to follow the purge?")
        return _purged(view.rejoin(texts=given, progress=_progress(as_json)), as_json)
    texts = _secrets(text, secret_from)
    if text is not None and text != "-":
        warn(["the text is in your shell's history now; next time use --secret-from"])
    if not dry_run and not yes:
        _confirm("Rewrite all of history? Other clones have to be told (--rejoin).")
    receipt = view.purge(texts, dry_run=dry_run, push=push, progress=_progress(as_json))
    return _purged(receipt, as_json)


@click.command()
@click.option("--history", is_flag=True, help="Also every version of every file, and messages.")
@reading
def scan(history: bool, workspace: str | None, owner: str | None, as_json: bool) -> int:
    """Look for secrets: keys, tokens, passwords. Exits with 3 when there are any."""
    leaks = open_view(workspace, owner).scan(history=history)
    if as_json:
        print_json([leak.as_dict() for leak in leaks])
        return 3 if leaks else 0
    for leak in leaks:
        where = f"{leak.path or 'message'}:{leak.line}"
        at = f"{leak.commit[:10]} " if leak.commit else ""
        head = f"{style(at, 'yellow')}{style(where, 'cyan')}"
        say(f"{head}  {style(leak.kind, 'red')}  {leak.preview}")
    if leaks:
        note("take one out of files and history with `mnemofs purge`; then replace it by a new one")
    else:
        note("no secrets found" + ("" if history else " (--history looks into the past, too)"))
    return 3 if leaks else 0


def _secrets(text: str | None, files: tuple[str, ...]) -> list[str]:
    """The texts to purge, from wherever they are given."""
    if text is not None and text != "-":
        return [text]
    found = []
    for name in files:
        if name != "-":
            try:
                with open(name, "rb") as file:
                    found.append(_decoded(file.read()))
            except OSError as error:
                raise click.UsageError(f"{name} cannot be read: {error.strerror}") from None
    if not files or "-" in files or text == "-":
        if sys.stdin.isatty():
            found.append(click.prompt("Text to purge", hide_input=True, err=True))
        else:
            found.append(_decoded(sys.stdin.buffer.read()))
    if not all(one.strip() for one in found):
        raise click.UsageError("the text to purge is empty")
    return found


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "surrogateescape").strip("\r\n")


def _progress(as_json: bool) -> Callable[[str, int], None] | None:
    if as_json or not sys.stderr.isatty():
        return None

    def show(step: str, number: int) -> None:
        sys.stderr.write(f"\r\x1b[K{step} {number or ''}")
        sys.stderr.flush()

    return show


def _purged(receipt: Receipt, as_json: bool) -> int:
    if not as_json and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    _report(receipt, as_json)
    purged = receipt.purged or {}
    if receipt.status == "dry-run":
        return 0
    hits = purged.get("hits", [])
    if not as_json:
        warn(f"it still stands in {hit['place']}: {hit['kind']}" for hit in hits)
    return 1 if hits else 0


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
