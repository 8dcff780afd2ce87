"""Machines that share a memory: what is lost, what comes back, and whether they end up alike.

    python benchmarks/sync.py [--seeds 10] [--rounds 60] [--machines 5] [--no-git]

Each machine adds, edits and deletes entries, writes daily notes, rewrites MEMORY.md from a version
it read some time ago (as a dream does), makes, moves and deletes files and edits them by hand. It
is offline for spells, and some of its syncs are ended by kill -9. Every entry carries a word of its
own, so that at the end each one can be looked for. At last all come online and sync until they
hold the same tree.

lost: nobody removed it, and it is gone. back: somebody removed it, and it stands. kept: it stands
because its whole file was deleted or moved here and changed there, which was recorded.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from mnemofs.clock import Clock
from mnemofs.errors import GuardRefused, MnemofsError
from mnemofs.lifecycle.ledger import append_event, event
from mnemofs.markdown import edits
from mnemofs.markdown.entries import StructuredEntry, put_structured
from mnemofs.store.model import Change, Edit
from mnemofs.store.repository import Store
from mnemofs.store.sharing import transport
from mnemofs.store.sharing.cloning import clone
from mnemofs.store.sharing.sync import SyncRules, sync

TOKEN = re.compile(r"\bw\d+x\d+\b")
WORDS = ("tea", "rain", "boat", "train", "garden", "piano", "letter", "market", "bridge", "window")
SECTIONS = ("People", "Places", "Work", "Plans")
START = (
    "# Memory\n\n" + "\n\n".join(f"## {name}\n\n- w0x{i} first" for i, name in enumerate(SECTIONS))
).encode() + b"\n"
DAYS = [date(2026, 5, 1) + timedelta(days=n) for n in range(3)]


@dataclass
class Truth:
    """Every word that was ever written, and those that somebody took out on purpose."""

    written: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)  # of structured keys: one of two may stand
    count: int = 0

    def word(self) -> str:
        """A word that stands nowhere yet."""
        self.count += 1
        made = f"w{self.count}x{self.count % 7}"
        self.written.add(made)
        return made


@dataclass
class Outcome:
    """What a run came to."""

    syncs: int = 0
    kills: int = 0
    merges: int = 0
    refused: int = 0
    flagged: int = 0
    entries: int = 0
    lost: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    kept: int = 0
    doubled: tuple[str, ...] = ()
    markers: int = 0
    trees: int = 0
    unsound: int = 0

    def good(self) -> bool:
        """Whether nothing went wrong."""
        return self.trees == 1 and not (
            self.lost or self.back or self.doubled or self.markers or self.unsound or self.refused
        )


class Machine:
    """One clone and the person, agent and dream that write to it."""

    def __init__(self, root: str, number: int, chance: random.Random, truth: Truth) -> None:
        self.root = root
        self.number = number
        self.chance = chance
        self.truth = truth
        self.offline = 0
        self.store = self.open()
        self.stale: tuple[str | None, bytes] | None = None

    def open(self) -> Store:
        """The store with a clock that is a little wrong."""
        skew = timedelta(seconds=self.number * 90 - 180)
        clock = Clock(UTC, lambda: datetime.now(UTC) + skew)
        return Store.open(self.root, agent=f"m{self.number}", clock=clock, durable=False)

    def act(self) -> None:
        """One thing that happens on this machine."""
        ways = (
            (self.add, 5),
            (self.note, 4),
            (self.change, 4),
            (self.delete, 2),
            (self.dream, 1),
            (self.by_hand, 2),
            (self.new_file, 1),
            (self.drop_file, 1),
            (self.move_file, 1),
            (self.happen, 1),
            (self.prefer, 1),
        )
        way = self.chance.choices([way for way, _ in ways], [weight for _, weight in ways])[0]
        way()

    def line(self) -> str:
        """A new entry."""
        words = " ".join(self.chance.sample(WORDS, 3))
        return f"- {self.truth.word()} {words}"

    def commit(self, path: str, base: str | None, content: bytes | None) -> None:
        """Commit one file, computed from `base`."""
        self.store.commit(Change((Edit(path, base, content),), "tool", f"write {path}"))

    def add(self) -> None:
        """An entry in a section of MEMORY.md, as an agent writes it."""
        seen = self.store.read("MEMORY.md")
        heading = f"## {self.chance.choice(SECTIONS)}"
        lines = (seen.content or START).decode().split("\n")
        at = lines.index(heading) + 2 if heading in lines else len(lines)
        lines.insert(at, self.line())
        self.commit("MEMORY.md", seen.blob, "\n".join(lines).encode())

    def note(self) -> None:
        """An entry in a daily note."""
        day = self.chance.choice(DAYS)
        text = self.line()
        if self.chance.random() < 0.5:
            text = (
                f"- {self.chance.randrange(8, 20):02d}:{self.chance.randrange(60):02d} {text[2:]}"
            )
        path = f"memory/{day}.md"
        seen = self.store.read(path)

        def put(data: bytes | None) -> bytes:
            return edits.append_daily(data, text, day)

        edit = Edit(path, seen.blob, put(seen.content), put)
        self.store.commit(Change((edit,), "tool", "note"))

    def change(self) -> None:
        """An entry gets another text."""
        self._rewrite(lambda line: f"{line[: line.index('w')]}{self.line()[2:]}")

    def delete(self) -> None:
        """An entry goes."""
        self._rewrite(lambda _: None)

    def _rewrite(self, make: object) -> None:
        path = self.chance.choice(["MEMORY.md", *self.files()])
        seen = self.store.read(path)
        lines = (seen.content or b"").decode().split("\n")
        entries = [i for i, line in enumerate(lines) if TOKEN.search(line)]
        if not entries:
            return
        at = self.chance.choice(entries)
        made = make(lines[at])  # type: ignore[operator]
        self.truth.removed.update(TOKEN.findall(lines[at]))
        lines[at : at + 1] = [] if made is None else [made]
        self.commit(path, seen.blob, "\n".join(lines).encode())

    def dream(self) -> None:
        """MEMORY.md rewritten from what was read some time ago: sections in another order, two
        entries made one."""
        if self.stale is None:
            seen = self.store.read("MEMORY.md")
            self.stale = seen.blob, seen.content or START
            return
        base, content = self.stale
        self.stale = None
        head, *parts = content.decode().rstrip("\n").split("\n## ")
        bodies = [part.rstrip("\n").split("\n") for part in parts]
        self.chance.shuffle(bodies)
        for body in bodies[:1]:
            entries = [line for line in body if TOKEN.search(line)]
            if len(entries) > 2:
                for gone in entries[:2]:
                    body.remove(gone)
                    self.truth.removed.update(TOKEN.findall(gone))
                body.append(self.line())
        text = head.rstrip("\n") + "".join("\n\n## " + "\n".join(body) for body in bodies) + "\n"
        change = Change((Edit("MEMORY.md", base, text.encode()),), "dream", "dream")
        self.store.commit(change)

    def by_hand(self) -> None:
        """A person edits a file in an editor; nobody commits it yet."""
        path = os.path.join(self.root, self.chance.choice(["MEMORY.md", *self.files()]))
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        ending = "" if text.endswith("\n") or not text else "\n"
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write(f"{ending}{self.line()}\n")

    def new_file(self) -> None:
        """A file of its own, or one that another machine makes too."""
        name = f"notes/n{self.chance.randrange(6)}.md"
        seen = self.store.read(name)
        if seen.content is None:
            text = f"# Notes\n\n{self.line()}\n{self.line()}\n"
            self.commit(name, None, text.encode())

    def drop_file(self) -> None:
        """A file goes, with all that stands in it."""
        if found := self.files():
            path = self.chance.choice(found)
            seen = self.store.read(path)
            self.truth.removed.update(TOKEN.findall((seen.content or b"").decode()))
            self.commit(path, seen.blob, None)

    def move_file(self) -> None:
        """A file gets another name."""
        if found := self.files():
            path = self.chance.choice(found)
            seen = self.store.read(path)
            folder = "old" if "/moved/" in path else "moved"
            target = f"notes/{folder}/{os.path.basename(path)}"
            if self.store.read(target).content is not None:
                return
            edits_ = (Edit(path, seen.blob, None), Edit(target, None, seen.content))
            self.store.commit(Change(edits_, "tool", f"move {path}"))

    def happen(self) -> None:
        """An event in the ledger."""
        seen = self.store.read("ledger/2026-05.jsonl")
        what = event("feedback", self.store.clock.now(), {"about": self.truth.word()})

        def put(data: bytes | None) -> bytes:
            return append_event(data, what)

        edit = Edit("ledger/2026-05.jsonl", seen.blob, put(seen.content), put)
        self.store.commit(Change((edit,), "tool", "event"))

    def prefer(self) -> None:
        """A structured entry gets a value."""
        seen = self.store.read("structured/user.md")
        word = self.truth.word()
        self.truth.values.add(word)
        self.truth.values.update(TOKEN.findall((seen.content or b"").decode()))
        key = f"key{self.chance.randrange(4)}"
        entry = StructuredEntry(key, f"{word} tea", "chat", self.chance.choice(DAYS))

        def put(data: bytes | None) -> bytes:
            return put_structured(data, entry)

        edit = Edit("structured/user.md", seen.blob, put(seen.content), put)
        self.store.commit(Change((edit,), "tool", "prefer"))

    def files(self) -> list[str]:
        """Files that may be edited and deleted."""
        return sorted(path for path in self.store.scan() if path.startswith("notes/"))

    def sync(self) -> None:
        """Sync at once."""
        self.store.fold(quiet=0.0)
        sync(self.store, SyncRules(allow_deletions=True))

    def killed_sync(self) -> None:
        """A sync in a process of its own that is killed at a random moment."""
        self.store.fold(quiet=0.0)
        child = os.fork()
        if child == 0:
            try:
                sync(self.open(), SyncRules(allow_deletions=True))
            finally:
                os._exit(0)
        time.sleep(self.chance.uniform(0.0, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def run(seed: int, rounds: int, machines: int, *, kill_share: float = 0.08) -> Outcome:
    """One simulation."""
    chance = random.Random(seed)
    base = tempfile.mkdtemp(prefix="mnemofs-sync-")
    try:
        return _run(base, chance, rounds, machines, kill_share)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _run(
    base: str, chance: random.Random, rounds: int, machines: int, kill_share: float
) -> Outcome:
    hub = os.path.join(base, "hub.git")
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", hub], check=True)
    roots = [os.path.join(base, f"m{number}") for number in range(machines)]
    Store.init(roots[0], agent="m0", clock=Clock(), files={"MEMORY.md": START}).close()
    subprocess.run(["git", "-C", roots[0], "remote", "add", "origin", hub], check=True)
    truth = Truth({f"w0x{number}" for number in range(len(SECTIONS))})
    everyone = [Machine(roots[0], 0, chance, truth)]
    everyone[0].sync()
    for number, root in enumerate(roots[1:], 1):
        clone(hub, root, agent=f"m{number}", clock=Clock())
        everyone.append(Machine(root, number, chance, truth))
    result = Outcome()
    for _ in range(rounds):
        for machine in everyone:
            for _ in range(chance.randrange(3)):
                machine.act()
            if machine.offline:
                machine.offline -= 1
            elif chance.random() < 0.1:
                machine.offline = chance.randrange(2, 10)
            elif chance.random() < 0.5:
                result.syncs += 1
                if chance.random() < kill_share:
                    result.kills += 1
                    machine.killed_sync()
                else:
                    _sync(machine, result)
    for _ in range(8):
        for machine in everyone:
            _sync(machine, result)
        if len({git(machine.root, "rev-parse", "HEAD^{tree}") for machine in everyone}) == 1:
            break
    _judge(everyone, hub, truth, result)
    for machine in everyone:
        machine.store.close()
    return result


def _sync(machine: Machine, result: Outcome) -> None:
    try:
        machine.sync()
    except GuardRefused as error:
        result.refused += 1
        print(f"  refused: {error.message}", file=sys.stderr)
    except MnemofsError as error:
        print(f"  {error.message}", file=sys.stderr)


def _judge(everyone: list[Machine], hub: str, truth: Truth, result: Outcome) -> None:
    first = everyone[0]
    result.trees = len({git(one.root, "rev-parse", "HEAD^{tree}") for one in everyone})
    result.merges = len(git(hub, "rev-list", "--merges", "main").split())
    for place in (hub, *(machine.root for machine in everyone)):
        done = subprocess.run(
            ["git", "-C", place, "fsck", "--strict", "--full"], capture_output=True, text=True
        )
        dirty = place != hub and git(place, "status", "--porcelain") != ""
        result.unsound += done.returncode != 0 or "missing" in done.stdout or dirty
    standing: Counter[str] = Counter()
    where: dict[str, set[str]] = {}
    for path in first.store.scan():
        text = (first.store.read(path).content or b"").decode()
        result.markers += "<<<<<<<" in text or ">>>>>>>" in text
        for word in TOKEN.findall(text):
            standing[word] += 1
            where.setdefault(word, set()).add(os.path.basename(path))
    log = git(hub, "log", "--format=%(trailers:key=Mnemofs-Conflict,valueonly)", "main")
    flagged = {os.path.basename(line.partition("#")[0]) for line in log.splitlines() if line}
    result.flagged = sum(1 for line in log.splitlines() if line)
    result.entries = len(standing)
    gone = truth.written - set(standing) - truth.removed - truth.values
    result.lost = tuple(sorted(gone))
    back = truth.removed & set(standing)
    # A whole file that one deleted or moved and another changed stays, and that was recorded.
    files = {name for name in flagged if name.startswith("n")}
    result.kept = sum(bool(where[word] & files) for word in back)
    result.back = tuple(sorted(w for w in back if not where[w] & files))
    result.doubled = tuple(
        sorted(w for w, times in standing.items() if times > 1 and not where[w] & flagged)
    )


def git(folder: str, *words: str) -> str:
    """What git says in a folder."""
    command = ["git", "-C", folder, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Run all seeds and say what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--machines", type=int, default=5)
    parser.add_argument("--no-git", action="store_true", help="use dulwich for the network")
    options = parser.parse_args()
    if options.no_git:
        transport.program = lambda _: None
    good = True
    for seed in range(options.first, options.first + options.seeds):
        began = time.time()
        done = run(seed, options.rounds, options.machines)
        good = good and done.good()
        print(
            f"seed {seed}: {done.syncs} syncs, {done.kills} killed, {done.merges} merges, "
            f"{done.entries} entries; {len(done.lost)} lost, {len(done.back)} back, "
            f"{len(done.doubled)} doubled, {done.markers} markers, {done.trees} trees, "
            f"{done.unsound} unsound, {done.refused} refused; {done.flagged} contradictions "
            f"recorded, {done.kept} kept so; {time.time() - began:.0f} s"
        )
        for what, words in (("lost", done.lost), ("back", done.back), ("doubled", done.doubled)):
            if words:
                print(f"  {what}: {' '.join(words[:12])}")
        sys.stdout.flush()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
