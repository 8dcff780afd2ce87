"""What `search` and `context` do and print, whoever parsed the command line."""

from __future__ import annotations

import sys

from mnemofs.cli.output import note, print_json, say, style, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mnemofs.view.prompting import Prompting


def search(
    view: Prompting,
    query: str,
    *,
    lexical: bool = False,
    limit: int | None = None,
    offset: int = 0,
    explain: bool = False,
    at: str | None = None,
    as_json: bool = False,
    recency: float | None = None,
    importance: float | None = None,
) -> None:
    """Print the hits for `query`. at: in the memory as it was then."""
    reader = view.at(at) if at else view
    result = reader.search(
        query,
        limit=limit,
        offset=offset,
        mode="lexical" if lexical else None,
        explain=explain or as_json,
        recency=recency,
        importance=importance,
    )
    if not at:
        view.note_hits(result.hits, query=query)
    if as_json:
        print_json(
            {
                "hits": [hit_dict(hit) for hit in result.hits],
                "mode": result.mode,
                "warnings": list(result.warnings),
            }
        )
        return
    for hit in result.hits:
        place = style(f"{hit.path}:{hit.line_start}", "cyan")
        facts = (hit.date, hit.heading, hit.owner, hit.revision[:10])
        extra = "  ".join(part for part in facts if part)
        say(f"{place}  {style(extra, 'dim')}".rstrip())
        say("  " + hit.text.strip().replace("\n", "\n  "))
        if explain:
            parts = "  ".join(f"{name} {value:.3f}" for name, value in hit.parts.items())
            say(style(f"  score {hit.score:.3f} = {parts}", "dim"))
    warn(result.warnings)
    if not result.hits:
        note("nothing found" + (" by words" if result.mode == "lexical" else ""))


def context(
    view: Prompting,
    *,
    query: str = "",
    hybrid: bool = False,
    at: str | None = None,
    as_json: bool = False,
) -> None:
    """Print what an agent should be told. at: as it would have been told then."""
    reader = view.at(at) if at else view
    result = reader.context(query=query, mode="hybrid" if hybrid else "lexical")
    if as_json:
        print_json(result.as_dict())
        return
    say("\n\n".join(part for part in (result.system, result.prefetch) if part))
    sys.stdout.flush()
    warn(result.warnings)
    if result.omitted:
        warn([f"left out to stay within the budget: {', '.join(result.omitted)}"])


def hit_dict(hit: Any) -> dict[str, Any]:
    """The stable JSON form of a search hit."""
    return {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "heading": hit.heading,
        "text": hit.text,
        "date": hit.date,
        "scope": hit.scope,
        "owner": hit.owner,
        "score": hit.score,
        "parts": dict(hit.parts),
        **({"revision": hit.revision} if hit.revision else {}),
    }
