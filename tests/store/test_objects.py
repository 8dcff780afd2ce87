"""Objects, packs, trees and the index: read and written as git would."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs.errors import CorruptStore
from mnemofs.store.git.index import NO_STAT, GitIndex
from mnemofs.store.git.objects import Objects, blob_id, hash_object
from mnemofs.store.git.packs import apply_delta
from mnemofs.store.git.trees import FOLDER, Entry, Tree
from tests.store.conftest import Workspace

FAST = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def run(root: Path, *words: str, data: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", "-C", str(root), *words], input=data, capture_output=True, check=True
    )
    return done.stdout


def grow(ws: Workspace) -> None:
    """History with deltas, a tag, and files of many sizes."""
    chance = random.Random(7)
    text = [b"line %d\n" % number for number in range(3000)]
    for round_number in range(8):
        for _ in range(20):
            text[chance.randrange(len(text))] = b"changed %d\n" % chance.randrange(10**6)
        ws.by_hand("big.md", b"".join(text))
        ws.by_hand(f"n{round_number}.md", bytes(chance.randrange(256) for _ in range(200)))
        ws.store.fold(quiet=0)
    ws.git("-c", "user.name=u", "-c", "user.email=u@x", "tag", "-a", "v1", "-m", "tag")


@pytest.mark.parametrize(
    "packing",
    [
        [],
        ["gc", "-q", "--prune=now"],
        ["repack", "-adfq", "--depth=50", "--window=50"],
        ["-c", "pack.indexVersion=1", "repack", "-adfq"],
        ["-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq", "--depth=20"],
        ["-c", "core.bigFileThreshold=1", "repack", "-adfq"],
        ["-c", "pack.packSizeLimit=1m", "repack", "-adq"],
        ["multi-pack-index", "write"],
    ],
    ids=lambda words: "-".join(words)[:40] or "loose",
)
def test_every_object_reads_as_git_reads_it(ws: Workspace, packing: list[str]) -> None:
    grow(ws)
    if packing == ["multi-pack-index", "write"]:
        ws.git("repack", "-dq")
    if packing:
        ws.git(*packing)
    objects = Objects(str(ws.root / ".git"))
    listed = ws.git("cat-file", "--batch-all-objects", "--batch-check").split("\n")
    assert len(listed) > 30
    for line in filter(None, listed):
        object_id, kind, _ = line.split()
        found, content = objects.read(object_id)
        assert found == kind
        assert hash_object(kind, content) == object_id
        assert objects.has(object_id)
        assert object_id in objects.starting_with(object_id[:7])
    assert not objects.has("0" * 40)
    assert not objects.starting_with("0" * 12)
    objects.close()
    assert objects.read(listed[0].split()[0])
    objects.close()


def test_objects_that_are_repacked_meanwhile_are_found_again(ws: Workspace) -> None:
    grow(ws)
    objects = ws.store.objects
    ids = [line.split()[0] for line in ws.git("rev-list", "--objects", "--all").splitlines()]
    for words in (["gc", "-q"], ["repack", "-adq"], ["unpack-objects"], ["repack", "-adfq"]):
        if words != ["unpack-objects"]:
            ws.git(*words)
        for object_id in ids:
            assert objects.read(object_id)


def test_a_borrowed_object_is_read_through_the_alternates(ws: Workspace, tmp_path: Path) -> None:
    grow(ws)
    run(tmp_path, "clone", "-q", "--shared", str(ws.root), str(tmp_path / "clone"))
    objects = Objects(str(tmp_path / "clone/.git"))
    assert objects.read(ws.head())[0] == "commit"
    objects.close()


def test_a_damaged_or_missing_object_is_an_error_not_an_absence(ws: Workspace) -> None:
    head = ws.head()
    path = ws.root / ".git/objects" / head[:2] / head[2:]
    whole = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(whole[:10] + b"\0\0\0" + whole[13:])
    with pytest.raises(CorruptStore):
        ws.store.objects.read(head)
    path.unlink()
    with pytest.raises(CorruptStore) as caught:
        ws.store.objects.read(head)
    assert caught.value.revision == head


@given(st.binary(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.binary(max_size=40))))
@FAST
def test_a_delta_gives_back_what_it_was_made_from(
    base: bytes, edits: list[tuple[int, bytes]]
) -> None:
    def size(value: int) -> bytes:
        out = []
        while value > 0x7F:
            out.append(0x80 | (value & 0x7F))
            value >>= 7
        return bytes([*out, value])

    body, expected = b"", b""
    for at, fresh in edits:
        piece = base[at : at + 60]
        if piece:
            body += bytes([0x80 | 0x01 | 0x02 | 0x10, at & 0xFF, at >> 8, len(piece)])
            expected += piece
        if fresh:
            body += bytes([len(fresh)]) + fresh
            expected += fresh
    assert apply_delta(base, size(len(base)) + size(len(expected)) + body) == expected


names = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=("Cs",)),
    min_size=1,
    max_size=6,
).filter(lambda name: name not in (".", "..", ".git") and not name.lower().startswith(".git"))
EMPTY = blob_id(b"")


@given(st.lists(st.dictionaries(names, st.sampled_from(["file", "folder", "gone"])), max_size=4))
@FAST
def test_trees_are_ordered_as_git_orders_them(tmp_path: Path, rounds: list[dict[str, str]]) -> None:
    if not (tmp_path / ".git").exists():
        run(tmp_path, "init", "-q")
        run(tmp_path, "hash-object", "-w", "--stdin")
        run(tmp_path, "mktree")
    inner = hash_object("tree", b"")
    tree = Tree(raw=b"")
    model: dict[str, Entry] = {}
    for changes in rounds:
        entries: dict[str, Entry | None] = {
            name: {"file": (0o100644, EMPTY), "folder": (FOLDER, inner), "gone": None}[kind]
            for name, kind in changes.items()
        }
        tree = tree.changed(entries)
        for name, entry in entries.items():
            if entry is None:
                model.pop(name, None)
            else:
                model[name] = entry
        rows = b"".join(
            b"%06o %s %s\t%s\0"
            % (mode, b"tree" if mode == FOLDER else b"blob", object_id.encode(), name.encode())
            for name, (mode, object_id) in model.items()
        )
        theirs = run(tmp_path, "mktree", "-z", data=rows).decode().strip()
        assert hash_object("tree", tree.raw()) == theirs
        assert Tree.parse(tree.raw()).raw() == tree.raw()
        assert {name: (mode, found) for name, mode, found in tree.items()} == model
        assert len(tree) == len(model)
        assert all(tree.get(name) == model.get(name) for name in changes)


paths = st.lists(
    st.sampled_from(["a", "b", "c.md", "a.md", "ab", "é", "x" * 70]), min_size=1, max_size=3
).map("/".join)


@pytest.mark.parametrize("version", [2, 3, 4])
@given(
    rounds=st.lists(st.dictionaries(paths, st.booleans(), max_size=5), min_size=1, max_size=4),
    flags=st.sampled_from(["", "skip", "intent"]),
)
@FAST
def test_the_index_stays_one_that_git_reads(
    tmp_path_factory: pytest.TempPathFactory,
    version: int,
    rounds: list[dict[str, bool]],
    flags: str,
) -> None:
    root = tmp_path_factory.mktemp("index")
    run(root, "init", "-q")
    run(root, "hash-object", "-w", "--stdin")
    run(root, "update-index", "--add", "--cacheinfo", f"100644,{EMPTY},kept/file.md")
    if flags == "skip":
        run(root, "update-index", "--skip-worktree", "kept/file.md")
    if flags == "intent":
        (root / "announced.md").write_text("x")
        run(root, "add", "-N", "announced.md")
    run(root, "update-index", "--index-version", str(version))
    for changes in rounds:
        wanted = {
            path: ((0o100644, EMPTY), NO_STAT) if there else None
            for path, there in changes.items()
            if not any(other.startswith(path + "/") for other in changes)
        }
        rows = b"".join(
            b"0 %s\t%s\0" % (b"0" * 40, path.encode())
            for path, value in wanted.items()
            if value is None
        ) + b"".join(
            b"100644 %s\t%s\0" % (EMPTY.encode(), path.encode())
            for path, value in wanted.items()
            if value is not None
        )
        index = root / ".git/index"
        before = index.read_bytes()
        ours = GitIndex(before).changed(wanted)
        run(root, "update-index", "-z", "--replace", "--index-info", data=rows)
        theirs = run(root, "ls-files", "-s", "-z", "-t")
        index.write_bytes(ours.data)
        assert run(root, "ls-files", "-s", "-z", "-t") == theirs
        run(root, "fsck")
        again = GitIndex(ours.data)
        assert again.entries() == ours.entries()
        assert again.version == ours.version


def test_caches_in_the_index_are_dropped_and_the_rest_is_kept(ws: Workspace) -> None:
    ws.git("update-index", "--untracked-cache")
    ws.git("status")
    ws.git("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "--allow-empty", "-m", "x")
    index = ws.root / ".git/index"
    assert b"TREE" in index.read_bytes()
    ws.append("MEMORY.md", b"- x\n")
    assert b"TREE" not in index.read_bytes()
    ws.sound()


def test_an_index_without_its_own_checksum_stays_so(ws: Workspace) -> None:
    index = ws.root / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))
    ws.append("MEMORY.md", b"- x\n")
    assert index.read_bytes()[-20:] == bytes(20)


def test_a_file_announced_to_git_is_folded_like_any_other(ws: Workspace) -> None:
    ws.by_hand("new.md", b"new\n")
    ws.git("add", "-N", "new.md")
    assert ws.store.fold().paths == ("new.md",)
    ws.sound()
