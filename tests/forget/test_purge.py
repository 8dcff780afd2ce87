"""A purged text is in no object, ref, file or name, and everything else is as it was."""

from __future__ import annotations

import base64
import html
import json
import os
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from mnemofs import Workspace
from mnemofs.errors import GuardRefused, OperationInProgress, UsageError
from mnemofs.store.erasure import purge, purgelist
from tests.forget.conftest import all_objects
from tests.surface.conftest import Cli

Git = Callable[..., str]
Everything = Callable[[Path], bytes]
SECRET = "Zx9-quokka/ü+7781"


def forms(text: str = SECRET) -> list[bytes]:
    """Every form in which nothing may be left."""
    raw = text.encode()
    found = [raw, raw.hex().encode(), quote(text, safe="").encode(), text.encode("utf-16-le")]
    for shift in range(3):
        whole = base64.b64encode(b"x" * shift + raw)
        found.append(whole[(0, 2, 3)[shift] : (shift + len(raw)) * 8 // 6])
    return found


def gone(data: bytes, text: str = SECRET) -> bool:
    return not any(form in data for form in forms(text))


def identify(root: Path, git: Git) -> None:
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")


def test_OWN_08_history_holds_it_until_it_is_purged(
    ws: Workspace, cli: Cli, root: Path, git: Git, everything: Everything
) -> None:
    ws.remember("The quokka is our mascot")
    ws.remember("Tea is nice")
    cli("forget", "The quokka is our mascot")
    assert git(root, "log", "-S", "quokka", "--format=%h").split()
    said = cli("purge", "--yes", "--json", stdin=b"quokka\n")
    assert said.code == 0 and said.json["purge"]["verified"], said.out + said.err
    assert git(root, "log", "--all", "-S", "quokka", "--format=%h") == ""
    assert b"quokka" not in everything(root)
    assert ws.search("tea", mode="lexical").hits
    assert git(root, "fsck", "--full", "--strict") == ""
    assert git(root, "status", "--porcelain") == ""


def test_forget_purge_takes_every_spelling_out_of_history(
    ws: Workspace, cli: Cli, root: Path, everything: Everything
) -> None:
    ws.remember("The QUOKKA is our mascot")
    ws.edit("MEMORY.md", "QUOKKA", "quokka")
    ws.note("the Quokka is our mascot. And it rains")
    done = cli("forget", "the quokka is our **mascot**", "--purge", "--yes", "--json")
    assert done.code == 0 and done.json["removed"]["total"] == 2
    assert b"quokka" not in everything(root).lower()
    assert b"And it rains" in next((root / "memory").glob("*.md")).read_bytes()


def test_forget_purge_of_a_mere_word_takes_the_word_from_what_mentions_it(
    ws: Workspace, root: Path, everything: Everything
) -> None:
    ws.remember("The quokka is our mascot")
    receipt = ws.forget("quokka", purge=True)
    assert receipt.status == "deleted" and receipt.purged and receipt.purged["verified"]
    assert b"quokka" not in everything(root)
    assert "The [purged] is our mascot" in (root / "MEMORY.md").read_text()


def build(ws: Workspace, root: Path, git: Git) -> None:
    """The secret in every corner of a repository."""
    identify(root, git)
    ws.remember(f"the key is {SECRET}")
    for form in forms():
        (root / "notes.md").open("ab").write(b"- " + form + b" is here\n")
    (root / "tool.py").write_text(f"KEY = {SECRET!r}\n")
    (root / f"memory {SECRET.replace('/', '_')}.md").write_text("name\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"a message with {SECRET}")
    git(root, "tag", "light")
    git(root, "tag", "-a", "heavy", "-m", f"tag {SECRET}")
    git(root, "branch", "side", "HEAD~1")
    git(root, "notes", "add", "-m", f"note {SECRET}", "HEAD")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(root, "update-ref", "refs/mnemofs/proposals/abc", "HEAD")
    ws.note("later work")
    (root / "tool.py").write_text(f"KEY = {SECRET!r}\nMORE = 1\n")
    git(root, "stash")
    (root / "tool.py").write_text(f"STAGED = {SECRET!r}\n")
    git(root, "add", "tool.py")
    (root / "untracked.txt").write_text(f"mine {SECRET}\n")
    git(root, "config", "remote.origin.url", f"https://u:{SECRET}@example.org/x.git")
    (root / ".git" / "ORIG_HEAD").write_text(git(root, "rev-parse", "HEAD"))


def test_every_ref_and_corner_is_purged_and_all_else_is_kept(
    ws: Workspace, root: Path, git: Git, everything: Everything
) -> None:
    build(ws, root, git)
    subjects = git(root, "log", "--format=%an %ae %at %cn %ct", "main")
    refs = git(root, "for-each-ref", "--format=%(refname)").split()
    receipt = ws.purge([SECRET, SECRET.replace("/", "_")])
    assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
    left = everything(root)
    assert gone(left) and gone(left, SECRET.replace("/", "_"))
    assert git(root, "fsck", "--full", "--strict") == ""
    assert git(root, "for-each-ref", "--format=%(refname)").split() == refs
    # One commit more: the purge list. Everything else has the authors and times it had.
    assert git(root, "log", "--format=%an %ae %at %cn %ct", "main~1") == subjects
    assert git(root, "rev-parse", "light") == git(root, "rev-parse", "heavy^{commit}")
    assert "MORE = 1" in git(root, "stash", "show", "-p", "stash@{0}")
    assert git(root, "diff", "--cached", "--name-only") == "tool.py\n"
    assert git(root, "show", ":tool.py") == "STAGED = '[purged]'\n"
    assert (root / "untracked.txt").read_text() == "mine [purged]\n"
    assert git(root, "notes", "show", "light") == "note [purged]\n"
    assert git(root, "diff", "--name-only") == ""
    assert "later work" in next((root / "memory").glob("*.md")).read_text()


def test_without_git_it_is_the_same(
    ws: Workspace, root: Path, git: Git, everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(ws, root, git)
    git(root, "gc", "-q")
    for module in ("git.everyobject", "erasure.purge"):
        monkeypatch.setattr(f"mnemofs.store.{module}.program", lambda _name: None)
    receipt = ws.purge([SECRET, SECRET.replace("/", "_")])
    assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
    assert gone(everything(root))
    assert git(root, "fsck", "--full", "--strict") == ""
    assert "MORE = 1" in git(root, "stash", "show", "-p", "stash@{0}")
    assert git(root, "diff", "--cached", "--name-only") == "tool.py\n"


def test_two_clones_that_purge_the_same_arrive_at_the_same_commits(
    ws: Workspace, root: Path, tmp_path: Path, git: Git
) -> None:
    for number in range(5):
        ws.remember(f"fact {number} {SECRET if number % 2 else ''}")
    git(tmp_path, "clone", "-q", str(root), "other")
    ws.purge([SECRET])
    with Workspace.open(tmp_path / "other") as other:
        other.purge([SECRET])
    assert git(root, "rev-parse", "main~1") == git(tmp_path / "other", "rev-parse", "main~1")


def test_a_dry_run_counts_and_changes_nothing(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    ws.remember(f"the key is {SECRET}")
    head = git(root, "rev-parse", "HEAD")
    said = cli("purge", "--dry-run", "--json", stdin=SECRET.encode())
    assert said.code == 0 and said.json["status"] == "dry-run"
    places = {hit["place"] for hit in said.json["purge"]["hits"]}
    assert "MEMORY.md" in places and SECRET not in said.out
    assert git(root, "rev-parse", "HEAD") == head and SECRET in (root / "MEMORY.md").read_text()


def test_nobody_to_ask_is_a_refusal_and_short_texts_are_usage_errors(
    ws: Workspace, cli: Cli, root: Path, git: Git
) -> None:
    ws.remember(f"the key is {SECRET}")
    head = git(root, "rev-parse", "HEAD")
    assert cli("purge", stdin=SECRET.encode()).code == 3
    for text in (b"", b"\n", b"abc", b"purged"):
        assert cli("purge", "--yes", stdin=text).code == 2, text
    assert git(root, "rev-parse", "HEAD") == head
    with pytest.raises(UsageError):
        ws.forget("tea", purge=True)


def test_the_secret_can_come_from_a_file_in_the_workspace(
    ws: Workspace, cli: Cli, root: Path, everything: Everything
) -> None:
    ws.remember(f"the key is {SECRET}")
    (root / "secret.txt").write_text(SECRET + "\n")
    assert cli("purge", "--secret-from", "secret.txt", "--yes").code == 0
    assert gone(everything(root))


def test_a_key_of_many_lines_goes_with_each_of_its_lines(
    ws: Workspace, root: Path, everything: Everything
) -> None:
    lines = ["-----BEGIN PRIVATE KEY-----", "A" * 40 + "bc7", "D" * 40 + "ef9", "-----END-----"]
    pem = "\n".join(lines)
    ws.write("a.md", f"{pem}\n\n  {lines[1]}\n".encode())
    ws.write("b.md", pem.replace("\n", "\r\n").encode())
    ws.purge([pem])
    left = everything(root)
    assert lines[1].encode() not in left and lines[2].encode() not in left


@pytest.mark.parametrize("what", ["worktree", "submodule", "alternates", "merge", "branch"])
def test_what_cannot_be_reached_is_refused_before_anything_changes(
    ws: Workspace, root: Path, tmp_path: Path, git: Git, what: str
) -> None:
    identify(root, git)
    ws.remember(f"the key is {SECRET}")
    expected: type[Exception] = GuardRefused
    if what == "worktree":
        git(root, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "b2")
    elif what == "submodule":
        (root / ".gitmodules").write_text("[submodule]\n")
    elif what == "alternates":
        (root / ".git/objects/info/alternates").write_text(str(tmp_path) + "\n")
    elif what == "merge":
        (root / ".git/MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD"))
        expected = OperationInProgress
    else:
        git(root, "branch", "fix-quokka")
    text = "quokka" if what == "branch" else SECRET
    with pytest.raises(expected):
        ws.purge([text])
    assert SECRET in (root / "MEMORY.md").read_text()
    assert SECRET.encode() in all_objects(root)


def test_the_purge_list_names_the_oldest_commits_and_not_the_text(
    ws: Workspace, root: Path, git: Git
) -> None:
    ws.remember("before")
    ws.remember(f"the key is {SECRET}")
    first = git(root, "rev-parse", "HEAD").strip()
    ws.remember("after")
    tip = git(root, "rev-parse", "HEAD").strip()
    ws.purge([SECRET])
    store = ws._scopes[0].store
    assert purgelist.purged(store) == {first, tip}
    assert purgelist.purged(store, "HEAD") == {first, tip}
    assert purgelist.purged(store, "HEAD~1") == frozenset()
    (record,) = purgelist.purges(store)
    assert record.matching(SECRET) and not record.matching(SECRET + "x")
    ledger = "".join(path.read_text() for path in (root / "ledger").glob("*.jsonl"))
    assert SECRET not in ledger and "quokka" not in ledger
    assert git(root, "status", "--porcelain") == ""


def test_purging_twice_finds_nothing_more(ws: Workspace, root: Path, git: Git) -> None:
    ws.remember(f"the key is {SECRET}")
    ws.purge([SECRET])
    head = git(root, "rev-parse", "HEAD")
    again = ws.purge([SECRET])
    assert again.status == "unchanged" and again.purged and again.purged["verified"]
    assert git(root, "rev-parse", "HEAD") == head


def test_undo_still_knows_what_an_undo_took_back(ws: Workspace, root: Path) -> None:
    ws.remember(f"the key is {SECRET}")
    ws.remember("wrong fact")
    ws.undo()
    ws.purge([SECRET])
    ws.undo()  # the purge list's commit is the latest change
    text = (root / "MEMORY.md").read_text()
    assert "wrong fact" not in text


def test_search_history_and_writing_go_on_in_the_same_process(
    ws: Workspace, root: Path, git: Git
) -> None:
    ws.remember(f"the key is {SECRET}")
    ws.remember("Tea is nice")
    assert ws.log("MEMORY.md") and ws.blame("MEMORY.md")
    ws.purge([SECRET])
    assert ws.search("tea", mode="lexical").hits and not ws.search("7781", mode="lexical").hits
    assert [commit.reason for commit in ws.log("MEMORY.md", limit=1)] == ["remember: 1 memory"]
    assert any("Tea is nice" in line.text for line in ws.blame("MEMORY.md"))
    done = ws.remember("written afterwards")
    assert git(root, "show", f"{done.commit}:MEMORY.md").endswith("written afterwards\n")
    assert git(root, "fsck", "--full", "--strict") == ""


KILLED = """
import os, signal, sys
from mnemofs import Workspace
from mnemofs.store.erasure import purge
from mnemofs.store.erasure import purgefiles
from mnemofs.store.git import refmoves
from mnemofs.store.git import packwriter
where = sys.argv[2]
def die(*_a, **_k): os.kill(os.getpid(), signal.SIGKILL)
if where == "pack": packwriter.PackWriter.finish = die
if where == "refs": purge.move_refs = die
if where == "one-ref":
    from mnemofs.store.disk.locks import GitLock
    real, seen = GitLock.publish, []
    def publish(self):
        real(self); seen.append(1)
        if len(seen) == 2: die()
    GitLock.publish = publish
if where == "index": purgefiles.clean_index = die
if where == "logs": purgefiles.rest_of_git = die
if where == "gc": purge._git_gc = die
if where == "list":
    from mnemofs.lifecycle.forgetting import purging
    purging.record_purge = die
Workspace.open(sys.argv[1]).purge([sys.argv[3]])
"""


@pytest.mark.parametrize("where", ["pack", "refs", "one-ref", "index", "logs", "gc", "list"])
def test_a_purge_that_is_killed_loses_nothing_and_can_be_run_again(
    ws: Workspace, root: Path, git: Git, everything: Everything, where: str
) -> None:
    identify(root, git)
    ws.remember(f"the key is {SECRET}")
    old = git(root, "rev-parse", "HEAD").strip()
    git(root, "branch", "side")
    ws.remember("Tea is nice")
    ws.close()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(root), where, SECRET], timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert "Tea is nice" in git(root, "show", "main:MEMORY.md")
    with Workspace.open(root) as again:
        receipt = again.purge([SECRET])
        assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
        assert old in purgelist.purged(again._scopes[0].store)
        assert again.search("tea", mode="lexical").hits
    assert gone(everything(root))
    assert git(root, "fsck", "--full", "--strict") == ""
    assert git(root, "status", "--porcelain") == ""
    assert "Tea is nice" in git(root, "show", "main:MEMORY.md")


@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.45, 0.6, 0.8])
def test_a_purge_that_is_killed_at_any_moment_can_be_run_again(
    ws: Workspace, root: Path, git: Git, everything: Everything, seconds: float
) -> None:
    for number in range(20):
        ws.remember(f"fact {number} {SECRET if number == 3 else ''}")
    ws.close()
    code = (
        "import sys; from mnemofs import Workspace\n"
        "Workspace.open(sys.argv[1]).purge([sys.argv[2]])"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(root), SECRET]) as process:
        time.sleep(seconds)
        process.kill()
    with Workspace.open(root) as again:
        receipt = again.purge([SECRET])
        assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
    assert gone(everything(root))
    assert git(root, "fsck", "--full", "--strict") == ""
    for number in range(20):
        assert f"fact {number}" in git(root, "show", "main:MEMORY.md")


