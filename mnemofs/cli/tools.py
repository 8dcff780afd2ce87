"""tools: what an agent can call, shown and called from a shell."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from mnemofs.cli.options import json_option, open_view, owner_option, workspace_option
from mnemofs.cli.output import print_json, say, say_json, style


def agent_option(command: Any) -> Any:
    """--agent-id: the id that the tools answer to."""
    return click.option(
        "--agent-id", metavar="ID", default="", help="Refuse calls that name another agent."
    )(command)


@click.group(invoke_without_command=True)
@agent_option
@json_option
@click.pass_context
def tools(ctx: click.Context, agent_id: str, as_json: bool) -> None:
    """List the memory tools for agents; with --json as schemas for function calling.

    The list goes into the `tools` of a chat completion as it is; what the model then calls is run
    by `mnemofs tools call`, or in Python by `mnemofs.tools.Toolset`.
    """
    if ctx.invoked_subcommand is not None:
        return
    from mnemofs.tools.schemas import TOOLS, schema

    if as_json:
        print_json([schema(tool, agent_id) for tool in TOOLS])
        return
    for tool in TOOLS:
        names = ", ".join(
            param.name if param.required else f"[{param.name}]" for param in tool.params
        )
        say(f"{style(tool.name, 'bold')}({names})")
        say(f"    {tool.about}")


@tools.command("call")
@click.argument("name")
@click.option(
    "--args",
    "arguments",
    metavar="JSON",
    default="-",
    help="The arguments as one JSON object; - (the default) reads them from standard input.",
)
@click.option("--conversation", metavar="ID", default="", help="The chat this is done in.")
@agent_option
@workspace_option
@owner_option
def call(
    name: str,
    arguments: str,
    conversation: str,
    agent_id: str,
    workspace: str | None,
    owner: str | None,
) -> int:
    """Call the tool NAME as a model would and print what it answers, as JSON.

    agentId may be left out. Exit code 1: the tool refused or failed, and its answer says why.
    """
    from mnemofs.tools import Toolset

    view = open_view(workspace, owner)
    toolset = Toolset(view, agent_id=agent_id, conversation=conversation)
    if arguments == "-":
        arguments = "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace")
    answer = toolset.answer(name, _with_agent(arguments, agent_id or view.config.agent.name))
    say_json(answer.text)
    return 1 if answer.failed else 0


def _with_agent(arguments: str, agent_id: str) -> str | dict[str, Any]:
    """The arguments with an agent id, when they are an object without one."""
    try:
        given = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments
    return {"agentId": agent_id, **given} if isinstance(given, dict) else arguments
