"""A purge as people see it: what to look for, the purge list, the receipt."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemofs.errors import MnemofsError
from mnemofs.lifecycle.drafts import Draft
from mnemofs.lifecycle.forgetting.erasure import Found, remotes
from mnemofs.lifecycle.forgetting.forgetting import strip
from mnemofs.lifecycle.forgetting.matching import EntryAndSayings, Sayings
from mnemofs.lifecycle.forgetting.receipts import Receipt, ReceiptStatus
from mnemofs.lifecycle.labels import count
from mnemofs.lifecycle.ledger import append_event, event, ledger_path
from mnemofs.markdown.lines import decode
from mnemofs.store.erasure.purgelist import KIND as PURGE
from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.clock import Clock
    from mnemofs.store.erasure.purge import Purged
    from mnemofs.store.repository import Store

_AROUND: Final = " \t\r\n.。!！?？,，;；:：、"
_UNREACHED: Final = (
    "other clones: run `mnemofs purge --rejoin` in each",
    "backups and copies outside this folder; if it was a secret, replace it by a new one",
)


def literal_texts(
    store: Store, found: Found, matcher: Sayings | EntryAndSayings, text: str | None
) -> tuple[str, ...]:
    """Every way in which the statement is written, now and anywhere in history: what a purge has
    to look for. Raises UsageError when one of them is too short for that."""
    from mnemofs.store.erasure.needles import Needles
    from mnemofs.store.git.everyobject import every_object

    sayings = matcher if isinstance(matcher, Sayings) else matcher.sayings
    written = {place.raw or place.text for place in found.removed if place.raw or place.text}
    for one in every_object(store.layout):
        if one.kind == "blob" and b"\0" not in one.content:
            with contextlib.suppress(MnemofsError):
                if sayings.may_say(decode(one.content).text):
                    plan = strip("any.md", one.content, sayings)
                    written.update(place.raw for place in plan.places)
    # Without the punctuation around it: another clone that rejoins has to find every one of them,
    # and finds what was cut out of its lines.
    written = {found.strip(_AROUND) for found in written}
    texts = sorted(one for one in {*written, (text or "").strip(_AROUND)} if one.strip())
    Needles(texts)
    return tuple(texts)


def record_purge(store: Store, done: Purged, clock: Clock) -> str | None:
    """Put a purge on the list, as a commit; also one that was interrupted before it got there."""
    from mnemofs.store.erasure import purge

    record = done.record or purge.pending(store)
    if record is None:
        return None
    now = clock.now()
    details = {k: v for k, v in record.as_event().items() if k not in ("kind", "time")}
    happened = event(PURGE, now, details)
    draft = Draft.of(store.read(ledger_path(now)))
    edit = draft.stepped(partial(append_event, happened=happened)).edit()
    if edit is None:  # one that was killed right here put it there in this very second
        commit = store.fold(quiet=0).commit
    else:
        reason = f"purge: {count(len(record.frontier), 'oldest commit')} on the purge list"
        commit = store.commit(Change((edit,), "forget", reason, trust="user")).commit
    purge.recorded(store)
    return commit


def purge_receipt(
    done: Purged, store: Store, *, commit: str | None = None, push: bool = False
) -> Receipt:
    """The receipt of a purge, and of putting it in the place of the old history at remotes."""
    from mnemofs.store.sharing.purgepush import replace_at_remotes

    replaced: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    if push and not done.dry_run:
        replaced, failed = replace_at_remotes(store)
        warnings = tuple(f"not replaced: {name}" for name in failed)
    changed = bool(done.blobs or done.commits or done.files or done.renamed)
    status: ReceiptStatus = "dry-run" if done.dry_run else "deleted" if changed else "unchanged"
    removed = {"version of a file": done.blobs, "commit": done.commits, "file": done.files}
    return Receipt(
        status,
        commit,
        {kind: number for kind, number in removed.items() if number},
        remotes=tuple(
            name
            for name in remotes(store)
            if not any(one.startswith(f"{name} ") for one in replaced)
        ),
        unreached=_UNREACHED,
        warnings=warnings,
        purged={
            "objects": done.objects,
            "versions": done.blobs,
            "commits": done.commits,
            "files": done.files + done.renamed,
            "refs": done.refs,
            "replaced": list(replaced),
            "verified": not done.hits and not done.dry_run,
            "hits": [{"place": place, "kind": kind} for place, kind in sorted(done.hits.items())],
            "sentence": _purge_sentence(done, changed),
        },
    )


def _purge_sentence(done: Purged, changed: bool) -> str:
    if done.dry_run:
        places = count(len(done.hits), "place")
        return f"{places} hold it, of {done.objects} objects and all files; nothing was changed"
    what = (
        f"purged from {count(done.blobs, 'version')} of files; {count(done.commits, 'commit')} got "
        f"a new id, {count(done.refs, 'ref')} moved"
        if changed
        else "nothing to purge"
    )
    if done.hits:
        return f"{what}. It still stands in {count(len(done.hits), 'place')}"
    return f"{what}. Searched {done.objects} objects and all files afterwards: 0 hits"