def test_writers_wait_for_a_purge_and_lose_nothing(ws: Workspace, root: Path, git: Git) -> None:
    for number in range(30):
        ws.remember(f"fact {number} {SECRET}")
    code = (
        "import sys; from mnemofs import Workspace\n"
        "ws = Workspace.open(sys.argv[1])\n"
        "for n in range(15): ws.remember(f'written meanwhile {n}')"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(root)]) as writer:
        time.sleep(0.3)
        receipt = ws.purge([SECRET])
        assert writer.wait(60) == 0
    assert receipt.purged and receipt.purged["verified"]
    text = git(root, "show", "HEAD:MEMORY.md")
    for number in range(15):
        assert text.count(f"written meanwhile {number}\n") == 1
    assert git(root, "fsck", "--full", "--strict") == "" and gone(all_objects(root))


def test_an_interrupted_purge_is_remembered_without_the_text(ws: Workspace, root: Path) -> None:
    ws.remember(f"the key is {SECRET}")
    store = ws._scopes[0].store
    done = purge.purge(store, [SECRET])
    assert done.record is not None
    pending = purge.pending(store)
    assert pending is not None and pending.frontier == done.record.frontier
    note = (root / ".git" / "mnemofs" / "purging").read_text()
    assert SECRET not in note and "quokka" not in note
    assert os.stat(root / ".git" / "mnemofs" / "purging").st_size < 2000


