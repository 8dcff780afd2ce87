"""Gathers what a prompt is made of: reads the files, lets the pure parts render them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mnemofs.context.prefetch import Recalled, prefetch
from mnemofs.context.prompt import TITLES, Block, MemoryFile, always_on, structured_block
from mnemofs.errors import MnemofsError

if TYPE_CHECKING:
    from mnemofs.markdown.entries import StructuredEntry
    from mnemofs.sections import FilesConfig

PERSONAL_FILES = ("PROFILE.md", "MEMORY.md")
_PREFETCH_MAX_CHARS = 8000


class Source(NamedTuple):
    """A store a prompt may draw on. scope: TEAM, PERSONAL or GLOBAL; owner: "" unless personal.

    read: the bytes of one of its files, None when there is none.
    """

    scope: str
    owner: str
    read: Callable[[str], bytes | None]


class Assembled(NamedTuple):
    """The two halves of a prompt and what could not be read."""

    system: Block
    prefetch: Block
    warnings: tuple[str, ...]


def assemble(
    sources: Sequence[Source], config: FilesConfig, hits: Iterable[Recalled], *, owner: str
) -> Assembled:
    """The system prompt from the shared stores and this turn's recall from all of them.

    hits: search hits, best first; those whose file stands in the prompt already are left out.
    A file that cannot be read as text is named in the warnings and not injected.
    """
    warnings: list[str] = []
    shared = [source for source in sources if source.scope != "PERSONAL"]
    own = [source for source in sources if source.scope == "PERSONAL"]
    shared.sort(key=lambda source: source.scope != "TEAM")
    system = always_on(
        [
            MemoryFile(_label(source, name), text, _ceiling(name, config))
            for name in config.always_on
            for source in shared
            if (text := _text(source, name, warnings))
        ],
        _structured(shared, config, warnings),
        limit=config.always_on_max_chars,
    )
    personal = [
        MemoryFile(name, text, _ceiling(name, config))
        for source in own
        for name in PERSONAL_FILES
        if (text := _text(source, name, warnings))
    ]
    whole = {("TEAM", name) for name in system.files} | {
        ("PERSONAL", file.name) for file in personal
    }
    recalled = [hit for hit in hits if (hit.scope, hit.path) not in whole]
    return Assembled(
        system,
        prefetch(
            personal,
            _structured(own, config, warnings),
            recalled,
            owner=owner,
            limit=_PREFETCH_MAX_CHARS,
        ),
        tuple(warnings),
    )


def _structured(sources: Sequence[Source], config: FilesConfig, warnings: list[str]) -> Block:
    entries: list[tuple[str, StructuredEntry]] = []
    for source in sources:
        for kind in TITLES:
            text = _text(source, f"structured/{kind}.md", warnings)
            if text:
                from mnemofs.markdown.entries import parse_structured

                entries += ((kind, entry) for entry in parse_structured(text.encode()))
    return structured_block(
        entries, limit=config.structured_max_chars, per_type=config.structured_max_entries
    )


def _text(source: Source, path: str, warnings: list[str]) -> str:
    label = _label(source, path)
    try:
        content = source.read(path)
        text = content.decode("utf-8-sig") if content else ""
    except UnicodeDecodeError:
        warnings.append(f"{label} is not UTF-8 text and was left out")
        return ""
    except MnemofsError as error:
        warnings.append(f"{label} was left out: {error.message}")
        return ""
    if "<<<<<<<" in text:
        from mnemofs.markdown.markers import marker_line

        line = marker_line(text.encode())
        if line is not None:  # SYN-07
            warnings.append(f"{label} was left out: it holds conflict markers from line {line} on")
            return ""
    return text


def _ceiling(name: str, config: FilesConfig) -> int:
    return {"PROFILE.md": config.profile_max_chars, "MEMORY.md": config.memory_max_chars}.get(
        name, 0
    )


def _label(source: Source, path: str) -> str:
    return path if source.scope == "TEAM" else f"{source.scope}/{path}"
