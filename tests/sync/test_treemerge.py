"""The merge of whole trees: pure, symmetric, and nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.store.git.objects import blob_id
from mnemofs.store.git.trees import EXECUTABLE, FILE, GITLINK, SYMLINK, Entry
from mnemofs.store.sharing.treemerge import MergePlan, beside, plan_merge

Texts = dict[str, bytes | tuple[int, bytes]]


class World:
    """Blobs by id, and merges of trees that are written as texts."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}

    def tree(self, texts: Texts) -> dict[str, Entry]:
        """A tree from {path: bytes or (mode, bytes)}."""
        made = {}
        for path, value in texts.items():
            mode, data = value if isinstance(value, tuple) else (FILE, value)
            self.blobs[blob_id(data)] = data
            made[path] = (mode, blob_id(data))
        return made

    def merge(self, base: Texts, ours: Texts, theirs: Texts) -> MergePlan:
        """The plan, after it was checked that the other machine makes the same tree."""
        trees = [self.tree(side) for side in (base, ours, theirs)]
        plan = plan_merge(*trees, self.blobs.__getitem__)
        other = plan_merge(trees[0], trees[2], trees[1], self.blobs.__getitem__)
        assert other.files == plan.files
        assert other.blobs == plan.blobs
        assert {(c.path, c.heading, c.kind) for c in other.conflicts} == {
            (c.path, c.heading, c.kind) for c in plan.conflicts
        }
        self.blobs.update(plan.blobs)
        return plan

    def texts(self, plan: MergePlan) -> dict[str, bytes]:
        """The merged tree as texts."""
        return {path: self.blobs[entry[1]] for path, entry in plan.files.items()}


@pytest.fixture
def world() -> World:
    return World()


def merged(world: World, base: Texts, ours: Texts, theirs: Texts) -> dict[str, bytes]:
    return world.texts(world.merge(base, ours, theirs))


def test_a_side_that_did_not_change_decides_nothing(world: World) -> None:
    base: Texts = {"a.md": b"a\n", "b.md": b"b\n", "c.md": b"c\n"}
    ours: Texts = {"a.md": b"a2\n", "b.md": b"b\n", "c.md": b"c\n", "new.md": b"n\n"}
    theirs: Texts = {"a.md": b"a\n", "c.md": b"c2\n"}
    assert merged(world, base, ours, theirs) == {
        "a.md": b"a2\n",
        "c.md": b"c2\n",
        "new.md": b"n\n",
    }


def test_SYN_01_both_append_to_one_note(world: World) -> None:
    base = b"# 2026-05-01\n\n- a\n"
    done = merged(
        world,
        {"memory/2026-05-01.md": base},
        {"memory/2026-05-01.md": base + b"- b\n"},
        {"memory/2026-05-01.md": base + b"- c\n"},
    )
    text = done["memory/2026-05-01.md"]
    assert [text.count(b"- %c\n" % char) for char in b"abc"] == [1, 1, 1]


def test_the_ledger_is_a_union_of_lines(world: World) -> None:
    name = "ledger/2026-05.jsonl"
    lines = [b'{"time":"2026-05-0%dT00:00:00Z"}\n' % day for day in range(1, 5)]
    done = merged(world, {name: lines[0]}, {name: lines[0] + lines[3]}, {name: lines[0] + lines[1]})
    assert done[name] == lines[0] + lines[1] + lines[3]


def test_a_deleted_file_that_the_other_changed_stays_and_is_flagged(world: World) -> None:
    plan = world.merge({"a.md": b"- x\n"}, {}, {"a.md": b"- x\n- y\n"})
    assert world.texts(plan) == {"a.md": b"- x\n- y\n"}
    assert [(c.path, c.kind, c.ours, c.theirs) for c in plan.conflicts] == [
        ("a.md", "edit/delete", b"", b"- x\n- y\n")
    ]


