"""fit: make a conversation fit into a model's window."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from mnemofs.cli.options import json_option, text_argument, workspace_option
from mnemofs.cli.output import note, print_json, warn

if TYPE_CHECKING:
    from mnemofs.context.window import Fitted


@click.command()
@click.argument("file", default="-", type=click.Path())
@click.option(
    "-b",
    "--budget",
    type=click.IntRange(min=1),
    help="Tokens that all messages may take (default: [window] max_input_tokens).",
)
@click.option(
    "--engine",
    type=click.Choice(["rules", "llm"]),
    help="Who summarises: a rule, or the model (default: the model when one is set up).",
)
@click.option("--conversation", metavar="ID", default="", help="The conversation's id.")
@click.option("--force", is_flag=True, help="Shorten even if it fits by estimate.")
@workspace_option
@json_option
def fit(
    file: str,
    budget: int | None,
    engine: str | None,
    conversation: str,
    force: bool,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Print the messages in FILE, shortened until they fit. Standard input for `-`.

    FILE holds a JSON list of messages as OpenAI or Anthropic take them, an object with "messages"
    and "tools", or one message a line. A tool call and its answer stay together. With --json:
    the messages with a report.
    """
    messages, tools = _read(file)
    result = _fit(
        workspace,
        messages,
        budget or 0,
        tools=tools,
        engine=engine or "",
        conversation=conversation,
        force=force,
    )
    print_json(result.as_dict() if as_json else list(result.messages))
    if as_json:
        return
    for action in result.actions:
        note(action)
    note(f"{result.tokens_before} tokens before, {result.tokens_after} now, by estimate")
    warn(result.warnings)


def _fit(workspace: str | None, messages: list[Any], budget: int, **options: Any) -> Fitted:
    """In the workspace around here if there is one; its settings are all that is needed of it."""
    from mnemofs import config as settings
    from mnemofs.errors import NotAWorkspace
    from mnemofs.workspace import Workspace

    try:
        root = Workspace.find(workspace, start=os.getcwd())
    except NotAWorkspace:
        if workspace:
            raise
        from mnemofs.context.window import fit
        from mnemofs.context.window_engine import summarizer

        config = settings.load(os.getcwd())
        summarize = summarizer(config.model, options.pop("engine"))
        budget = budget or config.window.max_input_tokens
        return fit(messages, budget, config=config.window, summarize=summarize, **options)
    with Workspace.open(root) as opened:
        return opened.fit(messages, budget, **options)


def _read(file: str) -> tuple[list[Any], list[Any]]:
    """The messages and tools of a file. Raises UsageError for anything else."""
    from mnemofs.errors import UsageError

    try:
        if file == "-":
            text = text_argument(None, "a file with messages")
        else:
            with open(file, encoding="utf-8-sig") as handle:
                text = handle.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"{file} cannot be read: {reason}") from error
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = _lines(text)
    tools: Any = []
    if isinstance(value, Mapping) and "messages" in value:
        value, tools = value["messages"], value.get("tools") or []
    elif isinstance(value, Mapping) and "role" in value:
        value = [value]
    if not isinstance(value, list) or not isinstance(tools, list):
        raise UsageError(
            "the file holds no messages",
            hint='it should be a JSON list of {"role": …, "content": …}',
        )
    if not all(isinstance(tool, Mapping) for tool in tools):
        raise UsageError("the tools must be a list of objects")
    return value, tools


def _lines(text: str) -> list[Any] | None:
    """One JSON value a line; None when it is not."""
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()] or None
    except (ValueError, RecursionError):
        return None
