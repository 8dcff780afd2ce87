"""Going through what waits, one by one, as `review --walk` asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mnemofs.cli.output import count, fail, note, say
from mnemofs.cli.review import print_shown, report
from mnemofs.errors import MnemofsError

if TYPE_CHECKING:
    from mnemofs.lifecycle.reviewing.decisions import Verdict
    from mnemofs.lifecycle.reviewing.waiting import Waiting
    from mnemofs.view import View

_KEYS: dict[Verdict, tuple[str, str]] = {
    "accepted": ("a", "[a]ccept"),
    "rejected": ("r", "[r]eject"),
    "ours": ("o", "[o]urs"),
    "theirs": ("t", "[t]heirs"),
    "both": ("b", "[b]oth"),
    "keep_a": ("a", "keep [a]"),
    "keep_b": ("b", "keep [b]"),
    "merge": ("m", "[m]erge"),
    "ignored": ("i", "[i]gnore"),
    "edited": ("e", "[e]dit"),
}


def walk_through(view: View, waiting: Sequence[Waiting]) -> None:
    """Show each item and carry out what is chosen; stops at q and at the end of the input.

    An item that was settled by an earlier answer is passed over.
    """
    decided = 0
    for number, item in enumerate(waiting, 1):
        try:
            shown = view.review_item(item.id)
        except MnemofsError:
            continue
        say(f"{number} of {len(waiting)}")
        print_shown(view, shown)
        keys = {_KEYS[verdict][0]: verdict for verdict in item.verdicts}
        words = ", ".join(_KEYS[verdict][1] for verdict in item.verdicts)
        try:
            choice = click.prompt(
                f"  {words}, [s]kip, [q]uit",
                type=click.Choice([*keys, "s", "q"]),
                default="s",
                show_choices=False,
            )
        except click.Abort:
            break
        if choice == "q":
            break
        if choice != "s":
            decided += _decide(view, item, keys[choice])
        say()
    note(f"{count(decided, 'decision')}" if waiting else "nothing waits for a decision")


def _decide(view: View, item: Waiting, verdict: Verdict) -> bool:
    text = None
    if verdict == "edited":
        draft = view.review_draft(item.id).decode("utf-8", "surrogateescape")
        text = click.edit(draft, extension=".md")
        if text is None:
            note("nothing was changed: the editor saved nothing")
            return False
    try:
        report(view.decide(item.id, verdict, text=text), as_json=False)
    except MnemofsError as error:
        fail(error.message, hint=error.hint)
        return False
    return True
