"""log, diff and blame on the command line: what a person reads."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from mnemofs.store.model import Change, Edit
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Lines from a person, a dream and a page of the web."""
    desk.tick(days=1)
    before = desk.store.read("MEMORY.md")
    dreamt = desk.text() + "- dreamt of tea\n"
    edit = Edit("MEMORY.md", before.blob, dreamt.encode())
    desk.store.commit(Change((edit,), "dream", "dream: 1 entry promoted", source="d1"))
    desk.tick(days=1)
    before = desk.store.read("MEMORY.md")
    edit = Edit("MEMORY.md", before.blob, (dreamt + "- read somewhere\n").encode())
    change = Change((edit,), "import", "import: 1 page", "https://x.invalid", trust="web")
    desk.store.commit(change)
    return desk


def test_blame_names_actor_and_source_and_marks_the_web(busy: Desk, cli: Cli) -> None:
    lines = cli("blame", "MEMORY.md").out.splitlines()
    (web,) = [line for line in lines if "read somewhere" in line]
    assert "web: import https" in web
    (dream,) = [line for line in lines if "dreamt of tea" in line]
    assert "dream d1" in dream
    assert "agent" not in dream
    row = next(
        row for row in cli("blame", "MEMORY.md", "--json").json if row["text"] == "- read somewhere"
    )
    assert (row["actor"], row["trust"], row["source"]) == ("import", "web", "https://x.invalid")


@pytest.mark.parametrize(
    ("options", "reasons"),
    [
        (("--actor", "dream"), ["dream: 1 entry promoted"]),
        (("--since", "2026-05-03"), ["import: 1 page"]),
        (("--since", "2026-05-02", "--until", "2026-05-02"), ["dream: 1 entry promoted"]),
        (("--path", "MEMORY.md", "-n", "1"), ["import: 1 page"]),
        (("-p", "nothing.md"), []),
        (("MEMORY.md", "--actor", "import"), ["import: 1 page"]),
        (("--actor", "nobody"), []),
    ],
)
def test_log_is_narrowed(
    busy: Desk, cli: Cli, options: tuple[str, ...], reasons: list[str]
) -> None:
    assert [row["reason"] for row in cli("log", *options, "--json").json] == reasons


def test_log_of_a_person_is_theirs(busy: Desk, cli: Cli) -> None:
    busy.ws.for_owner("user:42").remember("mine")
    assert "remember: 1 memory" in cli("log", "--owner", "user:42").out
    assert "dream" not in cli("log", "--owner", "user:42").out
    assert "remember" not in cli("log").out


def test_log_marks_the_web_and_places_that_kept_both(busy: Desk, cli: Cli) -> None:
    base = busy.store.read("MEMORY.md").blob or ""
    busy.put(busy.text().replace("Fridays", "Mondays"))
    busy.late(BASE.replace("Fridays", "Sundays") + "- dreamt of tea\n- read somewhere\n", base)
    shown = cli("log").out
    assert "(web)" in shown
    assert "1 place kept both texts" in shown
    assert cli("log", "-n", "1", "--json").json[0]["conflicts"] == ["MEMORY.md#Memory > Facts"]


def test_a_file_named_twice_is_a_wrong_use(busy: Desk, cli: Cli) -> None:
    assert cli("log", "MEMORY.md", "--path", "PROFILE.md").code == 2


def test_diff_is_by_section_with_words_at_a_terminal_and_a_patch_in_a_pipe(
    busy: Desk, cli: Cli
) -> None:
    busy.put(busy.text().replace("Fridays", "Mondays"))
    shown = cli("diff", "HEAD", colour=True).out
    assert "Memory › Facts" in shown
    assert "\x1b[1;32mMondays\x1b[0m" in shown
    patch = cli("diff", "HEAD").out
    assert "--- a/MEMORY.md" in patch
    (file,) = cli("diff", "HEAD", "--json").json
    hunk = file["hunks"][0]
    assert hunk["heading"] == ["Memory", "Facts"]
    marked = [line["text"][a:b] for line in hunk["lines"] for a, b in line["spans"]]
    assert marked == ["Fridays", "Mondays"]


def test_diff_of_two_days(busy: Desk, cli: Cli) -> None:
    (file,) = cli("diff", "2026-05-01", "2026-05-02", "--json").json
    assert (file["added"], file["removed"]) == (1, 0)


def test_no_colour_when_it_is_not_wanted(
    busy: Desk, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in cli("log", colour=True).out
    assert os.environ["NO_COLOR"]
