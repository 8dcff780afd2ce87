"""Stores in a folder of their own, with an embedder that is quick and counts what it is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemofs.index.search import Mode, ScopedIndex, SearchResult, search
from mnemofs.index.sidecar import Index


class WordEmbedder:
    """Texts that share words are alike: a random direction a word, summed."""

    floor = 0.0
    ceiling = 0.9

    def __init__(self, name: str = "words", dims: int = 64) -> None:
        self.id = name
        self.dims = dims
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        self.seen += texts
        rows = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                seed = int.from_bytes(hashlib.sha1(word.encode()).digest()[:4], "big")
                row += np.random.default_rng(seed).standard_normal(self.dims).astype(np.float32)
        return rows


Store = Callable[..., Index]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Makes a store of the given files: store({"a.md": "text"}, embedder=None, name="ws")."""
    made: list[Index] = []

    def make(
        files: Mapping[str, str | bytes],
        *,
        embedder: WordEmbedder | None = None,
        name: str = "ws",
        refreshed: bool = True,
    ) -> Index:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        write(root, files)
        index = Index(root, embedder=embedder)
        made.append(index)
        if refreshed:
            index.refresh()
            index.embed_pending()
        return index

    yield make
    for index in made:
        index.close()


def home(index: Index) -> Path:
    """The folder of a store."""
    return Path(index.root)


def write(root: Path | str, files: Mapping[str, str | bytes]) -> None:
    """Writes files below `root`, as an editor would."""
    for path, text in files.items():
        file = Path(root) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def ask(index: Index, query: str, *, mode: Mode = "lexical", limit: int = 10) -> SearchResult:
    """A search in one store."""
    return search([ScopedIndex(index)], query, mode=mode, limit=limit)


def found(index: Index, query: str, *, mode: Mode = "lexical", limit: int = 10) -> list[str]:
    """The texts of a search's hits."""
    return [hit.text for hit in ask(index, query, mode=mode, limit=limit).hits]