def test_ids_and_times_are_no_text(ws: Workspace, root: Path, git: Git) -> None:
    """A text that stands in ids by chance must not tear a commit, a ref or the index apart."""
    ws.remember("first")
    head = git(root, "rev-parse", "HEAD").strip()
    stamp = git(root, "log", "-1", "--format=%ct").strip()
    ws.remember(f"about {head[3:12]} and {stamp}")
    ws.write("purged.md", b"not that one\n")
    ws.write(f"z {stamp}.md", b"named\n")
    dates = git(root, "log", "--format=%at %ct")
    receipt = ws.purge([head[3:12], stamp])
    assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
    assert git(root, "fsck", "--full", "--strict") == ""
    assert git(root, "log", "--format=%at %ct", "HEAD~1") == dates
    assert git(root, "status", "--porcelain") == ""
    assert (root / "purged.md").read_text() == "not that one\n"
    assert (root / "z purged.md").read_text() == "named\n"


def test_a_new_name_never_takes_that_of_another_file(ws: Workspace, root: Path, git: Git) -> None:
    ws.write("purged.md", b"the old one\n")
    ws.write("Secret99.md", b"named after it\n")
    ws.write("secret/Secret99.md", b"deeper\n")
    receipt = ws.purge(["Secret99"])
    assert receipt.purged and receipt.purged["verified"], receipt.as_dict()
    assert git(root, "show", "HEAD:purged.md") == "the old one\n"
    assert git(root, "show", "HEAD:purged-2.md") == "named after it\n"
    assert git(root, "show", "HEAD:secret/purged.md") == "deeper\n"
    assert git(root, "status", "--porcelain") == "" and git(root, "fsck") == ""
    found = {hit.path for hit in ws.search("named after it", mode="lexical").hits}
    assert "purged-2.md" in found


