"""What the two search tools answer, in the shape of the contract."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mnemofs.tools.lines import Line, best, lines, snippet, wanted
from mnemofs.tools.schemas import SEARCHED

if TYPE_CHECKING:
    from mnemofs.index.hits import Hit
    from mnemofs.view import View

# Small files: looked through line by line as well, so that no other file keeps them from the list.
_NAMED: Final[dict[str, tuple[str, ...]]] = {
    "profile": ("PROFILE.md", "structured/user.md"),
    "persona": ("AGENTS.md", "SOUL.md"),
}
_NOT_MEMORY: Final = frozenset({"PROFILE.md", "AGENTS.md", "SOUL.md"})
_PER_FILE: Final = 5
_MOST: Final = 1000
# As deep is looked for small files by meaning; their words are found anyway.
_MOST_FOR_NAMED: Final = 100
_ECHOED: Final = 200  # characters of a question that are given back
_NOTHING: Final = "nothing found; try fewer or other words, or list the files"


class _Found(NamedTuple):
    filename: str
    scope: str
    owner: str
    line: Line
    score: float


def search(view: View, query: str, scope: str, limit: int) -> dict[str, Any]:
    """Lines that answer, best first. scope: one of SEARCHED; any other means all."""
    scope = scope.strip().lower()
    hints = []
    if scope not in SEARCHED:
        hints.append(f"there is no such scope; searched all ({', '.join(SEARCHED)})")
        scope = "all"
    found, mode, warnings = _searched(view, query, limit, scope)
    if scope in _NAMED and len(found) < limit:
        known = {_place(one) for one in found}
        more = _looked_through(view, query, _NAMED[scope])
        found += (one for one in more if _place(one) not in known)
    if not found:
        hints.append(_NOTHING)
    hits = [
        {
            "filename": one.filename,
            "lineNumber": one.line.number,
            "snippet": snippet(one.line),
            "score": round(one.score, 4),
            "scope": one.scope,
            "ownerKey": one.owner,
        }
        for one in found[:limit]
    ]
    return {
        "query": query[:_ECHOED],
        "scope": scope,
        "mode": mode,
        "totalHits": len(found),
        "hits": hits,
        **({"hint": "; ".join(hints)} if hints else {}),
        **({"warnings": list(warnings)} if warnings else {}),
    }


def recent_sessions(view: View, limit: int, without: Collection[str]) -> dict[str, Any]:
    """The latest conversations."""
    found = [
        {
            "conversationId": one.conversation,
            "title": one.title,
            "messageCount": one.messages,
            "lastActiveTime": _local(view, one.last),
            "createTime": _local(view, one.first),
        }
        for one in view.sessions(limit, without=without)
    ]
    return {"mode": "recent", "count": len(found), "sessions": found}


def sessions(view: View, query: str, limit: int, without: Collection[str]) -> dict[str, Any]:
    """What was said in conversations."""
    found = [
        {
            "conversationId": one.conversation,
            "title": one.title,
            "role": one.role,
            "snippet": one.snippet,
            "time": _local(view, one.time),
        }
        for one in view.search_sessions(query, limit, without=without)
    ]
    return {"mode": "search", "query": query[:_ECHOED], "count": len(found), "matches": found}


def _in_scope(scope: str) -> Callable[[str], bool]:
    if scope in _NAMED:
        return lambda path: path in _NAMED[scope]
    return (lambda path: path not in _NOT_MEMORY) if scope == "memory" else (lambda path: True)


def _searched(
    view: View, query: str, limit: int, scope: str
) -> tuple[list[_Found], str, tuple[str, ...]]:
    """Hits of the search whose file is wanted: asked for more until there are enough of them."""
    asked, most = (_MOST_FOR_NAMED,) * 2 if scope in _NAMED else (2 * limit, _MOST)
    wants = _in_scope(scope)
    while True:
        result = view.search(query, limit=asked)
        hits = [hit for hit in result.hits if wants(hit.path)]
        if len(hits) >= limit or len(result.hits) < asked or asked >= most:
            break
        asked = min(4 * asked, most)
    view.mark_found(query, hits[:limit])
    return _best_lines(query, hits), result.mode, result.warnings


def _best_lines(query: str, hits: Iterable[Hit]) -> list[_Found]:
    """For each hit its best line, not its first (W-31); one line is shown once."""
    terms = wanted(query)
    found: dict[tuple[str, str, str, int], _Found] = {}
    for hit in hits:
        line = best(hit.text, terms, hit.line_start)
        one = _Found(hit.path, hit.scope, hit.owner, line, hit.score)
        found.setdefault(_place(one), one)
    return list(found.values())


def _place(one: _Found) -> tuple[str, str, str, int]:
    return one.scope, one.owner, one.filename, one.line.number


def _looked_through(view: View, query: str, paths: Iterable[str]) -> list[_Found]:
    terms = wanted(query)
    found: list[_Found] = []
    for path in paths:
        for info, content in view.copies(path):
            text = content.decode("utf-8", "replace")
            some = sorted(lines(text, terms), key=lambda line: (-line.score, line.number))
            found += (
                _Found(info.path, info.scope, info.owner, line, line.score)
                for line in some[:_PER_FILE]
            )
    return sorted(found, key=lambda one: (-one.score, one.filename, one.line.number))


def _local(view: View, moment: datetime) -> str:
    """Local time in the workspace zone, without the zone, to the second."""
    return view.clock.local(moment).replace(tzinfo=None).isoformat(timespec="seconds")