def test_a_file_that_both_deleted_is_gone(world: World) -> None:
    plan = world.merge({"a.md": b"x\n", "b.md": b"b\n"}, {"b.md": b"b\n"}, {"b.md": b"c\n"})
    assert world.texts(plan) == {"b.md": b"c\n"}
    assert plan.conflicts == ()


@pytest.mark.parametrize(
    ("path", "second"),
    [
        ("photo.png", "photo~{}.png"),
        ("memory/photo", "memory/photo~{}"),
        (".hidden", ".hidden~{}"),
        ("a.tar.gz", "a.tar~{}.gz"),
    ],
)
def test_two_binary_versions_stand_side_by_side(world: World, path: str, second: str) -> None:
    one, two = sorted((b"\0one", b"\0two"), key=blob_id)
    plan = world.merge({path: b"\0"}, {path: one}, {path: two})
    assert world.texts(plan) == {path: one, second.format(blob_id(two)[:7]): two}
    assert [c.kind for c in plan.conflicts] == ["unreadable"]
    again = world.merge(
        {path: b"\0"}, {path: one, second.format(blob_id(two)[:7]): two}, {path: two}
    )
    assert again.files == plan.files


def test_a_note_that_is_not_utf8_keeps_both_versions_byte_for_byte(world: World) -> None:
    old, one, two = b"caf\xe9\n", b"caf\xe9 one\n", b"caf\xe9 two\n"
    done = merged(world, {"memory/x.md": old}, {"memory/x.md": one}, {"memory/x.md": two})
    assert sorted(done.values()) == [one, two]
    assert "memory/x.md" in done
    assert all(path.endswith(".md") for path in done)


def test_a_program_s_file_is_merged_by_line_or_kept_twice_never_mixed(world: World) -> None:
    base = b"a\nb\nc\nd\ne\n"
    clean = merged(
        world, {"x.sh": base}, {"x.sh": b"A\nb\nc\nd\ne\n"}, {"x.sh": b"a\nb\nc\nd\nE\n"}
    )
    assert clean == {"x.sh": b"A\nb\nc\nd\nE\n"}
    mixed = merged(world, {"x.sh": b"a\n"}, {"x.sh": b"b\n"}, {"x.sh": b"c\n"})
    assert sorted(mixed.values()) == [b"b\n", b"c\n"]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "want"),
    [
        (FILE, EXECUTABLE, FILE, EXECUTABLE),
        (EXECUTABLE, EXECUTABLE, FILE, FILE),
        (FILE, FILE, FILE, FILE),
        (None, EXECUTABLE, FILE, FILE),
    ],
)
def test_the_executable_bit_follows_who_changed_it(
    world: World, base: int | None, ours: int, theirs: int, want: int
) -> None:
    old: Texts = {} if base is None else {"run.md": (base, b"a\n\nb\n")}
    plan = world.merge(
        old, {"run.md": (ours, b"a2\n\nb\n")}, {"run.md": (theirs, b"a2\n\nb\n\nc\n")}
    )
    assert plan.files["run.md"][0] == want


def test_a_file_and_a_folder_of_one_name_both_stay(world: World) -> None:
    plan = world.merge({}, {"a": b"file\n"}, {"a/b.md": b"below\n", "a/c/d.md": b"deep\n"})
    assert world.texts(plan) == {
        beside("a", blob_id(b"file\n")): b"file\n",
        "a/b.md": b"below\n",
        "a/c/d.md": b"deep\n",
    }
    assert [c.kind for c in plan.conflicts] == ["rename/rename"]


def test_a_file_replaced_by_a_folder_on_one_side_just_goes(world: World) -> None:
    done = merged(
        world, {"a": b"x\n", "z.md": b"z\n"}, {"a/b.md": b"y\n", "z.md": b"z\n"},
        {"a": b"x\n", "z.md": b"Z\n"},
    )  # fmt: skip
    assert done == {"a/b.md": b"y\n", "z.md": b"Z\n"}


