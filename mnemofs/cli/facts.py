"""facts, contradictions, card: what memory states, what does not fit together, what is new."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import actor, open_view, reading, text_argument
from mnemofs.cli.output import count, note, print_json, say, style, warn

if TYPE_CHECKING:
    from mnemofs.lifecycle.facts.projection import Fact
    from mnemofs.lifecycle.forgetting.receipts import Receipt
    from mnemofs.lifecycle.reviewing.card import CardEntry, CardReport
    from mnemofs.results import WriteResult
    from mnemofs.view import View


@click.group(invoke_without_command=True)
@reading
@click.pass_context
def facts(ctx: click.Context, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """What memory states, as subject, predicate and object, each with its source and trust.

    Facts are read from MEMORY.md, PROFILE.md and structured/*.md: a fact goes when its line goes.
    Without a subcommand the most trusted are listed.
    """
    if ctx.invoked_subcommand is not None:
        return
    view = open_view(workspace, owner)
    _list(view, view.facts(), as_json)


@facts.command("list")
@click.argument("query", nargs=-1)
@click.option("--entity", metavar="NAME", default="", help="Only facts that name this.")
@click.option("--limit", type=click.IntRange(0), default=50, help="How many at most (0: all).")
@reading
def list_(
    query: tuple[str, ...],
    entity: str,
    limit: int,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """List facts: those that fit some words, or all, most trusted first."""
    view = open_view(workspace, owner)
    found = view.facts(" ".join(query), entity=entity, limit=limit)
    _list(view, found, as_json)


def _list(view: View, found: list[Fact], as_json: bool) -> None:
    if as_json:
        print_json([one.as_dict() for one in found])
        return
    for one in found:
        first = one.places[0]
        said = style(f"{first.path}:{first.line}", "dim")
        shared = style(f"  {one.scope.lower()}", "dim") if one.scope != "PERSONAL" else ""
        say(f"{style(one.id, 'yellow')}  {one.trust:.2f}  {one.text}  {said}{shared}")
    if not found:
        off = "facts are switched off ([facts] enabled)"
        note("no facts" if view.config.facts.enabled else off)


@facts.command()
@click.argument("fact", metavar="ID")
@reading
def show(fact: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Show one fact: where it stands, who said so and when, and how far to trust it."""
    view = open_view(workspace, owner)
    found = view.fact(fact)
    if as_json:
        print_json(found.as_dict())
        return
    _show(view, found)


def _show(view: View, found: Fact) -> None:
    say(f"{style(found.id, 'yellow')}  {found.text}")
    since = view.clock.local(found.since).strftime("%Y-%m-%d") if found.since else "just now"
    said = (
        f"{found.helpful} helpful, {found.unhelpful} not" if found.helpful + found.unhelpful else ""
    )
    parts = (f"trust {found.trust:.2f}", f"said {since}", said, count(found.uses, "use"))
    say(f"  {', '.join(filter(None, parts))}; {found.category}, {found.scope.lower()}")
    for place in found.places:
        when = view.clock.local(place.time).strftime("%Y-%m-%d %H:%M") if place.time else ""
        who = f"{place.actor} {place.source}".strip() + (f" ({place.trust})" if place.trust else "")
        commit = place.commit[:10] or "not committed yet"
        say(style(f"  {place.path}:{place.line}  {commit}  {when}  {who}", "dim"))


@facts.command()
@click.argument("fact", metavar="ID")
@click.argument(
    "kind", type=click.Choice(["helpful", "unhelpful", "confirmed"], case_sensitive=False)
)
@reading
def feedback(fact: str, kind: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Say whether a fact was helpful: that moves its trust (+0.1, -0.2)."""
    view = open_view(workspace, owner)
    done = view.fact_feedback(fact, kind, actor=actor())
    if as_json:
        print_json({"status": "noted", "commit": done.commit, "fact": view.fact(fact).as_dict()})
        return
    found = view.fact(fact)
    say(f"{style('noted', 'green')} {kind}: {found.text}, trust {found.trust:.2f}{_undo(done)}")


@facts.command()
@click.argument("fact", metavar="ID")
@click.option("--purge", is_flag=True, help="Erase it from history, too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@reading
def forget(
    fact: str,
    purge: bool,
    yes: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Forget a fact: all that states it is removed, with a receipt, and does not come back."""
    view = open_view(workspace, owner)
    found = view.fact(fact)
    if not yes and sys.stdin.isatty():
        _show(view, found)
        click.confirm("Forget this?", abort=True)
    _receipt(view.forget_fact(fact, purge=purge), as_json)


@facts.command()
@click.option("--all", "everything", is_flag=True, help="Read every file again.")
@reading
def rebuild(everything: bool, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Bring the facts up to date now; reading them does so by itself."""
    view = open_view(workspace, owner)
    done = view.rebuild_facts(rebuild=everything)
    if as_json:
        print_json(done.as_dict())
        return
    say(f"{count(done.facts, 'fact')}; read {count(len(done.read), 'file')} again")
    warn(done.warnings)


@click.group(invoke_without_command=True)
@reading
@click.pass_context
def contradictions(
    ctx: click.Context, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """List facts that cannot both be true; `contradictions resolve` settles one.

    They wait in `mnemofs review`, too.
    """
    if ctx.invoked_subcommand is not None:
        return
    view = open_view(workspace, owner)
    found = view.contradictions()
    if as_json:
        print_json([{**one.waiting.as_dict(), **one.found.as_dict()} for one in found])
        return
    for one in found:
        say(f"{style(one.found.id, 'yellow')}  {one.found.a.subject}")
        for sign, side in (("A", one.found.a), ("B", one.found.b)):
            place = side.places[0]
            say(f"  {sign}: {place.statement}  " + style(f"{place.path}:{place.line}", "dim"))
    if not found:
        note("nothing contradicts")
    elif sys.stdout.isatty():
        note(f"settle one: mnemofs contradictions resolve {found[0].found.id} keep-a")


@contradictions.command()
@click.argument("item", metavar="ID")
@click.argument(
    "how", type=click.Choice(["keep-a", "keep-b", "merge", "ignore"], case_sensitive=False)
)
@click.option("--text", metavar="TEXT", help="With merge: what is right (- for standard input).")
@reading
def resolve(
    item: str,
    how: str,
    text: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Settle a contradiction, as one commit: keep one side, merge both, or leave both for good."""
    from mnemofs.cli.review import report

    if text is not None and how.lower() != "merge":
        raise click.UsageError("--text goes with merge")
    view = open_view(workspace, owner)
    content = text_argument(text, "the text") if text is not None else None
    report(view.resolve(item, how, text=content, actor=actor()), as_json)


@click.group(invoke_without_command=True)
@reading
@click.pass_context
def card(ctx: click.Context, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Show what dreams added to memory since you last looked, to confirm, edit or forget.

    At a terminal it asks about each; `card seen` puts the reports away.
    """
    if ctx.invoked_subcommand is not None:
        return
    view = open_view(workspace, owner)
    found = view.card()
    if as_json:
        print_json(found.as_dict())
        return
    for one in found.reports:
        _card_report(view, one)
    if not found.reports:
        note("nothing new: no dream has added anything since you last looked")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _ask(view, [(one, entry) for one in found.reports for entry in one.entries])
    else:
        note("decide: mnemofs card confirm|edit|forget ID; put away: mnemofs card seen")


def _card_report(view: View, one: CardReport) -> None:
    when = view.clock.local(one.time).strftime("%Y-%m-%d %H:%M")
    about = f", about {one.topic}" if one.topic else ""
    say(f"{style(when, 'bold')}  {one.reason}{about}  " + style(one.id, "dim"))
    for entry in one.entries:
        say(f"  {style(entry.id, 'yellow')}  {entry.text}")
    if one.gone:
        say(style(f"  {count(one.gone, 'entry', 'entries')} changed or gone since", "dim"))


def _ask(view: View, entries: list[tuple[CardReport, CardEntry]]) -> None:
    say()
    for one, entry in entries:
        say(entry.text)
        if one.owner != view.owner:
            say(style("  in the team's memory: confirm it here, change it without --owner", "dim"))
        choice = click.prompt(
            "  [c]onfirm, [e]dit, [f]orget, [s]kip, [q]uit",
            type=click.Choice(list("cefsq")),
            default="s",
            show_choices=False,
        )
        if choice == "q":
            return
        if choice == "c":
            view.card_confirm(entry.id)
        elif choice == "e":
            text = click.prompt("  it should say", default=entry.text)
            if text != entry.text:
                view.card_edit(entry.id, text)
        elif choice == "f":
            say("  " + view.card_forget(entry.id).sentence)
    view.card_seen()


@card.command()
@click.argument("report", required=False)
@reading
def seen(report: str | None, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Put away a report and all before it, or all of them."""
    view = open_view(workspace, owner)
    number = view.card_seen(report)
    if as_json:
        print_json({"status": "seen", "reports": number})
        return
    say(f"{count(number, 'report')} put away")


@card.command()
@click.argument("entry", metavar="ID")
@reading
def confirm(entry: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Say that an entry holds: its trust grows and its age begins anew."""
    view = open_view(workspace, owner)
    done = view.card_confirm(entry, actor=actor())
    if as_json:
        print_json({"status": "confirmed", "commit": done.commit, "path": done.path})
        return
    say(f"{style('confirmed', 'green')}{_undo(done)}")


@card.command("edit")
@click.argument("entry", metavar="ID")
@click.argument("text")
@reading
def edit_(entry: str, text: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Put your own words in the place of an entry; models leave its section alone from then on."""
    view = open_view(workspace, owner)
    done = view.card_edit(entry, text_argument(text, "the text"), actor=actor())
    if as_json:
        print_json(
            {
                "status": done.status,
                "commit": done.commit,
                "path": done.path,
                "warnings": list(done.warnings),
            }
        )
        return
    say(f"{style('edited', 'green')} {done.path}{_undo(done)}")
    warn(done.warnings)


@card.command("forget")
@click.argument("entry", metavar="ID")
@reading
def forget_(entry: str, workspace: str | None, owner: str | None, as_json: bool) -> None:
    """Forget an entry everywhere in this memory, with a receipt."""
    view = open_view(workspace, owner)
    _receipt(view.card_forget(entry), as_json)


def _receipt(receipt: Receipt, as_json: bool) -> None:
    if as_json:
        print_json(receipt.as_dict())
        return
    say(receipt.sentence)
    warn(receipt.warnings)
    for text in receipt.unreached:
        note(f"not reached: {text}")


def _undo(done: WriteResult) -> str:
    return style(f"  (undo: mnemofs undo {done.commit[:10]})", "dim") if done.commit else ""
