"""Questions that say when, through `search`: small and large stores, with and without arrays."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mnemofs.index.search import ScopedIndex, SearchResult, search
from mnemofs.index.sidecar import Index
from mnemofs.index.words import posting_build

TODAY = date(2026, 12, 1)
VISITS = ["the plumber fixed the boiler", "lunch with Hanna", "水管工修好了锅炉"]


def diary(root: Path, *, days: int, filler: int) -> Index:
    for back in range(days):
        day = TODAY - timedelta(back)
        lines = [f"- {VISITS[back % 3]}", "- went for a walk"]
        lines += [f"- the plumber sent invoice {back} of {number}" for number in range(filler)]
        note = root / "memory" / f"{day}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"# {day}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    index = Index(root)
    index.refresh()
    return index


def ask(index: Index, question: str, limit: int = 5, offset: int = 0) -> SearchResult:
    return search(
        [ScopedIndex(index)],
        question,
        limit=limit,
        offset=offset,
        mode="lexical",
        today=lambda: TODAY,
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return diary(tmp_path_factory.mktemp("small"), days=60, filler=0)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return diary(tmp_path_factory.mktemp("large"), days=60, filler=40)


@pytest.fixture(scope="module")
def arrays(tmp_path_factory: pytest.TempPathFactory) -> Index:
    index = diary(tmp_path_factory.mktemp("arrays"), days=60, filler=80)
    posting_build.tend(index)
    assert index.postings().lists(()) is not None
    return index


@pytest.mark.parametrize("store", ["small", "large", "arrays"])
@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("which boiler did the plumber fix on 28 November?", "2026-11-28"),
        ("Wann war der boiler dran, am 16.11.2026?", "2026-11-16"),
        ("11月20日水管工修了什么", "2026-11-20"),
        ("what was fixed six days ago, the boiler?", "2026-11-25"),
        ("hace 3 días the plumber", "2026-11-28"),
    ],
)
def test_the_day_that_was_asked_for_comes_first(
    store: str, question: str, day: str, request: pytest.FixtureRequest
) -> None:
    result = ask(request.getfixturevalue(store), question)
    assert result.hits[0].date == day
    assert result.warnings == ()


@pytest.mark.parametrize("store", ["small", "large", "arrays"])
def test_of_that_week_what_was_asked_for_comes_first(
    store: str, request: pytest.FixtureRequest
) -> None:
    """In a large store a thousand lines say "plumber", and none of those best by words alone need
    be of that week."""
    hits = ask(request.getfixturevalue(store), "plumber boiler last week").hits
    assert "the plumber fixed the boiler" in hits[0].text
    assert "2026-11-23" <= hits[0].date <= "2026-11-29"
    assert "2026-11-23" <= hits[1].date <= "2026-11-29"


@pytest.mark.parametrize("store", ["small", "large", "arrays"])
@pytest.mark.parametrize("question", ["昨天", "what did we do yesterday?", "gestern"])
def test_a_day_alone_is_a_question(
    store: str, question: str, request: pytest.FixtureRequest
) -> None:
    hits = ask(request.getfixturevalue(store), question).hits
    assert hits
    assert {hit.date for hit in hits} == {"2026-11-30"}


@pytest.mark.parametrize("store", ["small", "large", "arrays"])
@pytest.mark.parametrize("question", ["what did I do on 28 November?", "Was war am 28. November?"])
def test_words_that_only_ask_do_not_count_beside_a_day(
    store: str, question: str, request: pytest.FixtureRequest
) -> None:
    index = request.getfixturevalue(store)
    assert {hit.date for hit in ask(index, question).hits} == {"2026-11-28"}


def test_who_names_a_day_means_it(tmp_path: Path) -> None:
    """Though the one word that is left stands, as rare as the day, in a memory without a day."""
    (tmp_path / "memory").mkdir()
    for day in range(1, 30):
        note = tmp_path / "memory" / f"2026-04-{day:02}.md"
        note.write_text(f"# 2026-04-{day:02}\n\n- Dentist moved appointment {day}\n")
    (tmp_path / "MEMORY.md").write_text("- Releases happen after the stand-up\n")
    index = Index(tmp_path)
    assert ask(index, "what happened on 14 April 2026").hits[0].date == "2026-04-14"


def test_a_time_of_which_there_is_nothing_is_said_and_does_not_hide_the_rest(small: Index) -> None:
    result = ask(small, "the boiler last year")
    assert "boiler" in result.hits[0].text
    assert result.warnings == ("found nothing dated 2025-01-01 to 2025-12-31",)
    assert ask(small, "the boiler two years ago").warnings == (
        "found nothing dated 2024-01-01 to 2024-12-31",
    )


def test_a_later_page_does_not_deny_what_the_first_one_showed(small: Index) -> None:
    whole = ask(small, "the boiler six days ago", limit=30)
    assert whole.hits[0].date == "2026-11-25"
    later = ask(small, "the boiler six days ago", limit=5, offset=5)
    assert later.hits == whole.hits[5:10]
    assert later.warnings == whole.warnings == ()
    assert ask(small, "yesterday", limit=0).warnings == ("limit is 0",)


def test_nowadays_is_no_day_that_could_be_missing(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- The team chats on Mattermost\n")
    index = Index(tmp_path)
    result = ask(index, "where does the team chat today?")
    assert len(result.hits) == 1
    assert result.warnings == ()


def test_a_quoted_day_is_words_and_quoted_words_still_bind(small: Index) -> None:
    assert not ask(small, '"yesterday"').hits
    hits = ask(small, '"fixed the boiler" in November').hits
    assert hits
    assert all("fixed the boiler" in hit.text for hit in hits)
    assert hits[0].date.startswith("2026-11")


def test_what_most_of_the_store_is_of_tells_nothing(small: Index) -> None:
    with_year = ask(small, "boiler this year").hits
    assert [hit.date for hit in with_year] == [hit.date for hit in ask(small, "boiler").hits]


def test_without_a_day_of_asking_yesterday_is_a_word(small: Index) -> None:
    hits = search([ScopedIndex(small)], "yesterday", mode="lexical").hits
    assert not hits


def test_pages_of_a_timed_question_do_not_repeat(large: Index) -> None:
    whole = ask(large, "plumber in November", limit=60).hits
    pages = [
        hit for at in range(0, 60, 20) for hit in ask(large, "plumber in November", 20, at).hits
    ]
    assert pages == list(whole)
    assert len({(hit.path, hit.line_start) for hit in pages}) == 60