def test_a_moved_file_takes_the_other_side_s_edit_along(world: World) -> None:
    old = b"# Note\n\n- one\n"
    plan = world.merge(
        {"memory/2026-01-01.md": old},
        {"memory/2026/2026-01-01.md": old},
        {"memory/2026-01-01.md": old + b"- two\n"},
    )
    assert world.texts(plan) == {"memory/2026/2026-01-01.md": old + b"- two\n"}
    assert plan.conflicts == ()


def test_a_file_moved_to_two_places_stays_at_both_and_is_flagged(world: World) -> None:
    plan = world.merge({"a.md": b"text\n"}, {"b.md": b"text\n"}, {"c.md": b"text\n"})
    assert world.texts(plan) == {"b.md": b"text\n", "c.md": b"text\n"}
    assert {c.kind for c in plan.conflicts} == {"rename/rename"}


def test_two_files_of_the_same_bytes_prove_no_move(world: World) -> None:
    base: Texts = {"a.md": b"same\n", "b.md": b"same\n"}
    done = merged(world, base, {"c.md": b"same\n"}, {"a.md": b"same 2\n", "b.md": b"same\n"})
    assert done == {"a.md": b"same 2\n", "c.md": b"same\n"}


def test_a_moved_file_that_the_other_deleted_stays_and_is_flagged(world: World) -> None:
    plan = world.merge({"a.md": b"text\n"}, {"b.md": b"text\n"}, {})
    assert world.texts(plan) == {"b.md": b"text\n"}
    assert [c.kind for c in plan.conflicts] == ["edit/delete"]


@pytest.mark.parametrize(
    ("one", "two", "want"),
    [
        ("MEMORY.md", "memory.md", "MEMORY.md"),
        ("notes/Plan.md", "notes/plan.md", "notes/Plan.md"),
        ("memory/caf\u00e9.md", "memory/cafe\u0301.md", None),
        ("memory/2026-05-01.md", "Memory/2026-05-01.md", "memory/2026-05-01.md"),
    ],
)
def test_TXT_10_spellings_that_two_machines_chose_become_one_file(
    world: World, one: str, two: str, want: str | None
) -> None:
    done = merged(world, {}, {one: b"# T\n\n- here\n"}, {two: b"# T\n\n- there\n"})
    assert len(done) == 1
    assert want is None or list(done) == [want]
    (text,) = done.values()
    assert b"- here\n" in text
    assert b"- there\n" in text


def test_a_change_of_case_is_a_rename_that_keeps_the_other_side_s_edit(world: World) -> None:
    old = b"- a\n"
    done = merged(world, {"plan.md": old}, {"Plan.md": old}, {"plan.md": old + b"- b\n"})
    assert done == {"Plan.md": old + b"- b\n"}


def test_settings_changed_on_both_sides_stay_valid(world: World) -> None:
    import tomllib

    base = b'[agent]\nname = "ada"\ntimezone = "UTC"\n'
    done = merged(
        world,
        {"mnemofs.toml": base},
        {"mnemofs.toml": base.replace(b"UTC", b"Europe/Rome")},
        {"mnemofs.toml": base.replace(b"UTC", b"Asia/Tokyo") + b"\n[search]\nlimit = 5\n"},
    )
    found = tomllib.loads(done["mnemofs.toml"].decode())
    assert found["agent"]["timezone"] in ("Europe/Rome", "Asia/Tokyo")
    assert found["agent"]["name"] == "ada"


def test_links_and_other_repositories_are_never_merged_as_text(world: World) -> None:
    base: Texts = {"link": (SYMLINK, b"a.md"), "sub": (GITLINK, b"x")}
    plan = world.merge(
        base,
        {"link": (SYMLINK, b"b.md"), "sub": (GITLINK, b"x")},
        {"link": (SYMLINK, b"c.md"), "sub": (GITLINK, b"x")},
    )
    links = {entry[1] for entry in plan.files.values() if entry[0] == SYMLINK}
    assert links == {blob_id(b"b.md"), blob_id(b"c.md")}
    assert plan.files["sub"] == (GITLINK, blob_id(b"x"))


