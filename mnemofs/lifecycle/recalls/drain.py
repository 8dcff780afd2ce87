"""From the spool into the tables: each noted prompt once, whatever is interrupted."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Any

import apsw

from mnemofs.lifecycle.identity import normal_id
from mnemofs.lifecycle.recalls.spool import (
    SPOOL,
    Injected,
    Shown,
    append,
    may_hold_secret,
    new_prompt,
)
from mnemofs.lifecycle.recalls.texts import Texts
from mnemofs.names import SIDECAR_DIR
from mnemofs.secrets import mask
from mnemofs.store.disk.files import read_file

_MOST_QUERIES = 32
# Seconds since 1970 of the year 9000.
_LATEST = 221_845_392_000


def drain(db: apsw.Connection, root: str) -> tuple[dict[str, int], float]:
    """Count every line of the spool; to be called inside a transaction, and `done` after it.

    A prompt that was counted before (the process died in between) is passed over. Returns the
    files that were read, with how many bytes, and the time of the prompt noted last, 0 for none.
    """
    folder = os.path.join(root, SIDECAR_DIR)
    with contextlib.suppress(FileNotFoundError):
        os.rename(os.path.join(folder, SPOOL), os.path.join(folder, f"{SPOOL}.{new_prompt()}"))
    read: dict[str, int] = {}
    last = 0.0
    texts = Texts(root)
    for name in sorted(os.listdir(folder)):
        if not name.startswith(f"{SPOOL}."):
            continue
        path = os.path.join(folder, name)
        data = read_file(path) or b""
        read[path] = len(data)
        for line in data.split(b"\n"):
            # A line that is damaged or forged stops nobody who asks for the counts.
            with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError, apsw.Error):
                last = _count(db, json.loads(line), texts)
    return read, last


def done(root: str, read: dict[str, int]) -> None:
    """Delete what was counted; lines that came in meanwhile are noted again."""
    for path, size in read.items():
        with contextlib.suppress(OSError), open(path, "rb") as file:
            os.unlink(path)
            # Whoever writes after this sees that the file is gone, and notes it once more.
            file.seek(size)
            if late := file.read():
                append(os.path.join(root, SIDECAR_DIR, SPOOL), late)


def _count(db: apsw.Connection, noted: dict[str, Any], texts: Texts) -> float:
    """Count one prompt; its time. Raises ValueError and kin for a line that is none of ours."""
    prompt, at = str(noted["prompt"]), float(noted["at"])
    if not 0 <= at < _LATEST:
        raise ValueError("no time")
    question, query = str(noted["hash"]), str(noted["query"])
    if db.execute("select 1 from prompt where id = ?", (prompt,)).fetchone():
        return at
    recalled: dict[str, str] = {}
    packs = []
    for path, blob, limit, why, without in noted["files"]:
        shown = Shown(str(path), str(blob), int(limit), str(why), tuple(map(str, without)))
        pack, identities = _pack(db, shown, texts)
        packs.append(pack)
        if shown.why == "read":
            recalled |= dict.fromkeys(identities, shown.path)
    rows = []
    for fields in noted["entries"]:
        one = Injected(*fields)
        for identity, line in texts.of_hit(one):
            recalled[identity] = one.path
            rows.append((prompt, identity, one.path, line, one.why, one.score, one.parts))
    for identity, path in recalled.items():
        _recall(db, identity, path, question, at)
    db.executemany("insert into shown values(?, ?, ?, ?, ?, ?, ?)", rows)
    db.execute(
        "insert into prompt values(?, ?, ?, ?, ?, ?, ?)",
        (
            prompt,
            at,
            str(noted["owner"]),
            mask(query, deep=True)[0] if may_hold_secret(query) else query,
            question,
            json.dumps([mask(str(text))[0] for text in noted["omitted"]], ensure_ascii=False),
            json.dumps(packs),
        ),
    )
    return at


def _recall(db: apsw.Connection, identity: str, path: str, question: str, at: float) -> None:
    row = db.execute("select queries from entry where id = ?", (identity,)).fetchone()
    queries = json.loads(str(row[0])) if row else []
    if question:
        others = [one for one in queries if one != question]
        queries = [*others[1 - _MOST_QUERIES :], question]
    db.execute(
        "insert into entry values(?, ?, 1, 1, ?, ?, ?) on conflict(id) do update set"
        " path = excluded.path, recalls = recalls + 1, today = today + 1,"
        " queries = excluded.queries, first = min(first, excluded.first),"
        " last = max(last, excluded.last)",
        (identity, path, json.dumps(queries), at, at),
    )


def _pack(db: apsw.Connection, shown: Shown, texts: Texts) -> tuple[str, list[str]]:
    """The id of a file as it was shown; its entries are read once for any number of prompts.

    Only files that were read are counted: what every prompt holds says nothing about what is
    wanted (W-10).
    """
    said = "\0".join((shown.path, shown.blob, str(shown.limit), shown.why, *shown.without))
    pack = hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=8).hexdigest()
    row = db.execute("select entries from pack where id = ?", (pack,)).fetchone()
    if row:
        return pack, json.loads(str(row[0]))
    identities = [normal_id(entry.normal) for entry in texts.of_file(shown)]
    db.execute(
        "insert into pack values(?, ?, ?, ?, ?)",
        (pack, shown.path, shown.blob, shown.why, json.dumps(identities)),
    )
    return pack, identities
