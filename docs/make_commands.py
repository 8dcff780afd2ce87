"""Writes docs/commands.md from the program itself.

python docs/make_commands.py            # rewrite the file
"""

from __future__ import annotations

from pathlib import Path

import click

from mnemofs.cli.root import COMMANDS, cli

TARGET = Path(__file__).with_name("commands.md")
HEAD = """# Commands

Made by `python docs/make_commands.py` from the program's own help.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by a guard (nothing was changed). With
`--json` an error is `{"error": {"code", "message", "hint"}}` on standard output.
"""


def manual() -> str:
    """The whole text of commands.md."""
    parts = [HEAD]
    top = click.Context(cli, info_name="mnemofs", **cli.context_settings)
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None
        parts.append(_page(command, click.Context(command, top, info_name=name), 2))
    return "\n".join(parts)


def _page(command: click.Command, context: click.Context, level: int) -> str:
    context.terminal_width = context.max_content_width = 100
    text = f"{'#' * level} {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            inner = click.Context(child, context, info_name=name)
            text += "\n" + _page(child, inner, level + 1)
    return text


if __name__ == "__main__":
    TARGET.write_text(manual(), encoding="utf-8")
