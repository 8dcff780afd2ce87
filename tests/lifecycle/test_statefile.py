"""What a machine keeps for itself: damage counts as absence, a failed write changes nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemofs.errors import StorageFull, StoreError
from mnemofs.lifecycle import statefile
from mnemofs.lifecycle.forgetting.tombstones import Tombstones
from mnemofs.lifecycle.ledger import ledger_files


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b"[" * 200_000])
def test_what_cannot_be_read_counts_as_absent(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(data)
    assert statefile.load_table(str(file)) == {}


def test_a_folder_or_nothing_counts_as_absent(tmp_path: Path) -> None:
    (tmp_path / "state.json").mkdir()
    assert statefile.load(str(tmp_path / "state.json")) is None
    assert statefile.load(str(tmp_path / "none" / "state.json")) is None


@pytest.mark.parametrize("sync", [True, False])
def test_what_was_saved_is_loaded_and_nothing_else_is_left(tmp_path: Path, sync: bool) -> None:
    file = tmp_path / "below" / "state.json"
    value = {"text": "袋鼠 \ud800", "list": [1, None]}
    statefile.save(str(file), value, sync=sync)
    assert statefile.load_table(str(file)) == {"text": "袋鼠 ?", "list": [1, None]}
    assert os.listdir(file.parent) == ["state.json"]


def test_CON_04_a_full_disk_leaves_what_stood_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state.json"
    statefile.save(str(file), {"old": 1})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StorageFull):
        statefile.save(str(file), {"new": 1})
    assert statefile.load(str(file)) == {"old": 1}
    assert os.listdir(tmp_path) == ["state.json"]


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "state.json" / "inner").mkdir(parents=True)
    with pytest.raises(StoreError, match=r"state\.json"):
        statefile.save(str(tmp_path / "state.json"), {})


def test_SEC_02_what_is_no_plain_file_is_no_ledger(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    (ledger / "2026-01.jsonl").mkdir(parents=True)
    os.mkfifo(ledger / "2026-02.jsonl")
    (ledger / "2026-03.jsonl").symlink_to("/etc/passwd")
    (ledger / "2026-04.jsonl").write_bytes(b"{}\n")
    (ledger / "2026-05.jsonl").write_bytes(b"[]\n")
    (ledger / "notes.txt").write_bytes(b"x")
    found = [("ledger/2026-04.jsonl", b"{}\n"), ("ledger/2026-05.jsonl", b"[]\n")]
    assert list(ledger_files(str(tmp_path))) == found
    assert list(ledger_files(str(tmp_path), newest_first=True)) == found[::-1]
    assert not Tombstones.load(str(tmp_path))
