"""Gathers what a prompt is made of: reads the files, lets the pure parts render them."""

from __future__ import annotations

from mnemofs.context.files import Entries, Files
from mnemofs.context.given import Given, Source
from mnemofs.context.prefetch import Recalled, asked_part, prefetch
from mnemofs.context.prompt import TITLES, Block, always_on
from mnemofs.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mnemofs.context.relevant import Scored
    from mnemofs.sections import FilesConfig

# Types of structured entries that enter a prompt only when they fit its question.
FITTING_TYPES = ("project", "reference")
# The built-in providers: files with what is found in them, and structured entries.
WORKSPACE, KEYED = "workspace", "structured"
PERSONAL_FILES = ("PROFILE.md", "MEMORY.md")
# The diary tells what was done to memory; what it is about stands elsewhere (DAY-09).
_DIARY = ("DREAMS.md", "memory/dreams/")
# A shorter text may stand in another by chance.
_SAME_CHARS = 20
# What a question asks for keeps this share of the room, however much a person has stored.
_ASKED_SHARE = 3


class Assembled(Record):
    """The two halves of a prompt, what they are made of, and what could not be read."""

    system: Block
    prefetch: Block
    given: tuple[Given, ...]
    warnings: tuple[str, ...]


def assemble(
    sources: Sequence[Source],
    config: FilesConfig,
    hits: Iterable[Recalled],
    *,
    owner: str,
    query: str = "",
    most_hits: int = 8,
    external: Sequence[str] = (),
    without: Sequence[str] = (),
) -> Assembled:
    """The system prompt from the shared stores and this turn's recall from all of them.

    hits: search hits, best first; those whose text stands in the prompt already are left out.
    external: what other providers recalled, framed. without: built-in providers that are turned
    off, "workspace" (files and hits) or "structured" (entries under keys). A file that cannot be
    read as text is named in the warnings and not injected.
    """
    files = Files(config)
    if WORKSPACE in without:
        hits = ()
    own = [source for source in sources if source.scope == "PERSONAL"]
    shared = [source for source in sources if source.scope != "PERSONAL"]
    shared.sort(key=lambda source: source.scope != "TEAM")
    types, fitting_types = (TITLES, FITTING_TYPES) if KEYED not in without else ((), ())
    team = Entries(files, shared, types)
    system = always_on(
        [
            file
            for name in (config.always_on if WORKSPACE not in without else ())
            for source in shared
            if (file := files.memory_file(source, name))
        ],
        team.always_on(),
        limit=config.always_on_max_chars,
    )
    limit = config.prefetch_max_chars
    person = Entries(files, own, types)
    personal = always_on(
        [
            file
            for source in own
            for name in (PERSONAL_FILES if WORKSPACE not in without else ())
            if (file := files.memory_file(source, name, owner))
        ],
        person.always_on(),
        limit=limit - limit // _ASKED_SHARE if query.strip() else limit,
    )
    asked, chosen, fitting = _fitting(files, [*own, *shared], fitting_types, query)
    shown = _Shown(files, (system, personal), (team, system), (person, personal), (asked, fitting))
    wanted = [hit for hit in hits if hit.text.strip() and not shown.already(hit)][:most_hits]
    room = max(limit - len(personal.text), 1) if limit else 0
    related = asked_part(fitting, wanted, external, limit=room)
    given = [
        *files.given(system),
        *team.given(system.keys),
        *files.given(personal),
        *person.given(personal.keys),
        *(asked.scored(chosen, fitting.keys) if fitting.text in related.text else ()),
        *(_given_hit(wanted[index]) for index in related.keys),
    ]
    return Assembled(system, prefetch(personal, related), tuple(given), tuple(files.warnings))


def _fitting(
    files: Files, sources: Sequence[Source], types: Sequence[str], query: str
) -> tuple[Entries, Sequence[Scored], Block]:
    """Structured entries of projects and references that fit the question."""
    if not query.strip():
        return Entries(files, (), ()), (), Block("")
    entries = Entries(files, sources, types)
    if not entries.pairs:
        return entries, (), Block("")
    from mnemofs.context.relevant import relevant, relevant_block

    chosen = relevant(entries.pairs, query)
    return entries, chosen, relevant_block(entries.pairs, chosen, limit=files.structured_limit)


class _Shown:
    """What stands in the prompt already, so that it is not said twice."""

    def __init__(
        self, files: Files, blocks: Sequence[Block], *entries: tuple[Entries, Block]
    ) -> None:
        self._texts = {
            files.place(whole.name): _plain(whole.text) for block in blocks for whole in block.whole
        }
        self._keys = {
            place for some, block in entries for place in some.places(block.keys) if block.text
        }
        self._all = "\n".join([*self._texts.values(), *(_plain(block.text) for block in blocks)])

    def already(self, hit: Recalled) -> bool:
        """Whether a hit needs not be said."""
        if hit.path.startswith(_DIARY):
            return True
        text = _plain(hit.text)
        if text in self._texts.get((hit.scope, hit.path), ""):
            return True
        if any((hit.scope, hit.path, key) in self._keys for key in hit.heading.split(" > ")):
            return True
        return len(text) >= _SAME_CHARS and text in self._all


def _plain(text: str) -> str:
    return " ".join(text.split())


def _given_hit(hit: Recalled) -> Given:
    return Given(
        hit.scope,
        hit.path,
        "search",
        line=hit.line,
        heading=hit.heading,
        text=hit.text,
        score=hit.score,
        parts=hit.parts,
    )
