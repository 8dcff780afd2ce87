"""What a person may type for a revision: HEAD, HEAD~2, main, v1^, 1a2b3c4, 2026-05-01 12:00."""

from __future__ import annotations

import re
from datetime import datetime

from mnemofs.clock import parse_instant
from mnemofs.errors import NotFound
from mnemofs.store.commit.parts import Parts
from mnemofs.store.git.layout import shallow_commits
from mnemofs.store.git.refs import packed_refs, read_head, read_ref
from mnemofs.store.model import CommitInfo

_DATE = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?")
_STEPS = re.compile(r"(?:\^\d*|~\d*)*$")
_STEP = re.compile(r"([~^])(\d*)")
_HEX = re.compile(r"[0-9a-fA-F]{4,40}")
_NAMES = (
    "{}",
    "refs/{}",
    "refs/tags/{}",
    "refs/heads/{}",
    "refs/remotes/{}",
    "refs/remotes/{}/HEAD",
)


def resolve(parts: Parts, revision: str) -> str:
    """The commit id of a revision. Raises NotFound (unknown, ambiguous, or before the first).

    A date or time means the last commit on HEAD's first-parent line at that moment; a bare date
    the last one of that day in the workspace zone.
    """
    text = revision.strip()
    if _DATE.fullmatch(text):
        return _at(parts, parse_instant(text, parts.clock.zone), revision)
    steps = _STEPS.search(text)
    start = steps.start() if steps else len(text)
    commit = _named(parts, text[:start] or "HEAD", revision)
    for kind, digits in _STEP.findall(text[start:]):
        count = int(digits) if digits else 1
        for _ in range(count if kind == "~" else min(count, 1)):
            parents = read_commit(parts, commit).parents
            wanted = 0 if kind == "~" else count - 1
            if wanted >= len(parents):
                raise _unknown(revision, "history does not reach back that far")
            commit = parents[wanted]
    return commit


def read_commit(parts: Parts, commit: str) -> CommitInfo:
    """One commit, parsed."""
    from mnemofs.store.git.walk import parse_commit

    return parse_commit(commit, parts.objects.read_kind(commit, "commit"))


def _at(parts: Parts, moment: datetime, revision: str) -> str:
    commit = read_head(parts.layout).commit
    while commit is not None:
        info = read_commit(parts, commit)
        if info.time <= moment:
            return commit
        commit = info.parents[0] if info.parents and not _shallow(parts, commit) else None
    raise _unknown(revision, "the first commit is younger")


def _shallow(parts: Parts, commit: str) -> bool:
    return commit in shallow_commits(parts.layout.common_dir)


def _named(parts: Parts, name: str, revision: str) -> str:
    if name in ("HEAD", "@"):
        commit = read_head(parts.layout).commit
        if commit is None:
            raise _unknown(revision, "nothing is committed yet")
        return commit
    if not name.startswith((".", "/", "-")) and ".." not in name and "\0" not in name:
        packed = packed_refs(parts.layout)
        for pattern in _NAMES:
            ref = pattern.format(name)
            if ref.startswith("refs/") or ref.isupper():
                found = read_ref(parts.layout, ref) or packed.get(ref)
                if found is not None:
                    return _peeled(parts, found, revision)
    if _HEX.fullmatch(name):
        return _abbreviated(parts, name.lower(), revision)
    raise _unknown(revision)


def _abbreviated(parts: Parts, prefix: str, revision: str) -> str:
    if len(prefix) == 40:
        if not parts.objects.has(prefix):
            raise _unknown(revision)
        return _peeled(parts, prefix, revision)
    found = parts.objects.starting_with(prefix)
    commits = [one for one in found if parts.objects.read(one)[0] in ("commit", "tag")]
    if len(commits) > 1:
        raise _unknown(revision, f"{len(commits)} commits begin like that; write more digits")
    if not commits:
        raise _unknown(revision)
    return _peeled(parts, commits[0], revision)


def _peeled(parts: Parts, object_id: str, revision: str) -> str:
    for _ in range(10):
        kind, content = parts.objects.read(object_id)
        if kind == "commit":
            return object_id
        if kind != "tag":
            break
        object_id = content[7:47].decode("ascii")
    raise _unknown(revision, "it is not a commit")


def _unknown(revision: str, why: str = "") -> NotFound:
    return NotFound(
        f"there is no revision {revision!r}" + (f": {why}" if why else ""),
        hint="`mnemofs log` lists commits; a date is written 2026-05-01 or 2026-05-01 12:00",
        revision=revision,
    )
