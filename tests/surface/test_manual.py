"""Help and manual: every command is explained, and the manual says what the program says."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mnemofs.cli.root import COMMANDS, cli

ROOT = Path(__file__).resolve().parents[2]
# The commands that DESIGN's steps 1 and 2 promise.
PROMISED = (
    "init demo status doctor remember note ls cat write edit rm search context log diff blame "
    "restore undo extract dream watch remote sync review forget purge scan"
).split()


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli, info_name="mnemofs")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            for child, inner in command.commands.items():
                yield f"{name} {child}", inner


def test_what_was_promised_is_there() -> None:
    assert set(PROMISED) <= set(COMMANDS)


def test_every_command_and_option_is_explained() -> None:
    for name, command in commands():
        assert command.help and command.help.strip(), name
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.name != "limit":
                assert parameter.help, f"{name} {parameter.opts}"


@pytest.mark.parametrize("name", ["commands", "settings"])
def test_the_manual_is_what_the_program_says(name: str) -> None:
    made = runpy.run_path(str(ROOT / "docs" / f"make_{name}.py"))["manual"]()
    assert (ROOT / "docs" / f"{name}.md").read_text("utf-8") == made, (
        f"run: python docs/make_{name}.py"
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_printed(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mnemofs", "--completion", shell],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 and "mnemofs" in done.stdout
