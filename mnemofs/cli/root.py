"""The full command line: the group of all commands, help and completion.

Commands are imported when they are called, so that each pays only for its own.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from mnemofs import __version__
from mnemofs.cli.output import fail

# name: (module in mnemofs.cli, group in the help, one line)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("setup", "Start", "Create a memory folder."),
    "demo": ("demo", "Start", "Build an example memory and walk through it."),
    "status": ("setup", "Start", "Show where the memory is and whether all is well."),
    "doctor": ("setup", "Start", "Check everything that could be wrong and say what to do."),
    "index": ("setup", "Start", "Bring search fully up to date, with progress."),
    "remember": ("files", "Write", "Remember one thing for good."),
    "note": ("files", "Write", "Add to today's note."),
    "write": ("files", "Write", "Write a file, a section or keys of it."),
    "edit": ("files", "Write", "Replace a piece of text in a file."),
    "rm": ("files", "Write", "Delete a file (history keeps it)."),
    "ls": ("files", "Read", "List memory files."),
    "cat": ("files", "Read", "Print a file, now or as it was."),
    "search": ("recall", "Read", "Find memories by words and by meaning."),
    "context": ("recall", "Read", "Print what an agent should be told."),
    "fit": ("window", "Read", "Make a conversation fit into a model's window."),
    "why-in-context": ("recall", "Read", "Show what prompts were given, and why."),
    "tools": ("tools", "Read", "List the memory tools for agents, or call one."),
    "log": ("history", "History", "List what changed, when and why."),
    "diff": ("history", "History", "Show the changes themselves."),
    "blame": ("history", "History", "Show where each line came from."),
    "restore": ("history", "History", "Bring back a file as it was."),
    "undo": ("history", "History", "Take back a change."),
    "extract": ("extract", "Learn", "Learn from a conversation."),
    "dream": ("dreams", "Learn", "Consolidate recent notes into long-term memory."),
    "dreams": ("dreams", "Learn", "Look at past dreams, and at what the next would weigh."),
    "consolidate": ("upkeep", "Learn", "Join structured entries that say the same thing."),
    "soul": ("upkeep", "Learn", "Let the agent's character grow with its memory."),
    "facts": ("facts", "Learn", "See what memory states, rate it, forget it."),
    "contradictions": ("facts", "Learn", "See and settle facts that cannot both be true."),
    "card": ("facts", "Learn", "See what dreams added since you last looked."),
    "review": ("review", "Learn", "See and decide what waits for a person."),
    "watch": ("watching", "Learn", "Commit and index edits as they are made."),
    "schedule": ("schedule", "Learn", "Run dreams and upkeep at their times."),
    "remote": ("sharing", "Share", "Choose where this memory is shared."),
    "sync": ("sharing", "Share", "Meet the other copies: pull, merge, push."),
    "export": ("exchange", "Share", "Write the memory into a ZIP file."),
    "import": ("exchange", "Share", "Take in a ZIP file, after a look at what it would do."),
    "forget": ("forgetting", "Forget", "Forget a statement, an entry or a person; with a receipt."),
    "purge": ("forgetting", "Forget", "Erase a text from files and history, and prove it."),
    "scan": ("forgetting", "Forget", "Look for secrets in files and history."),
}


# What click from 8.2 on raises for a group without a command; those before print the help.
_HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class Commands(click.Group):
    """The command group, listed from `COMMANDS` and imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called `cmd_name`, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"mnemofs.cli.{COMMANDS[cmd_name][0]}")
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(module, name, None) or getattr(module, f"{name}_")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command list by purpose, without importing any of them."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, (_, group, line) in COMMANDS.items():
            groups.setdefault(group, []).append((name, line))
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, naming the nearest command when there is none of that name."""
        known = not args or args[0] in COMMANDS or args[0].startswith("-")
        if not known and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"there is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


def _completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if not shell or ctx.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    maker = get_completion_class(shell)
    if maker is None:
        raise click.UsageError(f"no completion for the shell {shell}", ctx)
    click.echo(maker(cli, {}, "mnemofs", "_MNEMOFS_COMPLETE").source())
    ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="mnemofs")
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    expose_value=False,
    is_eager=True,
    callback=_completion,
    help="Print the tab completion for a shell; add it to the shell's start-up file.",
)
def cli() -> None:
    """A memory for AI agents that is a folder: Markdown files, every change a commit.

    Commands find the memory by --workspace, by MNEMOFS_WORKSPACE, or as the nearest folder above
    that holds a mnemofs.toml.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by a guard (nothing was changed).
    """


def run(arguments: list[str], *, as_json: bool) -> int:
    """Parse and run one command line; the exit code. Lets errors of commands through."""
    try:
        result: Any = cli.main(args=arguments, prog_name="mnemofs", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        fail("aborted", as_json=as_json)
        return 130
    except _HELP as error:
        # Nothing was asked: how to ask, and nothing else.
        sys.stderr.write(error.format_message() + "\n")
        return 2
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        hint = f"see `{where.command_path} --help`" if where else ""
        fail(error.format_message(), code="usage", hint=hint, as_json=as_json)
        return 2
    return result if isinstance(result, int) else 0
