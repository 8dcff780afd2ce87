"""The memory of an earlier time: what it held is found, what it did not hold never is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs import Workspace
from mnemofs.clock import Clock, load_zone
from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.index import asof
from mnemofs.scopes import Embedders
from tests.index.conftest import WordEmbedder
from tests.review.conftest import BASE, Desk, Outcome

Cli = Callable[..., Outcome]
MAY_1, MAY_2, MAY_3 = "2026-05-01", "2026-05-02", "2026-05-03"


@pytest.fixture
def past(desk: Desk) -> Desk:
    """Three days: Fridays on the first, Mondays on the second, a new file on the third."""
    desk.tick(days=1)
    desk.put(BASE.replace("Fridays", "Mondays"))
    desk.put("# Pets\n\n- The hamster is called Bo\n", "memories/pets.md")
    desk.tick(days=1)
    desk.ws.rm("memories/pets.md")
    desk.put("# New\n\n- Quokka arrived\n", "memories/new.md")
    desk.tick(days=1)
    return desk


def texts(desk: Desk, when: str, query: str) -> list[str]:
    """The hits' texts at a time."""
    return [hit.text for hit in desk.ws.at(when).search(query, mode="lexical").hits]


def test_search_finds_what_stood_then(past: Desk, cli: Cli) -> None:
    assert texts(past, MAY_1, "deploys") == ["- Deploys happen on Fridays"]
    assert texts(past, MAY_2, "deploys") == ["- Deploys happen on Mondays"]
    assert texts(past, MAY_2, "hamster") == ["- The hamster is called Bo"]
    assert texts(past, MAY_1, "hamster") == []
    assert texts(past, MAY_3, "hamster") == []
    (hit,) = cli("search", "--at", MAY_2, "--lexical", "--json", "hamster").json["hits"]
    assert hit["path"] == "memories/pets.md"
    assert (
        hit["revision"]
        == past.git("rev-list", "-1", "--before=2026-05-02T23:59:59Z", "HEAD").strip()
    )
    assert "revision" not in cli("search", "--lexical", "--json", "quokka").json["hits"][0]


def test_ls_cat_and_context_are_of_that_time(past: Desk, cli: Cli) -> None:
    assert "memories/pets.md" in cli("ls", "--at", MAY_2).out
    assert "memories/pets.md" not in cli("ls", "--at", MAY_1).out
    assert "memories/new.md" not in cli("ls", "--at", MAY_2).out
    sizes = {row["path"]: row["size"] for row in cli("ls", "--at", MAY_1, "--json").json}
    assert sizes["MEMORY.md"] == len(BASE)
    assert "Fridays" in cli("cat", "MEMORY.md", "--at", MAY_1).out
    assert "Fridays" in cli("context", "--at", MAY_1).out
    assert "Mondays" not in cli("context", "--at", MAY_1).out
    told = past.ws.at(MAY_2).context(query="what is the hamster called")
    assert "Bo" in told.prefetch
    assert "Quokka" not in past.ws.at(MAY_2).context(query="quokka").prefetch


@pytest.mark.parametrize("when", ["HEAD", "HEAD~1", "HEAD~3", MAY_2, "2026-05-02 12:30", "main"])
def test_a_revision_may_be_named_in_any_way(past: Desk, when: str) -> None:
    view = past.ws.at(when)
    commit = past.store.resolve(when)
    assert view.revisions == {"TEAM": commit}
    listed = past.git("ls-tree", "-r", "--name-only", commit).split()
    assert [entry.path for entry in view.ls()] == sorted(p for p in listed if p.endswith(".md"))


def test_short_ids_are_revisions(past: Desk) -> None:
    commit = past.git("rev-parse", "HEAD~2").strip()
    assert past.ws.at(commit[:9]).revisions["TEAM"] == commit


def test_log_blame_and_diff_end_at_that_time(past: Desk) -> None:
    view = past.ws.at(MAY_1)
    assert [info.id for info in view.log()] == past.git("rev-list", view.revisions["TEAM"]).split()
    lines = {line.text: line.commit for line in view.blame("MEMORY.md")}
    assert "- Deploys happen on Fridays" in lines
    assert [file.path for file in view.diff()] == ["MEMORY.md"]


def test_the_history_table_of_the_present_is_left_alone(past: Desk) -> None:
    from mnemofs.index.timelines.timeline import Timeline

    past.ws.log()
    past.ws.at(MAY_1).log()
    past.ws.at(MAY_1).blame("MEMORY.md")
    with Timeline(past.store) as timeline:
        assert timeline.refresh(budget=0)
    assert len(past.ws.log()) == past.commits


