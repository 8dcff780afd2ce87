"""What a hook must not pay for: heavy modules on the way to `search --lexical` and `context`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mnemofs import Workspace

HEAVY = (
    "dulwich openai rich pydantic numpy sqlite_vec httpx asyncio watchdog detect_secrets "
    "markdown_it merge3 click fast_use filelock subprocess logging typing hashlib tomllib threading"
).split()

PROBE = """
import json, sys, io
from mnemofs.cli.main import run
out, sys.stdout = sys.stdout, io.StringIO()
code = run(sys.argv[1:])
sys.stdout = out
print(json.dumps([code, sorted({name.partition('.')[0] for name in sys.modules})]))
"""


@pytest.mark.parametrize(
    "command",
    [
        ["context"],
        ["context", "-q", "when do we deploy?"],
        ["context", "--owner", "user:1", "--json"],
        ["search", "--lexical", "deploy"],
        ["search", "--lexical", "--json", "-n", "3", "部署"],
    ],
    ids=" ".join,
)
def test_a_hook_loads_nothing_heavy(ws: Workspace, root: Path, command: list[str]) -> None:
    ws.remember("We deploy on Fridays")
    ws.search("deploy", mode="lexical")
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *command],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    code, loaded = json.loads(done.stdout)
    assert code == 0
    assert not set(HEAVY) & set(loaded)


def test_the_short_way_says_what_the_long_way_says(ws: Workspace, root: Path) -> None:
    ws.remember("We deploy on Fridays")

    def printed(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "mnemofs", *arguments],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    short = printed("search", "--lexical", "deploy")
    # `--limit=10` is not plain, so it goes the long way.
    assert short and short == printed("search", "--lexical", "deploy", "--limit=10")
    assert printed("context", "-q", "deploy") == printed("context", "--query=deploy")


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    code = "import sys, mnemofs; print([name for name in sys.modules if name[:8] == 'mnemofs.'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