def test_short_hexadecimal_texts_are_refused(ws: Workspace) -> None:
    for text in ("dead", "cafe12", "1234567"):
        with pytest.raises(UsageError):
            ws.purge([text])


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"])
def test_a_purge_inside_another_repository_s_hook_touches_that_one_not(
    ws: Workspace, root: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """git sets these for hooks: gc would prune there, and nothing here."""
    ws.remember(f"the key is {SECRET}")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "precious").write_text("in no commit yet\n")
    blob = git(other, "hash-object", "-w", "precious").strip()
    place = other / ".git" / ("objects" if name == "GIT_OBJECT_DIRECTORY" else "")
    with monkeypatch.context() as patch:
        patch.setenv(name, str(place))
        patch.setenv("GIT_WORK_TREE", str(other))
        patch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
        receipt = ws.purge([SECRET])
        ws._scopes[0].store.maintain()
    assert receipt.purged is not None and receipt.purged["verified"]
    assert SECRET.encode() not in all_objects(root)
    assert git(other, "cat-file", "-p", blob) == "in no commit yet\n"
    git(root, "fsck", "--strict")


@pytest.mark.parametrize(
    ("text", "codecs"),
    [
        ('Schlüssel-Ürgel "77"', "latin-1 cp1252 utf-16 utf-16-be"),
        ("我的银行密码是钢铁", "gbk gb18030 utf-16"),
        ("私の暗証番号は鉄です", "shift_jis euc-jp utf-16-le"),
        ("пароль от сейфа", "cp1251 koi8-r"),
        ("비밀번호는 강철", "cp949"),
    ],
)
def test_no_way_of_writing_it_down_is_left(
    ws: Workspace, root: Path, git: Git, everything: Everything, text: str, codecs: str
) -> None:
    """Files of old editors, and what was said inside JSON that was said inside JSON."""
    identify(root, git)
    kinds = {codec: text.encode(codec) for codec in codecs.split()}
    kinds |= {form: unicodedata.normalize(form, text).encode() for form in ("NFC", "NFD")}
    for plain in (True, False):
        inner = json.dumps({"said": text}, ensure_ascii=plain)
        kinds[f"json {plain}"] = json.dumps({"log": inner}, ensure_ascii=plain).encode()
    kinds["html"] = html.escape(text).encode("ascii", "xmlcharrefreplace")
    kinds["base64"] = base64.b64encode(b"ab" + text.encode())
    (root / "memory").mkdir(exist_ok=True)
    for name, data in kinds.items():
        (root / "memory" / f"{name}.md").write_bytes(b"- x " + data + b" y\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "by hand")
    assert ws.purge([text]).purged is not None
    left = everything(root)
    for name, data in kinds.items():
        part = data[4:-4] if name == "base64" else data.removeprefix(b"\xff\xfe")
        wanted = part if not name.startswith("json") else json.dumps(text)[2:-2].encode()
        assert wanted not in left, name
    assert len(list((root / "memory").glob("*.md"))) >= len(kinds)