def test_a_long_name_leaves_room_for_its_suffix() -> None:
    name = beside("memory/" + "é" * 127 + "m.md", "1a2b3c4d" * 5)
    assert len(name.rpartition("/")[2].encode()) <= 255
    assert name.endswith("~1a2b3c4.md")


_PATHS = st.sampled_from(
    ["MEMORY.md", "memory/a.md", "memory/A.md", "memory", "notes/x.md", "notes/y.md", "notes",
     "pic.png", "run.sh", "ledger/2026-05.jsonl", "structured/user.md", "notes/x.md/deep.md"]
)  # fmt: skip
_LINES = st.lists(st.sampled_from([b"- one", b"- two", b"## T", b"", b"key: v", b"\xff", b"- x y"]))
_ENTRY = st.tuples(
    st.sampled_from([FILE, FILE, FILE, FILE, EXECUTABLE, SYMLINK]),
    st.one_of(_LINES.map(lambda lines: b"".join(line + b"\n" for line in lines)), st.binary()),
)


def _possible(texts: Texts) -> Texts:
    """Without files where folders stand, and one spelling of each name."""
    folders = {path[:at] for path in texts for at in range(len(path)) if path[at] == "/"}
    kept: Texts = {}
    for path, value in texts.items():
        same = {other.casefold() for other in kept}
        if path not in folders and path.casefold() not in same:
            kept[path] = value
    return kept


_TREE = st.dictionaries(_PATHS, _ENTRY, max_size=6).map(_possible)


@settings(max_examples=400, deadline=None)
@given(_TREE, _TREE, _TREE)
def test_any_three_trees_merge_alike_on_both_machines_and_lose_nothing(
    base: Texts, ours: Texts, theirs: Texts
) -> None:
    world = World()
    plan = world.merge(base, ours, theirs)
    folders = {path[:at] for path in plan.files for at in range(len(path)) if path[at] == "/"}
    assert not folders & plan.files.keys()
    # What one side wrote anew stands: as it is, within a merged text, or in a conflict.
    kept = {entry[1] for entry in plan.files.values()}
    told = [c.ours for c in plan.conflicts] + [c.theirs for c in plan.conflicts]
    trees = [world.tree(side) for side in (base, ours, theirs)]
    old = {entry[1] for entry in trees[0].values()}
    stood = {line for blob in old for line in _lines(world.blobs[blob])}
    for side in trees[1:]:
        for path, (mode, blob) in side.items():
            if blob in kept or blob in old:
                continue
            everything = b"\n".join([*map(world.blobs.__getitem__, kept), *told])
            assert mode in (FILE, EXECUTABLE), path
            for line in _lines(world.blobs[blob]):
                # A line that stood before is not anew: the other side may have deleted it.
                assert line in stood or line in everything, (path, line)


def _lines(data: bytes) -> list[bytes]:
    return [line.strip() for line in data.replace(b"\r", b"\n").split(b"\n")]


@settings(max_examples=200, deadline=None)
@given(_TREE, _TREE, _TREE)
def test_merging_the_result_again_changes_nothing(base: Texts, ours: Texts, theirs: Texts) -> None:
    world = World()
    plan = world.merge(base, ours, theirs)
    trees = [world.tree(side) for side in (base, ours, theirs)]
    for side in trees[1:]:
        # The side is now an ancestor of the result: the result is taken as it is.
        assert plan_merge(side, side, plan.files, world.blobs.__getitem__).files == plan.files
    # Two machines that merged the same pair at once.
    again = plan_merge(trees[1], plan.files, plan.files, world.blobs.__getitem__)
    assert again.files == plan.files
