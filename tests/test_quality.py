"""The project's own rules: style, types, and imports that point down only."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.timeout(400)  # without mypy's cache and with all cores busy
@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy", "--platform=linux"),
        ("mypy", "--platform=darwin"),
        ("mypy", "--platform=win32"),
        ("importlinter.cli", "lint"),
    ],
    ids=lambda command: " ".join(command),
)
def test_the_code_passes(command: tuple[str, ...]) -> None:
    module, *rest = command
    runner = [sys.executable, "-m", module, *rest]
    if module == "importlinter.cli":
        code = "from importlinter.cli import lint_imports_command as main; main()"
        runner = [sys.executable, "-c", code]
    if module == "mypy":
        # One folder for each: what is known of a module holds for one system only.
        runner.append(f"--cache-dir={ROOT / '.mypy_cache' / command[-1].partition('=')[2]}")
    done = subprocess.run(
        runner, cwd=ROOT, capture_output=True, text=True, timeout=380, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_flags_of_open_have_one_home() -> None:
    """So that no file is opened with newlines that Windows translates."""
    own = {
        str(path.relative_to(ROOT)): found
        for folder in ("mnemofs", "sync")
        for path in (ROOT / folder).rglob("*.py")
        if (found := set(re.findall(r"\bos\.O_\w+", path.read_text(encoding="utf-8"))))
    }
    assert own.pop("mnemofs/systems.py")
    assert set().union(*own.values()) <= {"os.O_CREAT"}


def test_no_module_has_grown_into_two() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("mnemofs", "sync")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 450
    }
    assert long == {}


def test_ci_runs_the_readme_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert readme.count("<!-- test command -->") == 1
    assert "<!-- test command -->" in script
