"""Commit messages and commit objects: one line a person can read, trailers a program can."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mnemofs.store.model import Change

if TYPE_CHECKING:
    from mnemofs.markdown.merge import Conflict

_REASON_LIMIT = 200
_TRAILER_LIMIT = 500
_DOMAIN = "mnemofs.invalid"  # reserved (RFC 2606): no mail can ever reach anybody


@dataclass(frozen=True, slots=True)
class MergedFrom:
    """An edit that met newer bytes: its path and the blob it was computed from."""

    path: str
    base: str | None


def message(
    change: Change,
    merged: Sequence[MergedFrom] = (),
    conflicts: Sequence[Conflict] = (),
    kept: str = "",
) -> str:
    """The commit message of a change. Trailers are the last paragraph.

    kept: the commit that holds what the edits in conflict said (`store.kept`).
    """
    lines = [one_line(change.reason, _REASON_LIMIT) or "Memory changed", ""]
    body = clean_text(change.body).strip("\n")
    if body:
        lines += [body, ""]
    lines.append(f"Mnemofs-Actor: {change.actor}")
    if change.source:
        lines.append(f"Mnemofs-Source: {one_line(change.source, _TRAILER_LIMIT)}")
    lines.append(f"Mnemofs-Trust: {change.trust}")
    lines += [f"Mnemofs-Base: {(item.base or 'none')[:12]} {item.path}" for item in merged]
    if change.owner:
        lines.append(f"Mnemofs-Owner: {one_line(change.owner, _TRAILER_LIMIT)}")
    lines += [f"Mnemofs-Conflict: {conflict_place(conflict)}" for conflict in conflicts]
    if kept:
        lines.append(f"Mnemofs-Kept: {kept}")
    return "\n".join(lines) + "\n"


def conflict_place(conflict: Conflict) -> str:
    """Where a conflict is, as its trailer says it: `path#heading`."""
    place = f"{conflict.path}#{conflict.heading}" if conflict.heading else conflict.path
    return one_line(place, _TRAILER_LIMIT)


def hand_edit_reason(changed: Sequence[str], deleted: Sequence[str]) -> str:
    """The first line of a commit that takes in what a person did to the files."""
    verbs = [(changed, "edited"), (deleted, "deleted")]
    if len(changed) + len(deleted) > 3:
        parts = [f"{len(paths)} {verb}" for paths, verb in verbs if paths]
        return f"{len(changed) + len(deleted)} files by hand: {', '.join(parts)}"
    return "by hand: " + ", ".join(f"{verb} {', '.join(paths)}" for paths, verb in verbs if paths)


def identity(agent: str) -> str:
    """`Name <address>` of our own commits: no host, no OS account (GIT-04)."""
    name = one_line(re.sub(r"[<>]", "", agent), 80).strip(" .,:;\"'") or "agent"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    local = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "agent"
    return f"mnemofs {name} <{local}@{_DOMAIN}>"


def commit_object(tree: str, parents: Sequence[str], who: str, when: datetime, text: str) -> bytes:
    """A commit object's bytes; `who` is both author and committer."""
    stamp = f"{who} {git_time(when)}"
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    head += [f"author {stamp}", f"committer {stamp}", "", text]
    return "\n".join(head).encode("utf-8", "replace")


def git_time(when: datetime) -> str:
    """`seconds +hhmm` of an aware time; git has no times before 1970."""
    offset = when.utcoffset()
    minutes = 0 if offset is None else int(offset.total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"{max(int(when.timestamp()), 0)} {sign}{hours:02d}{rest:02d}"


def one_line(text: str, limit: int) -> str:
    """Text without line breaks or control characters, cut to `limit` characters."""
    flat = " ".join(clean_text(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def clean_text(text: str) -> str:
    """Text without control characters other than line feeds and tabs."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs")
    )
