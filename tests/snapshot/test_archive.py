"""Reading ZIP files with suspicion, and writing them the same each time."""

from __future__ import annotations

import io
import random
import stat
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemofs.errors import GuardRefused, MnemofsError, UsageError
from mnemofs.snapshot.archive import MAX_ENTRY, MAX_TOTAL, read_archive, write_archives
from tests.snapshot.conftest import archive, link, raw

MIB = 1 << 20
NOTE = "memory/2026-05-01.md"


def contents(data: bytes) -> dict[str, bytes | None]:
    return {entry.name: entry.content for entry in read_archive(data)}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("comment", [b"", b"made by hand", b"PK\x05\x06" * 30])
def test_what_other_programs_write_is_read(method: int, comment: bytes) -> None:
    files: dict[str, bytes | str] = {
        "MEMORY.md": b"# M\n",
        "memory/": b"",
        "memories/ü.md": b"x" * 9999,
    }
    found = contents(archive(files, method, comment))
    assert found == {"MEMORY.md": b"# M\n", "memories/ü.md": b"x" * 9999}


def test_an_archive_written_as_a_stream_is_read() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, piece: object) -> int:
            self.data += bytes(piece)  # type: ignore[call-overload]
            return len(piece)  # type: ignore[arg-type]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as made:  # type: ignore[arg-type]
        made.writestr("MEMORY.md", b"streamed\n")
    assert contents(pipe.data) == {"MEMORY.md": b"streamed\n"}


@pytest.mark.parametrize(("number", "allowed"), [(0, True), (1, True), (500, True), (501, False)])
def test_ZIP_02_at_most_500_entries_folders_counted(number: int, allowed: bool) -> None:
    names = [f"memories/{n}.md" if n % 2 else f"d{n}/" for n in range(number)]
    data = archive((name, b"") for name in names)
    if allowed:
        assert len(read_archive(data)) == number // 2
    else:
        with pytest.raises(GuardRefused, match="501 entries"):
            read_archive(data)


