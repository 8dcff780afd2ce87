"""The files and structured entries of the stores, each read once for a prompt."""

from __future__ import annotations

from mnemofs.context.given import Given, Source
from mnemofs.context.prompt import Block, MemoryFile, structured_block
from mnemofs.errors import MnemofsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemofs.context.relevant import Scored
    from mnemofs.markdown.structured_text import StructuredText
    from mnemofs.sections import FilesConfig


class Files:
    """Reads files as text; `warnings` says what could not be read."""

    def __init__(self, config: FilesConfig) -> None:
        self.warnings: list[str] = []
        self.structured_limit = config.structured_max_chars
        self.structured_entries = config.structured_max_entries
        self._ceilings = {
            "PROFILE.md": config.profile_max_chars,
            "MEMORY.md": config.memory_max_chars,
        }
        self._named: dict[str, tuple[str, str, bytes]] = {}

    def memory_file(self, source: Source, path: str, owner: str = "") -> MemoryFile | None:
        """A file for the prompt; None when there is nothing to show. owner: whose, in its name."""
        found = self.text(source, path)
        if found is None:
            return None
        name = f"{path} of {owner}" if owner else _label(source, path)
        self._named[name] = (source.scope, path, found[0])
        return MemoryFile(name, found[1], self._ceilings.get(path, 0))

    def text(self, source: Source, path: str) -> tuple[bytes, str] | None:
        """The bytes and the text of a file; None when it is missing, empty or not to be shown."""
        label = _label(source, path)
        try:
            content = source.read(path)
            text = content.decode("utf-8-sig") if content else ""
            if content and "\0" in text:
                from mnemofs.markdown.lines import decode

                decode(content)  # TXT-02: it may be UTF-16
        except UnicodeDecodeError:
            self.warnings.append(f"{label} is not UTF-8 text and was left out")
            return None
        except MnemofsError as error:
            self.warnings.append(f"{label} was left out: {error.message}")
            return None
        if not content or not text.strip():
            return None
        if "<<<<<<<" in text:
            from mnemofs.markdown.markers import marker_line

            line = marker_line(content)
            if line is not None:  # SYN-07
                self.warnings.append(
                    f"{label} was left out: it holds conflict markers from line {line} on"
                )
                return None
        return content, text

    def place(self, name: str) -> tuple[str, str]:
        """Store and path of a file by the name that it has in the prompt."""
        scope, path, _ = self._named[name]
        return scope, path

    def given(self, block: Block) -> Iterator[Given]:
        """The files that a block shows."""
        for whole in block.whole:
            scope, path, content = self._named[whole.name]
            yield Given(scope, path, "always-on", content=content, limit=whole.limit)


class Entries:
    """The structured entries of some types, of all stores given, in their order."""

    def __init__(self, files: Files, sources: Sequence[Source], types: Iterable[str]) -> None:
        self._files = files
        self.pairs: list[tuple[str, StructuredText]] = []
        self._sources: list[Source] = []
        self._contents: dict[tuple[str, str], bytes] = {}
        for source in sources:
            for kind in types:
                found = files.text(source, path := f"structured/{kind}.md")
                if found is None:
                    continue
                from mnemofs.markdown.structured_text import structured_texts

                self._contents[source.scope, path] = found[0]
                for entry in structured_texts(found[1]):
                    self.pairs.append((kind, entry))
                    self._sources.append(source)

    def always_on(self) -> Block:
        """All of them within the budget of the always-on block."""
        return structured_block(
            self.pairs,
            limit=self._files.structured_limit,
            per_type=self._files.structured_entries,
        )

    def places(self, keys: Iterable[int]) -> Iterator[tuple[str, str, str]]:
        """(scope, path, key) of entries by their index."""
        for index in keys:
            kind, entry = self.pairs[index]
            yield self._sources[index].scope, f"structured/{kind}.md", entry.key

    def given(self, keys: Sequence[int]) -> Iterator[Given]:
        """The files that an always-on block shows, less what it leaves out."""
        shown = set(self.places(keys))
        everything = list(self.places(range(len(self.pairs))))
        for (scope, path), content in self._contents.items():
            present = [one for one in everything if one[:2] == (scope, path)]
            without = tuple(one[2] for one in present if one not in shown)
            if len(without) < len(present):
                yield Given(scope, path, "always-on", content=content, without=without)

    def scored(self, chosen: Sequence[Scored], keys: Sequence[int]) -> Iterator[Given]:
        """The entries that were chosen for a question and are shown."""
        for one in chosen:
            if one.index in keys:
                kind, entry = self.pairs[one.index]
                yield Given(
                    self._sources[one.index].scope,
                    f"structured/{kind}.md",
                    "structured",
                    heading=entry.key,
                    text=entry.content,
                    score=float(one.score),
                    parts=one.parts,
                )


def _label(source: Source, path: str) -> str:
    return path if source.scope == "TEAM" else f"{source.scope}/{path}"
