"""Forgetting through the front doors: gone from every surface, with a receipt, and for good."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from mnemofs import Workspace
from mnemofs.errors import GuardRefused, NotFound, UsageError
from mnemofs.llm.engine import Dream, DreamRequest, Extraction, ExtractionRequest
from mnemofs.llm.replies import Clean, Rejected
from tests.surface.conftest import Cli

Git = Callable[..., str]
SAID = "The quokka is our mascot"


def on_disk(root: Path, word: str = "quokka") -> list[str]:
    """Files outside `.git` that hold a word, the binary index among them."""
    found = subprocess.run(
        ["grep", "-rila", "--exclude-dir=.git", word, "."],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return sorted(found.stdout.split())


def fill(ws: Workspace) -> None:
    ws.remember(SAID)
    ws.note(SAID + ".")
    ws.note("unrelated line")
    ws.remember(SAID, kind="project", key="mascot")
    ws.write("memories/mascot.md", f"---\nkey: mascot\n---\n\n{SAID}\n".encode())
    ws.write("other.md", f"It rains. {SAID}. It pours.\n".encode())


def test_OWN_06_forget_is_everywhere_at_once_and_after_a_rebuild(
    ws: Workspace, root: Path, git: Git
) -> None:
    fill(ws)
    assert ws.search("quokka", mode="lexical").hits
    before = {path: git(root, "show", f"HEAD:{path}") for path in git(root, "ls-files").split()}
    receipt = ws.forget(SAID)
    assert receipt.status == "deleted" and receipt.total == 5
    assert ws.search("quokka", mode="lexical").hits == ()
    assert on_disk(root) == []
    assert "quokka" not in ws.context(query="quokka mascot").prefetch.lower()
    shutil.rmtree(root / ".mnemofs")
    with Workspace.open(root) as again:
        assert again.search("quokka", mode="lexical").hits == ()
        assert again.search("unrelated", mode="lexical").hits
    after = {path: git(root, "show", f"HEAD:{path}") for path in git(root, "ls-files").split()}
    for path in ("AGENTS.md", "SOUL.md", "PROFILE.md", "mnemofs.toml"):
        assert after[path] == before[path]
    assert after["other.md"] == "It rains. It pours.\n"
    assert "memories/mascot.md" not in after
    gone = set(before["MEMORY.md"].split("\n")) - set(after["MEMORY.md"].split("\n"))
    assert all("quokka" in line for line in gone)
    assert git(root, "status", "--porcelain") == ""


def test_OWN_06_the_index_rows_are_gone_too(ws: Workspace, root: Path) -> None:
    ws.write("memory/2026-05-01.md", b"# Day\n\n- The quokka is our mascot\n- x\n")
    assert ws.search("quokka", mode="lexical").hits
    ws.forget(SAID)
    db = apsw.Connection(str(root / ".mnemofs" / "index.db"))
    for word, rows in (("quokka", 0), ("x", 1)):
        found = db.execute("select count(*) from fts where fts match ?", (word,)).fetchall()
        assert found == [(rows,)], word
    db.close()


def test_the_receipt_counts_and_never_quotes(ws: Workspace, root: Path, git: Git) -> None:
    fill(ws)
    ws.write("memories/quokka-food.md", b"---\nkey: quokka-food\n---\n\nThe quokka eats\n")
    receipt = ws.forget("quokka", all_mentions=True)
    text = json.dumps(receipt.as_dict()) + receipt.sentence + git(root, "log", "-1", "--format=%B")
    assert "quokka" not in text.lower()
    assert receipt.removed["bullet"] == 2 and receipt.places["MEMORY.md"] == 1
    assert git(root, "log", "-1", "--format=%(trailers:key=Mnemofs-Actor,valueonly)").strip() == (
        "forget"
    )
    assert on_disk(root) == []


def test_OWN_08_the_receipt_says_that_history_holds_it(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    ws.remember(SAID)
    said = cli("forget", SAID)
    assert said.code == 0 and "History still holds it" in said.out and "--purge" in said.out
    assert git(root, "log", "-S", "quokka", "--format=%h").split()
    shape = cli("forget", SAID, "--json").json
    assert shape["status"] == "unchanged" and shape["commit"] is None
    ws.remember("Another quokka fact")
    shape = cli("forget", "Another quokka fact", "--json").json
    assert shape["history"]["holds_it"] and "purge" in shape["history"]["how_to_erase"]
    assert shape["status"] == "deleted" and shape["path"] == "MEMORY.md" and shape["commit"]


def test_forget_twice_is_unchanged(ws: Workspace, root: Path, git: Git) -> None:
    fill(ws)
    assert ws.forget(SAID).status == "deleted"
    head = git(root, "rev-parse", "HEAD")
    assert ws.forget(SAID).status == "unchanged"
    assert git(root, "rev-parse", "HEAD") == head


def test_a_dry_run_lists_every_place_and_changes_nothing(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    fill(ws)
    ws.note("Perhaps the quokka is our mascot")
    head = git(root, "rev-parse", "HEAD")
    shape = cli("forget", SAID, "--dry-run", "--json").json
    assert shape["status"] == "dry-run"
    where = {(place["path"], place["line"]) for place in shape["would_remove"]}
    note = next(path for path, _ in where if path.startswith("memory/"))
    lines = (root / note).read_text().split("\n")
    assert (note, lines.index("- The quokka is our mascot.") + 1) in where
    assert [place["path"] for place in shape["mentions"]] == [note]
    shown = cli("forget", SAID, "--dry-run").out
    assert "MEMORY.md:" in shown and "also mentioned" in shown
    assert git(root, "rev-parse", "HEAD") == head and git(root, "status", "--porcelain") == ""


def test_a_mere_mention_is_refused_until_all_mentions_or_yes(ws: Workspace, cli: Cli) -> None:
    ws.remember(SAID)
    ws.remember("Tea is nice")
    refused = cli("forget", "quokka")
    assert refused.code == 3 and "all-mentions" in refused.err
    assert cli("search", "quokka", "--lexical", "--json").json["hits"]
    assert cli("forget", "quokka", "--yes").code == 0
    assert not cli("search", "quokka", "--lexical", "--json").json["hits"]
    assert cli("search", "tea", "--lexical", "--json").json["hits"]


def test_yes_does_not_widen_what_was_said_exactly(ws: Workspace, cli: Cli, root: Path) -> None:
    ws.note("likes tea")
    ws.note("likes tea with milk")
    assert cli("forget", "likes tea", "--yes").code == 0
    note = next((root / "memory").glob("*.md")).read_text()
    assert note.endswith("\n- likes tea with milk\n") and note.count("tea") == 1


@pytest.mark.parametrize(
    "entry", ["MEMORY.md:{line}", "project/mascot", "structured/project.md#mascot"]
)
def test_an_entry_is_forgotten_by_its_place(ws: Workspace, root: Path, entry: str) -> None:
    ws.remember(SAID)
    ws.remember(SAID, kind="project", key="mascot")
    lines = (root / "MEMORY.md").read_text().split("\n")
    number = next(n for n, line in enumerate(lines, 1) if "quokka" in line)
    assert ws.forget(entry=entry.format(line=number)).total == 2
    assert on_disk(root) == []


def test_an_entry_of_several_paragraphs_goes_whole_and_its_parts_stay_elsewhere(
    ws: Workspace, root: Path
) -> None:
    ws.remember("yes\n\nThe plan is quokka", kind="project", key="plan")
    ws.note("yes")
    ws.forget(entry="project/plan")
    assert on_disk(root) == [] and "- yes" in next((root / "memory").glob("*.md")).read_text()


@pytest.mark.parametrize(
    ("text", "entry"), [("", None), ("  \n", None), (None, None), ("a", "b:1")]
)
def test_nonsense_is_a_usage_error(ws: Workspace, text: str | None, entry: str | None) -> None:
    with pytest.raises(UsageError):
        ws.forget(text, entry=entry)


def test_an_entry_that_is_not_there_is_not_found(ws: Workspace) -> None:
    for entry in ("MEMORY.md:999", "nope.md:1", "user/nothing", "nothing"):
        with pytest.raises(NotFound):
            ws.forget(entry=entry)


def test_a_hand_edit_that_is_not_committed_yet_is_forgotten_as_well(
    ws: Workspace, root: Path
) -> None:
    ws.remember("Tea")
    with open(root / "MEMORY.md", "a", encoding="utf-8") as file:
        file.write(f"- {SAID}\n")
    assert ws.forget(SAID).total == 1 and on_disk(root) == []


def test_parked_proposals_are_cleaned(ws: Workspace, root: Path, git: Git) -> None:
    from mnemofs.lifecycle.reviewing.proposals import PREFIX, park
    from mnemofs.store.model import Change, Edit

    store = ws._scopes[0].store
    before = store.read("MEMORY.md")
    assert before.content is not None
    for more in (b"- The quokka is our mascot\n- kept\n", b"- The quokka is our mascot\n"):
        edit = Edit("MEMORY.md", before.blob, before.content + more)
        park(store, Change((edit,), "extractor", "proposal: x"), ws.clock.now())
    receipt = ws.forget(SAID)
    assert receipt.removed["proposal"] == 2
    refs = git(root, "for-each-ref", "--format=%(refname)", PREFIX).split()
    assert len(refs) == 1
    shown = git(root, "show", f"{refs[0]}:MEMORY.md")
    assert "- kept" in shown and "quokka" not in shown


@pytest.mark.parametrize(
    ("reason", "source", "left"),
    [
        (f"proposal: because {SAID.lower()}", "c1", ["c1", "user:al"]),
        (f"proposal: kept. {SAID}.", SAID, ["proposal: kept.", "user:al"]),
        ("proposal: unsure", "c1", ["proposal: unsure", "c1", "user:al"]),
    ],
)
def test_OWN_06_what_a_proposal_says_of_itself_goes_with_it(
    ws: Workspace, git: Git, root: Path, reason: str, source: str, left: list[str]
) -> None:
    from mnemofs.lifecycle.reviewing.proposals import PREFIX, park
    from mnemofs.store.model import Change, Edit

    store = ws._scopes[0].store
    edit = Edit("MEMORY.md", store.read("MEMORY.md").blob, b"# M\n\n- kept\n")
    park(store, Change((edit,), "dream", reason, source, owner="user:al"), ws.clock.now())
    ws.remember(SAID)
    ws.forget(SAID)
    (ref,) = git(root, "for-each-ref", "--format=%(refname)", PREFIX).split()
    said = git(root, "log", "-1", "--format=%B", ref)
    assert "quokka" not in said.lower() and all(part in said for part in left)
    assert git(root, "show", f"{ref}:MEMORY.md") == "# M\n\n- kept\n"
    assert [one.id for one in ws.review()] == [ref.rpartition("/")[2]]


def test_state_files_of_ours_are_cleaned(ws: Workspace, root: Path) -> None:
    spool = root / ".mnemofs" / "spool"
    spool.mkdir(parents=True)
    (spool / "turns.jsonl").write_text(json.dumps({"text": SAID, "n": 1}) + '\n{"text":"x"}\n')
    (spool / "one.json").write_text(json.dumps([{"role": "user", "text": f"Hi. {SAID}."}]))
    receipt = ws.forget(SAID)
    assert receipt.removed == {"state": 1, "event": 1} or receipt.removed == {"state": 2}
    assert on_disk(root) == []
    assert json.loads((spool / "one.json").read_text()) == [{"role": "user", "text": "Hi."}]
    assert (spool / "turns.jsonl").read_text().split("\n")[1] == '{"text":"x"}'


class Echo:
    """An engine that proposes what it was made with."""

    name = "echo"

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def extract(self, request: ExtractionRequest) -> Clean[Extraction] | Rejected:
        text = "\n".join(f"- {line}" for line in self.lines)
        return Clean(
            Extraction(
                should_update=True,
                reason="",
                daily_entry=text,
                memory_entries=tuple(self.lines),
                structured=(("user", "pet", self.lines[0]),),
            )
        )

    def dream(self, request: DreamRequest) -> Clean[Dream] | Rejected:
        return Clean(Dream(should_update=True, reason="", promoted=tuple(self.lines)))


TALK = [
    {"role": "user", "content": "Our mascot is the quokka, and lunch is at noon every day"},
    {"role": "assistant", "content": "Noted, thank you."},
    {"role": "user", "content": "Good, please keep that in mind for the next time we talk"},
]


def test_OWN_07_extraction_does_not_bring_it_back(ws: Workspace, root: Path) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    report = ws.extract(TALK, engine=Echo([SAID.upper() + "!", "Lunch is at noon"]), force=True)
    assert report.status == "updated", report
    assert on_disk(root) == [] and on_disk(root, "noon")


def test_OWN_07_a_dream_over_a_pulled_note_does_not_bring_it_back(
    ws: Workspace, cli: Cli, root: Path, tmp_path: Path, git: Git
) -> None:
    other = tmp_path / "other"
    ws.remember(SAID)
    git(tmp_path, "clone", "-q", str(root), str(other))
    ws.forget(SAID)
    with Workspace.open(other) as theirs:
        theirs.note(SAID, actor="extractor")
        theirs.note("Lunch is at noon", actor="extractor")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "pull", "-q", "--no-rebase", str(other))
    assert "quokka" in next((root / "memory").glob("*.md")).read_text()
    shutil.rmtree(root / ".mnemofs")  # the tombstone lives in the repository
    with Workspace.open(root) as again:
        assert again.search("quokka", mode="lexical").hits == ()
        report = again.dream(engine=Echo([SAID, "Lunch is at noon"]))
        assert SAID not in report.promoted
        assert again.search("quokka", mode="lexical").hits == ()
    assert on_disk(root) == [] and on_disk(root, "noon")


def test_OWN_07_a_clone_that_never_forgot_knows_by_the_ledger(
    ws: Workspace, root: Path, tmp_path: Path, git: Git
) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(root), str(other))
    assert "quokka" not in (other / "ledger").glob("*.jsonl").__next__().read_text()
    with Workspace.open(other) as theirs:
        report = theirs.extract(TALK, engine=Echo([SAID, "Lunch is at noon"]), force=True)
        assert report.status == "updated" and on_disk(other) == []


def test_OWN_07_restore_and_undo_ask_before_bringing_it_back(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    ws.remember(SAID)
    before = git(root, "rev-parse", "HEAD").strip()
    ws.forget(SAID)
    for command in (("undo",), ("restore", "MEMORY.md", before)):
        assert cli(*command).code == 3, command
        assert on_disk(root) == []
    assert cli("restore", "MEMORY.md", before, "--force").code == 0
    assert on_disk(root) and cli("search", "quokka", "--lexical", "--json").json["hits"]
    with Workspace.open(root) as again:
        assert again.search("quokka", mode="lexical").hits  # and it stays


def test_undoing_a_forget_by_force_lifts_it(ws: Workspace, cli: Cli, root: Path) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    assert cli("undo", "--force").code == 0
    assert ws.search("quokka", mode="lexical").hits
    report = ws.extract(TALK, engine=Echo(["Lunch is at noon"]), force=True)
    assert report.status == "updated" and ws.search("quokka", mode="lexical").hits


def test_saying_it_again_lets_it_stand_and_says_so(ws: Workspace, cli: Cli) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    said = cli("remember", SAID)
    assert said.code == 0 and "had been forgotten" in said.err
    assert cli("search", "quokka", "--lexical", "--json").json["hits"]
    assert "forgotten" not in cli("note", SAID).err
    assert ws.forget(SAID).total == 2


def test_writing_it_by_hand_again_lets_it_stand(ws: Workspace, root: Path) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    import time

    time.sleep(1.1)  # git and the ledger count in seconds
    (root / "MEMORY.md").write_text((root / "MEMORY.md").read_text() + f"- {SAID}\n")
    time.sleep(0.4)
    assert ws.search("quokka", mode="lexical").hits
    ws._scopes[0].sweep()
    assert ws.search("quokka", mode="lexical").hits and on_disk(root)


@pytest.mark.parametrize("actor", ["import", "api", "extractor"])
def test_no_automatic_writer_brings_it_back(ws: Workspace, root: Path, actor: str) -> None:
    ws.remember(SAID)
    ws.forget(SAID)
    with pytest.raises(GuardRefused):
        ws.note(SAID, actor=actor)  # type: ignore[arg-type]
    with pytest.raises(GuardRefused):
        ws.write("x.md", f"- a\n- {SAID}\n".encode())
    assert on_disk(root) == []


def test_what_mentions_it_is_barred_after_all_mentions(ws: Workspace, root: Path) -> None:
    ws.remember(SAID)
    ws.forget("quokka", all_mentions=True)
    ws.extract(TALK, engine=Echo(["A quokka was seen", "Lunch is at noon"]), force=True)
    assert on_disk(root) == [] and on_disk(root, "noon")


def test_a_person_is_forgotten_with_everything(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    ws.remember("shared fact")
    for who in ("user:42", "user:43"):
        ws.for_owner(who).remember(f"zebra of {who}")
    head, status = git(root, "rev-parse", "HEAD"), (root / "MEMORY.md").read_bytes()
    assert cli("forget", "--owner", "user:42").code == 3
    dry = cli("forget", "--owner", "user:42", "--dry-run", "--json").json
    assert dry["status"] == "dry-run" and dry["removed"]["repository"] == 1
    done = cli("forget", "--owner", "user:42", "--yes", "--json").json
    assert done["status"] == "deleted" and done["owner"] == "user:42"
    assert done["removed"]["file"] >= 2 and "user:42" in done["receipt"]
    assert [path.name for path in (root / "owners").iterdir()] == ["user=3a43"]
    assert "zebra" not in json.dumps(done)
    assert on_disk(root, "zebra of user:42") == []
    assert git(root, "rev-parse", "HEAD") == head and (root / "MEMORY.md").read_bytes() == status
    assert cli("search", "zebra", "--owner", "user:43", "--lexical", "--json").json["hits"]
    assert cli("forget", "--owner", "user:42", "--yes").code == 1
    assert ws.for_owner("user:42").search("zebra", mode="lexical").hits == ()


def test_a_person_is_only_forgotten_when_named_on_the_command_line(
    ws: Workspace, cli: Cli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.for_owner("user:42").remember("zebra")
    monkeypatch.setenv("MNEMOFS_OWNER", "user:42")
    assert cli("forget", "--yes").code == 2
    assert cli("forget", "", "--owner", "user:42", "--yes").code == 2
    assert (root / "owners" / "user=3a42").is_dir()


def test_one_persons_forget_does_not_touch_others(ws: Workspace, cli: Cli, root: Path) -> None:
    ws.remember(SAID)
    ws.for_owner("user:42").remember(SAID)
    assert cli("forget", SAID, "--owner", "user:42").code == 0
    assert "./MEMORY.md" in on_disk(root)
    assert not any("owners" in path for path in on_disk(root))


def test_cached_indexes_of_the_past_go_too(ws: Workspace, root: Path, git: Git) -> None:
    ws.remember(SAID)
    before = git(root, "rev-parse", "HEAD").strip()
    assert ws.at(before).search("quokka", mode="lexical").hits
    ws.forget(SAID)
    assert on_disk(root) == []
    assert ws.at(before).search("quokka", mode="lexical").hits, "history holds it, and says so"
    ws.purge(["quokka"])
    assert on_disk(root) == []