@pytest.mark.parametrize(
    "change",
    [
        lambda view: view.remember("x"),
        lambda view: view.note("x"),
        lambda view: view.write("a.md", b"x"),
        lambda view: view.edit("MEMORY.md", "a", "b"),
        lambda view: view.rm("MEMORY.md"),
        lambda view: view.restore("MEMORY.md"),
        lambda view: view.undo(),
        lambda view: view.forget("x"),
        lambda view: view.dream(),
        lambda view: view.extract([]),
        lambda view: view.sync(),
        lambda view: view.decide("x", "ours"),
        lambda view: view._scopes[0].store.commit(None),
        lambda view: view._scopes[0].store.fold(),
        lambda view: view._scopes[0].store.maintain(),
    ],
)
def test_the_past_cannot_be_changed(past: Desk, change: Callable[[object], object]) -> None:
    before = past.git("rev-parse", "HEAD")
    with pytest.raises(GuardRefused, match="which nobody can change"):
        change(past.ws.at(MAY_1))
    assert past.git("rev-parse", "HEAD") == before
    assert past.git("status", "--porcelain") == ""


def test_what_no_view_has_the_past_has_not_either(past: Desk) -> None:
    with pytest.raises(AttributeError):
        past.ws.at(MAY_1).no_such_method()
    assert not hasattr(past.ws.at(MAY_1), "_nothing")


@pytest.mark.parametrize("when", ["1999-01-01", "2026-04-30", "nothing", "HEAD~99", "deadbeef"])
def test_a_time_without_memory_is_not_found(past: Desk, cli: Cli, when: str) -> None:
    with pytest.raises(NotFound):
        past.ws.at(when)
    assert cli("search", "--at", when, "x").code == 1


@pytest.mark.parametrize("when", ["2026-02-30", "2026-05-01 25:00", "2026-13-01"])
def test_an_impossible_date_is_a_wrong_use(past: Desk, cli: Cli, when: str) -> None:
    with pytest.raises(UsageError):
        past.ws.at(when)
    assert cli("ls", "--at", when).code == 2


@pytest.mark.parametrize(
    ("zone", "when", "stands"),
    [
        ("UTC", MAY_1, "before"),
        ("Asia/Tokyo", MAY_1, "before"),  # 15:30 UTC is the next day there
        ("America/Los_Angeles", MAY_1, "after"),
        ("UTC", "2026-05-02", "after"),
        ("Asia/Tokyo", "2026-05-02", "after"),
    ],
)
def test_a_day_ends_where_the_workspace_is(
    tmp_path: Path, zone: str, when: str, stands: str
) -> None:
    now = [datetime(2026, 5, 1, 10, tzinfo=UTC)]
    clock = Clock(load_zone(zone), lambda: now[0])
    with Workspace.init(tmp_path / "w", agent="a", timezone=zone, clock=clock) as ws:
        ws.write("MEMORY.md", b"- before\n")
        now[0] = datetime(2026, 5, 2, 6, 30, tzinfo=UTC)  # still the first in Los Angeles
        if zone != "America/Los_Angeles":
            now[0] = datetime(2026, 5, 1, 15, 30, tzinfo=UTC)
            if zone == "UTC":
                now[0] = datetime(2026, 5, 2, 0, 30, tzinfo=UTC)
        ws.write("MEMORY.md", b"- after\n")
        assert ws.at(when).read("MEMORY.md").content == f"- {stands}\n".encode()


def test_every_store_is_taken_at_the_same_instant(past: Desk, make: Callable[..., Desk]) -> None:
    view = past.ws.for_owner("user:42")
    view.remember("My hamster is Bo", kind="user", key="pet")
    past.tick(days=1)
    view.remember("My hamster is Li", kind="user", key="pet")
    past.put(BASE.replace("Fridays", "Sundays"))
    early = view.at("2026-05-04 23:00")
    assert set(early.revisions) == {"PERSONAL", "TEAM"}
    assert "Bo" in early.context().prefetch
    assert "Li" not in early.context().prefetch
    assert "Mondays" in early.context().system
    # A person who was not known yet has nothing there; a revision is one of their own store.
    assert set(view.at(MAY_2).revisions) == {"TEAM"}
    named = view.at("HEAD~1")
    assert "Bo" in named.context().prefetch
    assert "Mondays" in named.context().system
    assert "user:42" not in str(past.ws.at("2026-05-04").search("hamster", mode="lexical").hits)


def test_an_edit_that_is_in_no_commit_yet_belongs_to_the_present(past: Desk) -> None:
    (past.root / "MEMORY.md").write_text("# Memory\n\n- Zebra crossing\n")
    assert texts(past, "2026-05-09", "zebra") == ["- Zebra crossing"]
    assert texts(past, MAY_2, "zebra") == []


