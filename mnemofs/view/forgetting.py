"""Forgetting: a statement, an entry, a whole person; with a receipt, and from history if asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.names import OWNERS_DIR
from mnemofs.view.base import ViewBase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemofs.lifecycle.forgetting.matching import Entry, EntryAndSayings, Sayings
    from mnemofs.lifecycle.forgetting.receipts import Receipt
    from mnemofs.scopes import Scope
    from mnemofs.store.erasure.secretscan import Leak


class Forgetting(ViewBase):
    """Forget, purge, and look for secrets."""

    def forget(
        self,
        text: str | None = None,
        *,
        entry: str | None = None,
        all_mentions: bool = False,
        dry_run: bool = False,
        purge: bool = False,
        source: str = "",
    ) -> Receipt:
        """Remove a statement from every place of this store and bar it from coming back.

        text: the statement. entry: instead of it, the place of an entry: `PATH:LINE`,
        `PATH#KEY`, `KIND/KEY` of a structured entry, or the path or key of a keyed memory; its
        statement is then forgotten everywhere. all_mentions: also entries and sentences that
        contain the text inside something longer. dry_run: only say what would go. purge: erase it
        from history, too (see `purge`).

        Nothing else is changed, and without `purge` history keeps it: the receipt says so.
        Raises UsageError for an empty text, NotFound for an entry that is not there, GuardRefused
        when nothing says just that although something mentions it.
        """
        from dataclasses import replace

        from mnemofs.lifecycle.forgetting import erasure, purging
        from mnemofs.lifecycle.forgetting.receipts import Receipt, by_kind, by_path

        if (text is None) == (entry is None):
            raise UsageError("name a text or an entry to forget")
        if text is not None and not text.strip():
            raise UsageError("the text to forget is empty")
        scope = self._require_own()
        scope.fold()
        matcher: Sayings | EntryAndSayings
        matcher = _sayings([text]) if text is not None else self._entry(scope, entry or "")
        found = erasure.look(scope.store, matcher, all_mentions=all_mentions)
        if dry_run:
            return Receipt(
                "dry-run",
                None,
                by_kind(found.removed),
                by_path(found.removed),
                found.plan.mentions,
                history=bool(found.plan.removed),
                remotes=erasure.remotes(scope.store),
                warnings=found.warnings,
                found=found.removed,
            )
        if purge:
            written = purging.literal_texts(scope.store, found, matcher, text)
        elif found.plan.mentions and not any(place.exact for place in found.removed):
            number = len(found.plan.mentions)
            mention = "place mentions" if number == 1 else "places mention"
            raise GuardRefused(
                f"nothing says just that; {number} {mention} it inside something longer",
                hint="--dry-run lists them; --all-mentions forgets them, too",
            )
        receipt = erasure.erase(
            scope.store,
            matcher,
            found,
            clock=self.clock,
            all_mentions=all_mentions,
            source=source,
            bar=matcher.wanted if all_mentions else (),
        )
        receipt = replace(receipt, unreached=self._elsewhere(scope))
        scope.reindex(path for path in found.plan.contents if path.endswith(".md"))
        scope.scrub()
        if purge:
            purged = self.purge(written)
            receipt = replace(
                receipt,
                status=purged.status if receipt.status == "unchanged" else receipt.status,
                commit=purged.commit or receipt.commit,
                purged=purged.purged,
                unreached=receipt.unreached + purged.unreached,
                warnings=receipt.warnings + purged.warnings,
            )
        return receipt

    def purge(
        self,
        texts: Sequence[str],
        *,
        dry_run: bool = False,
        push: bool = False,
        progress: Callable[[str, int], None] | None = None,
    ) -> Receipt:
        """Erase texts, byte for byte and in their usual encodings, from this store's files, from
        every commit and from all that git keeps; then search everything for them once more.

        Commits get new ids; other clones rejoin with `rejoin`. push: put the new history in the
        place of the old one at the remotes. Raises UsageError for a text that is too short,
        GuardRefused, OperationInProgress, Busy.
        """
        from mnemofs.lifecycle.forgetting import purging
        from mnemofs.lifecycle.forgetting.unsaying import purge_said
        from mnemofs.lifecycle.recalls.unrecalling import purge_recalled
        from mnemofs.store.erasure import purge

        scope = self._require_own()
        if dry_run:
            return purging.purge_receipt(purge.purge(scope.store, texts, dry_run=True), scope.store)
        scope.fold()
        scope.index.close()
        purge_said(scope.root, texts)
        purge_recalled(scope.root, texts)
        done = purge.purge(scope.store, texts, progress=progress)
        commit = purging.record_purge(scope.store, done, self.clock)
        return purging.purge_receipt(done, scope.store, commit=commit, push=push)

    def rejoin(
        self,
        *,
        remote: str | None = None,
        texts: Sequence[str] = (),
        progress: Callable[[str, int], None] | None = None,
    ) -> Receipt:
        """After a purge in another clone: purge the same here and keep this clone's own new work,
        which then stands on the new history; a sync brings both together.

        What was purged is found by comparing the two histories, unless `texts` says it. Raises
        NotFound (no remote), RemoteError, and GuardRefused when it cannot be found.
        """
        from mnemofs.lifecycle.forgetting import purging
        from mnemofs.lifecycle.forgetting.receipts import Receipt
        from mnemofs.lifecycle.forgetting.unsaying import purge_said
        from mnemofs.lifecycle.recalls.unrecalling import purge_recalled
        from mnemofs.store.erasure import purge
        from mnemofs.store.sharing import rejoin

        scope = self._require_own()
        scope.fold()
        where, tip = rejoin.fetch(scope.store, remote)
        missed = rejoin.missed(scope.store, tip)
        if not missed:
            reason = f"nothing was purged at {where.remote.name} that this clone still holds"
            return Receipt("unchanged", purged={"sentence": reason, "verified": True, "hits": []})
        scope.index.close()
        passes = []
        while missed:  # a later purge names commits as an earlier one left them
            found = rejoin.what_was_purged(scope.store, tip, missed, texts)
            purge_said(scope.root, found)
            purge_recalled(scope.root, found)
            passes.append(purge.purge(scope.store, found, progress=progress))
            purge.recorded(scope.store)
            before, missed = missed, rejoin.missed(scope.store, tip)
            if missed == before:
                raise GuardRefused(
                    "what was purged elsewhere still stands in this clone's history",
                    hint="run `mnemofs purge` here with the same text",
                )
        return purging.purge_receipt(purge.summed(passes), scope.store)

    def scan(self, *, history: bool = False) -> list[Leak]:
        """Secrets in the memory files, and with `history` in every version of everything."""
        from mnemofs.store.erasure import secretscan

        scope = self._require_own()
        leaks = list(secretscan.scan_files(scope.store))
        return leaks + list(secretscan.scan_history(scope.store)) if history else leaks

    def forget_owner(self, *, dry_run: bool = False) -> Receipt:
        """Delete this person's private memory with all of its history. There is no way back.

        The view is of no use afterwards. Raises NotFound when there is none, and GuardRefused for
        the shared memory.
        """
        from dataclasses import replace

        from mnemofs.lifecycle.forgetting import erasure

        scope = self._require_own()
        if not self.owner or scope.name != "PERSONAL":
            raise GuardRefused(
                "this memory is shared and no single person's; nothing was deleted",
                hint="name a person with --owner; with [owners] isolation = false forget texts",
            )
        receipt = erasure.census(scope.store, self.owner)
        if dry_run:
            return receipt
        team = next((other.store.root for other in self._scopes if other.name == "TEAM"), None)
        scope.close()
        self._scopes.remove(scope)
        erasure.delete_repository(scope.store.root, self.owner, team)
        return replace(receipt, status="deleted")

    def _entry(self, scope: Scope, entry: str) -> EntryAndSayings:
        """The entry at a place, and what it says."""
        from mnemofs.lifecycle.forgetting.forgetting import plan_forget
        from mnemofs.lifecycle.forgetting.matching import EntryAndSayings

        path, matcher = _place(entry)
        content = scope.store.read(path).content
        plan = plan_forget({path: content}, matcher) if content is not None else None
        if plan is None or not plan.statements:
            raise NotFound(
                f"there is no entry {entry}",
                hint="name it as `mnemofs search` shows it, PATH:LINE",
                path=path,
            )
        return EntryAndSayings(path, matcher, _sayings(sorted(plan.statements)))

    def _elsewhere(self, scope: Scope) -> tuple[str, ...]:
        """The stores beside this one, which a forget leaves alone (I4)."""
        found = [
            f"the {other.name.lower()} memory in {other.root}"
            for other in self._scopes
            if other is not scope and other.name != "PERSONAL"
        ]
        if scope.name == "TEAM":
            try:
                people = len(os.listdir(os.path.join(scope.root, OWNERS_DIR)))
            except OSError:
                people = 0
            if people:
                found.append(f"{people} private memories: name a person with --owner")
        if self.config.mem0.base_url:
            found.append("what the Mem0 server was told: delete it there")
        return tuple(found)


def _sayings(texts: list[str]) -> Sayings:
    from mnemofs.lifecycle.forgetting.matching import Sayings

    found = Sayings.of(texts)
    if not found.wanted:
        raise UsageError("the text to forget has no words")
    return found


def _place(entry: str) -> tuple[str, Entry]:
    """The file and the place in it that an entry's name means."""
    from mnemofs import names
    from mnemofs.lifecycle.forgetting.matching import Entry
    from mnemofs.markdown.kinds import KINDS, structured_path

    path, hash_sign, key = entry.partition("#")
    if hash_sign:
        return names.check_path(path), Entry(key=key)
    path, colon, line = entry.rpartition(":")
    if colon and line.isdigit() and path:
        return names.check_path(path), Entry(line=int(line))
    kind, slash, key = entry.partition("/")
    if slash and kind in KINDS and not key.endswith(".md"):
        return structured_path(kind), Entry(key=key)
    path = entry if entry.startswith("memories/") else f"memories/{entry}"
    path = names.check_path(path if path.endswith(".md") else f"{path}.md")
    return path, Entry(key=path.rsplit("/", 1)[-1].removesuffix(".md"))
