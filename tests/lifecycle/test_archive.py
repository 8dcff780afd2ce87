"""The diary's archive: old pages move, nothing is cut that does not stand elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.dreams.archive import plan_archive, with_pages, without_pages
from mnemofs.lifecycle.dreams.diary import append_page
from mnemofs.llm.engine import Dream
from tests.lifecycle.conftest import Memory, Scripted

Make = Callable[..., Memory]
TODAY = date(2026, 5, 10)
TENTH = datetime(2026, 5, 10, 3, tzinfo=UTC)
MEMORY = "# Memory\n\n- Release day is Friday\n"


def page(day: date | str, text: str = "Read 1 note.", hour: int = 3) -> str:
    head = f"## {day} {hour:02}:00 Dream\n<!-- mnemofs:dream x -->"
    return f"{head}\n\n{text}\n\n<!-- /mnemofs:dream -->"


def diary(*pages: str) -> str:
    data: bytes | None = None
    for one in pages:
        data = append_page(data, one + "\n")
    return (data or b"").decode()


def days(*back: int) -> list[date]:
    return [TODAY - timedelta(days=number) for number in back]


def test_pages_older_than_the_days_to_keep_go_to_their_month() -> None:
    old = [page(day, f"about {day}") for day in days(70, 41, 31)]
    new = [page(day, f"about {day}") for day in days(30, 1, 0)]
    text = diary(*old, *new)
    archive = plan_archive(text, TODAY, 30, 0)
    assert [(path, len(texts)) for path, texts in archive.moves] == [
        ("memory/dreams/2026-03.md", 2),
        ("memory/dreams/2026-04.md", 1),
    ]
    assert archive.pages == tuple(old)
    left = without_pages(text.encode(), archive.pages)
    assert left is not None and left.decode() == diary(*new)
    for path, texts in archive.moves:
        assert re.fullmatch(r"memory/dreams/2026-0[34]\.md", path)
        month = with_pages(None, path, texts)
        assert month.startswith(b"# Dreams of 2026-0")
        assert with_pages(month, path, texts) == month


def test_a_diary_that_is_too_long_is_archived_from_its_oldest_page() -> None:
    written = [page(day, "x" * 900) for day in days(20, 15, 9, 4, 2, 0)]
    text = diary(*written)
    archive = plan_archive(text, TODAY, 30, 4000)
    assert archive.pages == tuple(written[: len(archive.pages)])
    left = without_pages(text.encode(), archive.pages) or b""
    assert 0 < len(left) <= 3200
    assert written[-1] in left.decode()
    assert plan_archive(left.decode(), TODAY, 30, 4000).pages == ()


def test_the_newest_page_stays_however_long_and_old_it_is() -> None:
    text = diary(page(days(300)[0]), page(days(200)[0], "x" * 5000))
    assert len(plan_archive(text, TODAY, 30, 100).pages) == 1


@pytest.mark.parametrize(
    "kept",
    [
        "## Yesterday, Dream\n\nby hand",
        "## 2026-13-01 03:00 Dream\n\nno such day",
        "## 2025-02-30 03:00 Dream\n\nno such day",
        "## 2025-02-20 Dream\n\nno time",
        "# Notes on dreams\n\n2025-01-01",
        "## 2025-01-01 03:00 Dream\n\nmine\n\n<!-- user-edited: 2026-05-01 -->",
        "```\n## 2025-01-01 03:00 Dream\n```",
    ],
)
def test_what_has_no_real_date_or_is_a_persons_stays(kept: str) -> None:
    text = diary(kept, page(days(90)[0]), page(TODAY))
    archive = plan_archive(text, TODAY, 30, 0)
    left = (without_pages(text.encode(), archive.pages) or b"").decode()
    assert kept in left
    assert page(days(90)[0]) not in left


def test_nothing_moves_without_limits_or_pages() -> None:
    text = diary(page(days(400)[0]), page(TODAY))
    assert plan_archive(text, TODAY, 0, 0).pages == ()
    assert plan_archive("", TODAY, 30, 10).pages == ()
    assert plan_archive("# Dreams\n\nonly words\n" * 50, TODAY, 30, 10).pages == ()


def test_a_page_changed_meanwhile_stays_where_it_is() -> None:
    text = diary(page(days(90)[0]), page(TODAY))
    moved = plan_archive(text, TODAY, 30, 0).pages
    edited = text.replace("Read 1 note.", "Read 1 note, and I remember it.", 1)
    assert without_pages(edited.encode(), moved) == edited.encode()


@given(
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 400)), max_size=12),
    st.integers(0, 60),
    st.integers(0, 3000),
    st.sampled_from(["\n", "\r\n"]),
)
def test_no_page_is_ever_lost(
    rows: list[tuple[int, int]], keep: int, most: int, ending: str
) -> None:
    written = [
        page(TODAY - timedelta(days=back), f"page {number} " + "y" * size)
        for number, (back, size) in enumerate(rows)
    ]
    data = diary(*written).replace("\n", ending).encode()
    archive = plan_archive(data.decode().replace("\r\n", "\n"), TODAY, keep, most)
    left = without_pages(data, archive.pages) or b""
    files = [with_pages(None, path, texts) for path, texts in archive.moves]
    everything = b"".join([left, *files]).decode().replace("\r\n", "\n")
    for one in written:
        assert everything.count(one) == 1
    if ending == "\r\n" and left:
        assert b"\n" not in left.replace(b"\r\n", b"")


def old_diary(ws: Memory, back: int = 100, every: int = 10) -> list[str]:
    """A diary of a hundred days, written by hand as far as the store knows."""
    written = [
        page(ws.now.date() - timedelta(days=number), f"night {number}")
        for number in range(back, 0, -every)
    ]
    ws.write("DREAMS.md", diary(*written))
    return written


def dreamt(ws: Memory, text: str = "- Tea at four\n") -> object:
    return ws.dream(Scripted([Dream(True, "r", MEMORY + text)]))


def test_W_26_a_dream_archives_in_its_own_commit_and_undo_takes_all_of_it_back(
    memory: Make,
) -> None:
    ws = memory({"MEMORY.md": MEMORY, "memory/2026-05-09.md": "- tea at four\n"}, now=TENTH)
    written = old_diary(ws)
    before = {path: ws.read(path) for path in ("MEMORY.md", "DREAMS.md")}
    commits = ws.commits
    report = ws.dream(Scripted([Dream(True, "r", MEMORY + "- Tea at four\n")]))
    assert report.status == "updated"
    assert ws.commits == commits + 1
    assert report.archived == 7
    changed = ws.changed()
    months = [path for path in changed if path.startswith("memory/dreams/")]
    assert months == [f"memory/dreams/2026-0{month}.md" for month in (1, 2, 3, 4)][: len(months)]
    assert len(months) >= 3
    kept = ws.read("DREAMS.md") + "".join(ws.read(path) for path in months)
    for one in written:
        assert kept.count(one) == 1
    ws.git("-c", "user.name=a", "-c", "user.email=a@b", "revert", "--no-edit", "HEAD")
    assert {path: ws.read(path) for path in before} == before
    assert not (ws.root / "memory/dreams").exists()
    assert "ledger" not in ws.git("ls-files") or '"dream"' not in ws.read("ledger/2026-05.jsonl")


def test_DAY_08_archives_are_no_notes_and_a_second_dream_moves_nothing_twice(
    memory: Make,
) -> None:
    ws = memory({"MEMORY.md": MEMORY, "memory/2026-05-09.md": "- tea at four\n"}, now=TENTH)
    old_diary(ws)
    dreamt(ws)
    archived = {
        path.name: path.read_text() for path in sorted((ws.root / "memory/dreams").glob("*.md"))
    }
    ws.now += timedelta(hours=1)
    ws.write("memory/2026-05-10.md", "- more tea\n")
    engine = Scripted([Dream(True, "r", MEMORY + "- Tea at four\n- More tea\n")])
    assert ws.dream(engine).status == "updated"
    assert [path for path, _ in engine.requests[0].notes] == [
        "memory/2026-05-10.md", "memory/2026-05-09.md",
    ]  # fmt: skip
    assert {
        path.name: path.read_text() for path in sorted((ws.root / "memory/dreams").glob("*.md"))
    } == archived


def test_with_the_archive_off_nothing_is_moved_or_cut(memory: Make) -> None:
    ws = memory(
        {"MEMORY.md": MEMORY, "memory/2026-05-09.md": "- tea at four\n"},
        now=TENTH,
        dreams={"archive_enabled": False, "diary_max_chars": 200},
    )
    written = old_diary(ws)
    dreamt(ws)
    assert all(one in ws.read("DREAMS.md") for one in written)


def test_SEC_02_an_archive_folder_that_is_a_link_takes_nothing(
    memory: Make, tmp_path: Path
) -> None:
    ws = memory({"MEMORY.md": MEMORY, "memory/2026-05-09.md": "- tea at four\n"}, now=TENTH)
    written = old_diary(ws)
    (tmp_path / "outside").mkdir()
    (ws.root / "memory/dreams").symlink_to(tmp_path / "outside")
    report = ws.dream(Scripted([Dream(True, "r", MEMORY + "- Tea at four\n")]))
    assert report.status == "updated"
    assert any("pages stay in DREAMS.md" in warning for warning in report.warnings)
    assert all(one in ws.read("DREAMS.md") for one in written)
    assert list((tmp_path / "outside").iterdir()) == []


def test_CON_02_a_diary_edited_during_a_dream_keeps_the_edit(memory: Make) -> None:
    ws = memory({"MEMORY.md": MEMORY, "memory/2026-05-09.md": "- tea at four\n"}, now=TENTH)
    old_diary(ws)

    def by_hand() -> None:
        file = ws.root / "DREAMS.md"
        file.write_text(file.read_text().replace("night 10\n", "night 10, what a night\n"))

    ws.dream(Scripted([Dream(True, "r", MEMORY + "- Tea at four\n")], before=by_hand))
    kept = "".join(
        path.read_text()
        for path in [ws.root / "DREAMS.md", *(ws.root / "memory/dreams").glob("*.md")]
    )
    assert kept.count("what a night") == 1
    assert kept.count("night 90") == 1