def test_a_revision_is_indexed_once_and_few_are_kept(
    past: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    build = asof.PastIndex._build_aside
    monkeypatch.setattr(
        asof.PastIndex,
        "_build_aside",
        lambda self, progress: (made.append(self._path), build(self, progress))[1],
    )
    for _ in range(3):
        with Workspace.open(past.root, clock=past.ws.clock) as ws:
            assert ws.at(MAY_2).search("hamster", mode="lexical").hits
    assert len(made) == 1
    for number in range(asof.KEPT + 3):
        past.put(f"# {number}\n")
        past.ws.at("HEAD").search("anything at all", mode="lexical")
    folder = past.root / ".mnemofs" / "asof"
    assert len(list(folder.glob("*.db"))) == asof.KEPT
    assert not list(folder.glob("*.tmp*"))


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\0" + b"\1" * 4096])
def test_a_damaged_index_of_a_revision_is_made_again(past: Desk, damage: bytes) -> None:
    texts(past, MAY_2, "hamster")
    past.ws.close()
    (file,) = (past.root / ".mnemofs" / "asof").glob("*.db")
    file.write_bytes(damage)
    with Workspace.open(past.root, clock=past.ws.clock) as ws:
        assert ws.at(MAY_2).search("hamster", mode="lexical").hits


def test_the_folder_may_be_thrown_away_while_in_use(past: Desk) -> None:
    view = past.ws.at(MAY_2)
    assert view.search("hamster", mode="lexical").hits
    shutil.rmtree(past.root / ".mnemofs" / "asof")
    assert view.search("hamster", mode="lexical").hits


def test_a_place_that_cannot_be_written_is_done_without(past: Desk) -> None:
    folder = past.root / ".mnemofs" / "asof"
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("a file where the folder should be")
    assert texts(past, MAY_2, "hamster") == ["- The hamster is called Bo"]


def test_no_text_is_embedded_twice(past: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = WordEmbedder()
    monkeypatch.setattr(Embedders, "get", lambda self: embedder)
    past.ws.search("hamster", mode="hybrid")
    past.ws._scopes[0].index.embed_pending()
    for when in (MAY_1, MAY_2, MAY_3, "HEAD~2", MAY_2):
        past.ws.at(when).search("hamster tea", mode="hybrid")
    for file in (past.root / ".mnemofs" / "asof").glob("*.db*"):
        file.unlink()
    with Workspace.open(past.root, clock=past.ws.clock) as ws:
        found = ws.at(MAY_2).search("what is the hamster called", mode="hybrid")
        assert found.mode == "hybrid"
        assert found.hits[0].text == "- The hamster is called Bo"
    asked = {"hamster", "hamster tea", "what is the hamster called"}
    embedded = [text for text in embedder.seen if text not in asked]
    assert len(embedded) == len(set(embedded))


@settings(max_examples=8, deadline=None)
@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from("abc"), st.sets(st.integers(0, 9), max_size=4)),
            min_size=1,
            max_size=2,
        ),
        min_size=2,
        max_size=5,
    ),
    st.booleans(),
)
def test_a_revision_answers_as_it_answered_when_it_was_the_present(
    tmp_path_factory: pytest.TempPathFactory, history: list[list[tuple[str, set[int]]]], warm: bool
) -> None:
    root = tmp_path_factory.mktemp("asof") / "ws"
    now = [datetime(2026, 5, 1, tzinfo=UTC)]
    clock = Clock(UTC, lambda: now[0])
    told: dict[str, dict[str, set[tuple[str, str]]]] = {}
    with Workspace.init(root, agent="a", timezone="UTC", clock=clock) as ws:
        for step, changes in enumerate(history):
            now[0] = datetime(2026, 5, 1, step + 1, tzinfo=UTC)
            for name, facts in changes:
                lines = "".join(f"- fact{number} is true in {name}\n" for number in sorted(facts))
                ws.write(f"memories/{name}.md", f"# {name}\n\n{lines}".encode())
            head = ws.status().head or ""
            told[head] = {f"fact{n}": _found(ws, f"fact{n}") for n in range(10)}
        if not warm:
            (root / ".mnemofs" / "index.db").unlink(missing_ok=True)
        for commit, answers in told.items():
            view = ws.at(commit)
            for query, expected in answers.items():
                assert _found(view, query) == expected


def _found(view: object, query: str) -> set[tuple[str, str]]:
    hits = view.search(query, mode="lexical", limit=50).hits  # type: ignore[attr-defined]
    return {(hit.path, hit.text) for hit in hits}
