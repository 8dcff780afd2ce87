"""Bookkeeping of turns on a disk that is full, damaged or half written."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mnemofs.errors import GuardRefused, StoreError
from mnemofs.lifecycle.learning import personal
from mnemofs.lifecycle.learning.spool import Spool
from mnemofs.view import View
from mnemofs.workspace import Workspace


def talk(place: str) -> list[dict[str, str]]:
    said = (f"I moved to {place} for my work", "ok", "I prefer tea over coffee", "Noted.")
    return [
        {"role": ("user", "assistant")[number % 2], "content": text}
        for number, text in enumerate(said)
    ]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.init(tmp_path / "ws", agent="ada") as made:
        yield made


@contextmanager
def full_disk() -> Iterator[None]:
    """No file grows beyond some bytes."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


ACTIONS: dict[str, Callable[[View], object]] = {
    "start": lambda view: view.turn_start("c1", "Good morning, I moved to Bergen"),
    "end": lambda view: view.turn_end("c1", talk("Bergen")),
    "queued": lambda view: view.turn_end("c1", talk("Bergen"), background=True),
    "drained": lambda view: view.drain(hurry=True),
    "extracted": lambda view: view.extract(talk("Bergen"), conversation="c1"),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("owner", ["", "user:ann"])
def test_CON_04_a_full_disk_is_said_and_nothing_is_lost_by_it(
    workspace: Workspace, owner: str, action: str
) -> None:
    view = workspace.for_owner(owner) if owner else workspace
    view.turn_end("c0", talk("Oslo"))
    view.turn_end("c2", talk("Rome"), background=True)
    with full_disk(), pytest.raises(StoreError):
        ACTIONS[action](view)
    assert view.drain(hurry=True).waiting == 0
    assert view.turn_end("c1", talk("Bergen")).status in ("updated", "skipped")
    assert view.search("Rome").hits or view.search("Bergen").hits


def test_CON_04_a_mark_that_was_cut_short_unguards_no_later_one(workspace: Workspace) -> None:
    view = workspace.for_owner("user:ann")
    view.turn_end("c0", talk("Oslo"))
    with (Path(workspace.root) / ".mnemofs/turns/personal").open("ab") as file:
        file.write(b"1234567")
    view.turn_end("mine", talk("Bergen"))
    for said in (talk("Bergen"), talk("Oslo"), [{"role": "user", "content": "hi"}]):
        with pytest.raises(GuardRefused):
            workspace.turn_end("mine", said)
    assert personal.is_personal(workspace.root, personal.marks_of(view._said([], None), "c0"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "note",
    [
        '["a", "b", "c"]', '[1, "r", "no date"]', "[null, null, null]", "7", "[1]",
        '[3, "r", "2026-01-01T00:00:00"]',
    ],
)  # fmt: skip
def test_CON_03_a_damaged_note_of_tries_is_as_good_as_none(workspace: Workspace, note: str) -> None:
    workspace.turn_end("c1", talk("Oslo"), background=True)
    name = Spool(workspace.root).ids()[0]
    (Path(workspace.root) / ".mnemofs/spool/tries.json").write_text(f'{{"{name}": {note}}}')
    assert workspace.turn_status().waiting == 1 and not workspace.turn_warnings()
    assert workspace.drain().done == 1
