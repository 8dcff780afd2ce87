"""The tools as a model sees them: names, parameters and what they are for."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from mnemofs.markdown.kinds import KINDS

Type = Literal["string", "integer", "boolean"]


class Param(NamedTuple):
    """One parameter. default: what it is when left out, None for a required one. blank: whether it
    may be empty. longest: most characters of a short text, 0 for any. least, most: bounds of an
    integer, which is moved into them."""

    name: str
    about: str
    type: Type = "string"
    required: bool = True
    default: str | int | bool | None = None
    blank: bool = False
    choices: tuple[str, ...] = ()
    longest: int = 0
    least: int = 0
    most: int = 0


class Tool(NamedTuple):
    """One tool: a method of `Toolset` of the same name."""

    name: str
    about: str
    params: tuple[Param, ...]


SEARCHED = ("all", "memory", "profile", "persona")
MODES = ("recent", "search")
AGENT = Param("agentId", "Your own agent id, as a string.")
_FILE = Param("filename", "Path of the memory file, such as MEMORY.md or memory/2026-05-01.md.")
_KIND = Param(
    "type",
    "user: who the person is and what they prefer; feedback: how they want the work done; "
    "project: facts of the current project; reference: where things are found.",
    choices=KINDS,
)
_KEY = Param("key", "Name of the entry in snake_case, such as answer_style.", longest=200)

TOOLS: tuple[Tool, ...] = (
    Tool(
        "list_workspace_memory_files",
        "List the memory files. enabled says which of them stand in every prompt already.",
        (Param("filenamePrefix", "Only files whose path starts so.", required=False, default=""),),
    ),
    Tool(
        "read_workspace_memory_file",
        "Read a memory file as a whole. Read a file before you write it.",
        (_FILE,),
    ),
    Tool(
        "write_workspace_memory_file",
        "Write a memory file as a whole. What others changed since you read it is kept. For a "
        "small change use edit_workspace_memory_file, for one fact use remember.",
        (_FILE, Param("content", "The whole new text of the file.", blank=True)),
    ),
    Tool(
        "edit_workspace_memory_file",
        "Replace a piece of text in a memory file. oldText must stand there exactly once, unless "
        "replaceAll is true.",
        (
            _FILE,
            Param("oldText", "The text as it stands there, character by character."),
            Param("newText", "What it becomes; empty to remove it.", blank=True, default=""),
            Param("replaceAll", "Replace every occurrence.", "boolean", False, False),
        ),
    ),
    Tool(
        "search_workspace_memory",
        "Find memories by words and by meaning, best first. Search before you answer questions "
        "about preferences, decisions, people or dates.",
        (
            Param("query", "What you look for: a question or a few words, in any language."),
            Param(
                "scope",
                "Where: all; memory (what happened and was learned); profile (who the person is); "
                "persona (who you are).",
                required=False,
                default="all",
            ),
            Param("limit", "How many hits.", "integer", False, 10, least=1, most=30),
        ),
    ),
    Tool(
        "remember",
        "Keep one fact, decision or lesson for good: a dated line in MEMORY.md.",
        (
            Param("content", "The statement, in one or two sentences, with full dates."),
            Param("source", "Where you have it from.", required=False, default=""),
        ),
    ),
    Tool(
        "remember_structured",
        "Keep a short entry under a key. The same key again replaces the entry.",
        (_KIND, _KEY, Param("content", "One or two sentences.")),
    ),
    Tool(
        "recall_structured",
        "Look up structured entries, all of them or by type and keyword.",
        (
            _KIND._replace(required=False),
            Param("keyword", "Only entries that hold it.", required=False, default=""),
        ),
    ),
    Tool(
        "forget_structured",
        "Remove a structured entry by its exact key.",
        (_KIND, _KEY),
    ),
    Tool(
        "fact_probe",
        "What is known about a person, thing or topic, as short facts with how far to trust them.",
        (Param("entity", "The person, thing or topic."),),
    ),
    Tool(
        "fact_list_contradictions",
        "Facts that contradict each other and that nobody has decided yet.",
        (),
    ),
    Tool(
        "session_search",
        "Look into earlier conversations: the latest ones, or what was said about something.",
        (
            Param("mode", "recent or search.", choices=MODES),
            Param("query", "What was said; for mode search.", required=False, default=""),
            Param("limit", "How many.", "integer", False, 10, least=1, most=50),
        ),
    ),
)
BY_NAME = {tool.name: tool for tool in TOOLS}


def schema(tool: Tool, agent_id: str = "") -> dict[str, Any]:
    """The tool for the `tools` of a chat completion. agent_id: the only one that is taken."""
    agent = AGENT._replace(choices=(agent_id,)) if agent_id else AGENT
    params = (agent, *tool.params)
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.about,
            "parameters": {
                "type": "object",
                "properties": {param.name: _property(param) for param in params},
                "required": [param.name for param in params if param.required],
                "additionalProperties": False,
            },
        },
    }


def _property(param: Param) -> dict[str, Any]:
    made: dict[str, Any] = {"type": param.type, "description": param.about}
    if param.choices:
        made["enum"] = list(param.choices)
    if param.longest:
        made["maxLength"] = param.longest
    if param.most:
        made |= {"minimum": param.least, "maximum": param.most}
    if not param.required and param.default not in (None, ""):
        made["default"] = param.default
    return made
