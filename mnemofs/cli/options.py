"""Options that many commands share, and the memory they lead to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from mnemofs.store.model import Actor
    from mnemofs.view import View
    from mnemofs.workspace import Workspace


class TextCommand(click.Command):
    """A command whose arguments are text: what is not an option of it is never taken for one.

    So "- buy milk", "-5 degrees" and "--- a rule ---" arrive as they were typed.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sorts options from text, then parses as click does."""
        options = {
            name: option
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in option.opts
        }
        known: list[str] = []
        text: list[str] = []
        rest = iter(args)
        for token in rest:
            option = options.get(token.partition("=")[0] if token.startswith("--") else token)
            if token == "--":
                text += rest
            elif option is not None:
                known.append(token)
                if not option.is_flag and "=" not in token:
                    known += [value] if (value := next(rest, None)) is not None else []
            elif token.startswith("--") and token[2:].replace("-", "").isalnum():
                known.append(token)
            else:
                text.append(token)
        return super().parse_args(ctx, [*known, "--", *text])


Command = TypeVar("Command", bound=Callable[..., Any])


def memory_files(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Completes the path of a memory file. Never raises: a shell asks in the middle of a line."""
    from mnemofs.errors import MnemofsError

    try:
        view = open_view(ctx.params.get("workspace"), ctx.params.get("owner"))
        return [entry.path for entry in view.ls(incomplete)]
    except (MnemofsError, OSError):
        return []


def _inherited(ctx: click.Context, option: click.Parameter, value: Any) -> Any:
    """What stands before a subcommand holds for it, too: `review --json show ID`."""
    if value or ctx.parent is None:
        return value
    return ctx.parent.params.get(option.name or "", value)


def _person(ctx: click.Context, option: click.Parameter, value: Any) -> Any:
    """A key that a script left empty never means everybody."""
    if value is not None and not value.strip():
        raise click.BadParameter("it is empty; leave it out for the memory that all share")
    return _inherited(ctx, option, value)


def workspace_option(command: Command) -> Command:
    """--workspace: which memory."""
    return click.option(
        "-w",
        "--workspace",
        metavar="PATH",
        type=click.Path(),
        envvar="MNEMOFS_WORKSPACE",
        callback=_inherited,
        help="The memory folder (or the name of an agent under MNEMOFS_HOME).",
    )(command)


def owner_option(command: Command) -> Command:
    """--owner: whose private memory."""
    return click.option(
        "--owner",
        metavar="KEY",
        envvar="MNEMOFS_OWNER",
        callback=_person,
        help="Use this person's private memory, for example user:42.",
    )(command)


def json_option(command: Command) -> Command:
    """--json: for scripts."""
    return click.option("--json", "as_json", is_flag=True, callback=_inherited, help="Print JSON.")(
        command
    )


def source_option(command: Command) -> Command:
    """--source: where a written memory came from."""
    return click.option(
        "--source", metavar="TEXT", default="", help="Where this came from (a chat, a file, a URL)."
    )(command)


def reading(command: Command) -> Command:
    """The options of every command that reads one person's memory."""
    return workspace_option(owner_option(json_option(command)))


def writing(command: Command) -> Command:
    """The options of every command that writes one person's memory."""
    return workspace_option(owner_option(source_option(json_option(command))))


def open_workspace(workspace: str | None) -> Workspace:
    """The workspace that the option, the variable or the current folder leads to."""
    from mnemofs.workspace import Workspace

    return Workspace.open(Workspace.find(workspace, start=os.getcwd()))


def open_view(workspace: str | None, owner: str | None) -> View:
    """The memory of one person in that workspace, or the workspace's own."""
    opened = open_workspace(workspace)
    return opened.for_owner(owner) if owner else opened


def actor() -> Actor:
    """Who is writing: a person at a terminal, a tool otherwise."""
    return "person" if sys.stdin.isatty() and sys.stdout.isatty() else "tool"


def text_argument(value: str | None, what: str) -> str:
    """The text given as an argument, or standard input for `-` (or nothing, when piped)."""
    if value is None and sys.stdin.isatty():
        raise click.UsageError(f"give {what} as an argument, or - to read it from standard input")
    if value is None or value == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
    return value
