"""Looking for secrets: in the files as they are, and in everything history holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemofs.errors import MnemofsError
from mnemofs.secrets import Finding, mask, scan
from mnemofs.store.git.everyobject import every_object
from mnemofs.store.git.walk import open_commits

if TYPE_CHECKING:
    from mnemofs.store.repository import Store

_LARGEST = 16 << 20
_SHOWN = 80


@dataclass(frozen=True)
class Leak:
    """A secret that stands somewhere. commit: the first one that holds it, "" for a file on disk.

    preview: its line with every secret in it masked. path: "" for a commit message.
    """

    path: str
    line: int
    kind: str
    preview: str
    commit: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "path": self.path,
            "line": self.line,
            "kind": self.kind,
            "commit": self.commit or None,
            "preview": self.preview,
        }


def scan_files(store: Store) -> Iterator[Leak]:
    """Secrets in the memory files of the work tree, in order of paths."""
    for path in sorted(store.scan()):
        try:
            content = store.read(path).content
        except MnemofsError:
            continue
        if content is not None:
            yield from _leaks(path, content)


def scan_history(store: Store) -> Iterator[Leak]:
    """Secrets in every version of every file that refs reach, and in commit messages: each where
    it came in, oldest first. Versions no commit holds (pruned soon) are named without a path."""
    holding: dict[str, tuple[Leak, ...]] = {}
    messages: dict[str, tuple[Leak, ...]] = {}
    for one in every_object(store.layout):
        if one.kind == "blob" and len(one.content) <= _LARGEST:
            if found := tuple(_leaks("", one.content)):
                holding[one.id] = found
        elif one.kind == "commit" and (
            found := tuple(_leaks("", one.content.partition(b"\n\n")[2]))
        ):
            messages[one.id] = found
    if not holding and not messages:
        return
    seen: set[tuple[str, str]] = set()
    for commit, touched in _told(store):
        for leak in messages.pop(commit, ()):
            yield Leak("", leak.line, leak.kind, leak.preview, commit)
        for path, blob in touched:
            for leak in holding.get(blob, ()):
                if (path, leak.preview) not in seen:
                    seen.add((path, leak.preview))
                    yield Leak(path, leak.line, leak.kind, leak.preview, commit)
            if blob in holding:
                seen.add((blob, ""))
    for blob, leaks in holding.items():
        if (blob, "") not in seen:
            for leak in leaks:
                yield Leak("", leak.line, leak.kind, leak.preview, blob)


def _told(store: Store) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(commit, files it changed) of everything that refs reach, oldest first."""
    from mnemofs.store.git.refmoves import all_refs

    commits = open_commits(store.common_dir)
    found = {}
    for tip in all_refs(store.layout).values():
        if commits.knows(tip):
            for commit in commits.newest_first(tip, lambda one: one in found):
                found[commit.id] = commit
    oldest_first = list(reversed(found.values()))
    oldest_first.sort(key=lambda one: one.time)
    for commit in oldest_first:
        rows = [(touch.path, touch.blob) for touch in commits.touches(commit) if touch.blob]
        yield commit.id, rows


def _leaks(path: str, content: bytes) -> Iterator[Leak]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    findings = scan(text, deep=True)
    if not findings:
        return
    masked = _Masked(text, findings)
    for finding in findings:
        yield Leak(path, finding.line, finding.kind, masked.line(finding))


class _Masked:
    """Lines of a text with its secrets masked, so that a preview shows none."""

    def __init__(self, text: str, findings: tuple[Finding, ...]) -> None:
        self._text = text
        self._findings = findings

    def line(self, finding: Finding) -> str:
        """The line on which the secret begins."""
        start = self._text.rfind("\n", 0, finding.start) + 1
        end = self._text.find("\n", finding.end)
        end = len(self._text) if end < 0 else end
        parts, at = [], start
        for one in self._findings:
            if start <= one.start < end:
                parts += [self._text[at : one.start], f"[redacted: {one.kind}]"]
                at = one.end
        shown = " ".join(mask("".join([*parts, self._text[at:end]]), deep=True)[0].split())
        return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
