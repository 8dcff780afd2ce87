"""Our packs against git: it verifies them, and reads out of them what was put in."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.store.git.objects import Objects
from mnemofs.store.git.packs import apply_delta
from mnemofs.store.git.packwriter import PackWriter, _delta


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=600),
    st.binary(max_size=600),
    st.binary(max_size=600),
    st.binary(max_size=300),
)
def test_a_difference_makes_the_new_bytes_of_the_old_ones(
    head: bytes, tail: bytes, old: bytes, new: bytes
) -> None:
    base, content = head + old + tail, head + new + tail
    if base and content:
        assert apply_delta(base, _delta(base, content)) == content


def test_long_copies_are_cut_into_pieces_git_allows() -> None:
    base = bytes(range(256)) * 1024
    for content in (base[:200_000] + b"new" + base[200_003:], base + b"x", b"x" + base):
        assert apply_delta(base, _delta(base, content)) == content


@settings(max_examples=15, deadline=None)
@given(st.lists(st.binary(max_size=3000), min_size=1, max_size=60, unique=True))
def test_git_verifies_the_pack(blobs: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        subprocess.run(["git", "init", "-q", name], check=True)
        objects = root / ".git" / "objects"
        writer = PackWriter(str(objects), name)
        previous = None
        grown = b"".join(blobs)
        ids = []
        for number, blob in enumerate(blobs):
            content = grown[: number * 7] + blob + grown
            previous = writer.add("blob", content, previous)
            ids.append((previous.id, content))
        pack = writer.finish()
        assert pack is not None
        done = subprocess.run(
            ["git", "-C", name, "verify-pack", pack], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        reader = Objects(str(root / ".git"))
        for object_id, content in ids:
            assert reader.read(object_id) == ("blob", content)
            shown = subprocess.run(
                ["git", "-C", name, "cat-file", "blob", object_id], capture_output=True, check=True
            )
            assert shown.stdout == content
            break
        reader.close()


def test_an_empty_pack_is_no_pack(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    writer = PackWriter(str(tmp_path), str(tmp_path))
    assert writer.finish() is None and list(tmp_path.iterdir()) == [tmp_path / "pack"]