@pytest.mark.parametrize("name", ["MEMORY.md", "x.bin", "hooks/big.md"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_ZIP_02_at_most_one_mebibyte_each(name: str, method: int) -> None:
    assert contents(archive({name: b"x" * MIB}, method)) == {name: b"x" * MIB}
    with pytest.raises(GuardRefused, match="1 MiB"):
        read_archive(archive({name: b"x" * (MIB + 1)}, method))


@pytest.mark.parametrize(
    ("sizes", "allowed"),
    [
        ([1_000_000] * 16, True),
        ([1_000_000] * 17, False),
        ([MIB] * 16, True),
        ([MIB] * 16 + [1], False),
    ],
)
def test_ZIP_02_at_most_16_mebibytes_together(sizes: list[int], allowed: bool) -> None:
    data = archive((f"memories/{number}.md", bytes(size)) for number, size in enumerate(sizes))
    if allowed:
        assert len(read_archive(data)) == len(sizes)
    else:
        with pytest.raises(GuardRefused, match="16 MiB together"):
            read_archive(data)


def test_ZIP_02_the_file_itself_is_at_most_16_mebibytes() -> None:
    noise = random.Random(1).randbytes(1_000_000)
    data = archive(((f"memories/{n}.md", noise) for n in range(17)), zipfile.ZIP_STORED)
    with pytest.raises(GuardRefused, match="larger than 16 MiB"):
        read_archive(data)


BOMBS = {
    "declared 10 bytes": raw([(b"MEMORY.md", bytes(50 * MIB))], size=10),
    "declared nothing": raw([(b"MEMORY.md", bytes(50 * MIB))], size=0, crc=0),
    "honest": archive({"MEMORY.md": bytes(50 * MIB)}),
    "many": archive((f"memories/{n}.md", bytes(MIB)) for n in range(400)),
    "shared": raw(
        [(b"memories/%d.md" % n, bytes(MIB)) for n in range(400)], share=True, local_name=b"x"
    ),
    "outside of what belongs": archive({"junk.bin": bytes(50 * MIB)}),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_ZIP_02_a_bomb_is_refused_in_little_memory(kind: str) -> None:
    data = BOMBS[kind]
    tracemalloc.start()
    with pytest.raises((GuardRefused, UsageError)):
        read_archive(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * MIB


def test_ZIP_02_a_huge_directory_is_not_even_walked() -> None:
    one = raw([(b"a", b"")])
    at = one.index(b"PK\x01\x02")
    body, entry = one[:at], one[at:-22]
    many = 300_000
    for said in (0xFFFE, 501, 500, 1):
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, said, said, len(entry) * many, len(body), 0)
        tracemalloc.start()
        with pytest.raises((GuardRefused, UsageError)):
            read_archive(body + entry * many + end)
        assert tracemalloc.get_traced_memory()[1] < len(entry) * many * 3
        tracemalloc.stop()


GOOD = archive({"MEMORY.md": b"# M\n\n- kept\n", NOTE: b"note\n" * 50})
LIES = {
    "size": raw([(b"MEMORY.md", b"text")], size=3),
    "greater size": raw([(b"MEMORY.md", b"text")], size=5),
    "checksum": raw([(b"MEMORY.md", b"text")], crc=1),
    "size and the checksum of a part": raw([(b"MEMORY.md", b"text")], size=2, crc=0x2D87A0B2),
    "another name inside": raw([(b"MEMORY.md", b"text")], local_name=b"SOUL.md.x"[:9]),
    "a longer name inside": raw([(b"MEMORY.md", b"text")], local_name=b"../MEMORY.md"),
    "fewer entries": raw([(b"MEMORY.md", b"a"), (b"SOUL.md", b"b")], count=1),
    "more entries": raw([(b"MEMORY.md", b"a")], count=2),
    "no entries": raw([(b"MEMORY.md", b"a")], count=0),
    "not packed at all": GOOD.replace(b"PK\x03\x04", b"PK\x03\x05"),
    "something behind": GOOD + b"\n",
    "an archive behind": GOOD + GOOD,
    "something before": b"#!/bin/sh\n" + GOOD,
    "an archive before": GOOD + archive({"SOUL.md": b"evil"}),
    "two packed streams": raw([(b"MEMORY.md", b"a")], gap=b"x").replace(b"PK\x05", b"PK\x06"),
    "the end only": GOOD[-22:],
    "nothing": b"",
    "text": b"MEMORY.md\n" * 100,
    "a gzip file": b"\x1f\x8b\x08\x00" + bytes(60),
    "several volumes": GOOD[:-18] + b"\x01\x00" + GOOD[-16:],
}


@pytest.mark.parametrize("kind", LIES)
def test_ZIP_02_an_archive_that_lies_is_refused(kind: str) -> None:
    with pytest.raises(MnemofsError) as caught:
        read_archive(LIES[kind])
    assert "nothing was changed" in caught.value.message


def test_ZIP_02_a_cut_archive_is_refused_wherever_it_is_cut() -> None:
    for length in range(len(GOOD)):
        with pytest.raises(MnemofsError):
            read_archive(GOOD[:length])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_one_wrong_byte_is_refused_or_harmless(place: int, change: int) -> None:
    data = bytearray(GOOD)
    data[place] ^= change
    try:
        found = contents(bytes(data))
    except MnemofsError:
        return
    good = contents(GOOD)
    # What is read nevertheless (times, attributes, a name, a flag) has the bytes it had.
    assert all(content is None or content in good.values() for content in found.values())


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for attempt in (data, b"PK\x03\x04" + data, data + GOOD[-22:]):
        with pytest.raises(MnemofsError):
            read_archive(attempt)


@pytest.mark.parametrize("flags", [0x1, 0x40 | 0x1, 0x2000, 0x2001])
def test_encrypted_entries_are_not_read(flags: int) -> None:
    (entry,) = read_archive(raw([(b"MEMORY.md", b"secret")], flags=flags))
    assert (entry.content, entry.problem) == (None, "encrypted")


@pytest.mark.parametrize("method", [1, 9, 12, 14, 93, 99])
def test_other_kinds_of_packing_are_not_read(method: int) -> None:
    (entry,) = read_archive(raw([(b"MEMORY.md", b"x")], method=method))
    assert entry.content is None and "packed" in entry.problem


@pytest.mark.parametrize(
    "kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK, stat.S_IFDIR]
)
@pytest.mark.parametrize("system", [0, 3, 19])
def test_SEC_02_links_and_devices_are_not_read(kind: int, system: int) -> None:
    info = link("MEMORY.md", "", kind)
    info.create_system = system
    (entry,) = read_archive(archive([(info, b"/etc/passwd")]))
    assert (entry.content, entry.problem) == (None, "not a plain file")


def test_an_archive_inside_stays_closed() -> None:
    inner = archive({"SOUL.md": bytes(MIB)})
    assert contents(archive({"inner.zip": inner})) == {"inner.zip": inner}


@pytest.mark.parametrize(
    ("raw_name", "flags", "name"),
    [
        ("memories/ü.md".encode(), 0x0800, "memories/ü.md"),
        ("memories/ü.md".encode(), 0, "memories/ü.md"),
        ("memories/ü.md".encode("cp437"), 0, "memories/ü.md"),
        (b"memories/\xff.md", 0x0800, "memories/\\xff.md"),
    ],
)
def test_names_are_read_in_the_encoding_they_have(raw_name: bytes, flags: int, name: str) -> None:
    assert contents(raw([(raw_name, b"x")], flags=flags)) == {name: b"x"}


def test_the_same_files_make_the_same_bytes() -> None:
    files = {"b.md": b"b", "a.md": b"a" * 5000, "c/d.md": b""}
    (one,) = write_archives(files, b"{}", "manifest.json")
    (two,) = write_archives(dict(reversed(files.items())), b"{}", "manifest.json")
    assert one == two
    assert list(contents(one)) == ["manifest.json", "a.md", "b.md", "c/d.md"]
    with zipfile.ZipFile(io.BytesIO(one)) as read:
        assert read.testzip() is None


@pytest.mark.parametrize(
    ("number", "size"), [(1, 3), (499, 3), (500, 3), (1100, 3), (420, 40_000), (499, 35_000)]
)
def test_what_is_written_is_always_taken_in(number: int, size: int) -> None:
    noise = random.Random(2).randbytes(size)
    files = {f"memories/{n:04}.md": noise for n in range(number)}
    parts = write_archives(files, b"{}" * 50, "manifest.json")
    found: dict[str, bytes | None] = {}
    for part in parts:
        assert len(part) <= MAX_TOTAL
        found |= contents(part)
    del found["manifest.json"]
    assert found == files
    assert len(parts) <= 1 + number // 499 + number * (size + 300) // MAX_TOTAL


def test_the_largest_file_fits() -> None:
    noise = random.Random(3).randbytes(MAX_ENTRY)
    parts = write_archives({f"{n}.md": noise for n in range(17)}, b"{}", "manifest.json")
    assert [len(read_archive(part)) for part in parts] == [16, 3]
