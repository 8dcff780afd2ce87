"""`Toolset`: the tools over one memory, for one agent and one person.

The host binds it; the model chooses a tool and its arguments and nothing else. Whose memory it is,
who acts and where it comes from are never the model's to say (W-7).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.errors import EditRefused, MnemofsError, NotFound, UnreadableText, UsageError
from mnemofs.markdown.lines import decode, main_ending, with_ending
from mnemofs.names import check_path, collision_key
from mnemofs.tools import searching
from mnemofs.tools.arguments import parse
from mnemofs.tools.schemas import BY_NAME, TOOLS, schema

if TYPE_CHECKING:
    from mnemofs.results import WriteResult
    from mnemofs.view import View
    from mnemofs.view.tooling import FileInfo


_MOST_KNOWN = 64
_MARK = b"\xef\xbb\xbf"  # a byte order mark is no part of the text


class Answer(NamedTuple):
    """What a tool says: JSON, or lines of text. failed: nothing was done, and the text says why."""

    text: str
    failed: bool = False


class Toolset:
    """The tools of one view.

    agent_id: the agent's id; every other one that a model sends is refused. "" takes any, because
    it selects nothing, and gives it back. conversation: where it is used, the source of what is
    written. without: more conversations that session search leaves out.
    """

    def __init__(
        self,
        view: View,
        *,
        agent_id: str = "",
        conversation: str = "",
        without: Collection[str] = (),
    ) -> None:
        self._view = view
        self._pinned = agent_id.strip()
        self._conversation = conversation
        self._without = frozenset([*without, conversation])
        # file of the view's own store -> the text that the model knows
        self._known: dict[str, bytes] = {}

    def schemas(self) -> list[dict[str, Any]]:
        """The tools for the `tools` of an OpenAI-style chat completion."""
        return [schema(tool, self._pinned) for tool in TOOLS]

    def call(self, name: str, arguments: str | Mapping[str, Any] = "") -> str:
        """Run a tool as a model asked for it; its JSON, or `{"error": true, "message": …}`.

        Never raises for anything a model can send.
        """
        return self.answer(name, arguments).text

    def answer(self, name: str, arguments: str | Mapping[str, Any] = "") -> Answer:
        """The same, with whether it failed."""
        tool = BY_NAME.get(name) if isinstance(name, str) else None
        try:
            if tool is None:
                known = ", ".join(BY_NAME)
                raise UsageError("there is no such tool", hint=f"there are {known}")
            agent, values = parse(tool, arguments)
            if self._pinned and agent != self._pinned:
                raise UsageError("agentId is another agent's; these tools reach only your own")
            result = getattr(self, name)(**{_snake(key): value for key, value in values.items()})
        except MnemofsError as error:
            return _failure(name, error.message + (f" ({error.hint})" if error.hint else ""))
        except Exception as error:  # a tool that breaks must not end the conversation
            return _failure(name, f"internal error ({type(error).__name__}) in this tool")
        if isinstance(result, str):
            return Answer(result)
        if "agentId" in result:
            result["agentId"] = agent
        return Answer(_json(result), result.get("success") is False)

    # The tools. Each returns its result as JSON values; agentId is filled in by `answer`.

    def list_workspace_memory_files(self, filename_prefix: str = "") -> dict[str, Any]:
        """Files in the order of the prompt, then by name."""
        files = [
            {
                "filename": one.path,
                "enabled": one.in_prompt,
                "fileSize": one.size,
                "updateTime": _time(one),
                "scope": one.scope,
                "ownerKey": one.owner,
            }
            for one in self._view.files(filename_prefix)
        ]
        return {"agentId": self._pinned, "count": len(files), "files": files}

    def read_workspace_memory_file(self, filename: str) -> dict[str, Any]:
        """A file's text; the person's own file where there is one, else the shared one."""
        info, content = self._view.file(filename)
        if info.mine:
            self._knows(info.path, content)
        self._view.mark_read(info)
        return {
            "agentId": self._pinned,
            "filename": info.path,
            "enabled": info.in_prompt,
            "fileSize": info.size,
            "content": _text(content, info.path),
            "updateTime": _time(info),
            "scope": info.scope,
            "ownerKey": info.owner,
        }

    def write_workspace_memory_file(self, filename: str, content: str) -> dict[str, Any]:
        """A whole file. What changed since it was read here is merged, never lost (W-15)."""
        base = self._known.get(collision_key(check_path(filename)))
        content = self._with_its_ends(filename, content)
        done = self._view.write(filename, content, base=base, source=self._conversation)
        info, now = self._view.file(filename)
        self._knows(info.path, content.encode())
        message = _said(done, "wrote", done.path)
        if done.commit and now.removeprefix(_MARK) != content.encode():
            message += "; it is not exactly what you sent, so read it again"
        return {
            "agentId": self._pinned,
            "filename": done.path,
            "created": done.status == "created",
            "overwritten": done.status in ("replaced", "appended"),
            "enabled": info.in_prompt,
            "bytesWritten": len(content.encode()) if done.commit else 0,
            "scope": info.scope,
            "ownerKey": info.owner,
            "message": message,
        }

    def edit_workspace_memory_file(
        self, filename: str, old_text: str, new_text: str = "", replace_all: bool = False
    ) -> dict[str, Any]:
        """A piece of a file. A shared file is not copied into a person's memory to be changed."""
        from mnemofs.markdown.edits import find_replace

        info, _ = self._view.file(filename)
        if not info.mine:
            raise NotFound(
                f"{filename} belongs to a memory that is shared and is not changed from here",
                hint="remember what is only true for this person",
            )
        done = self._view.edit(
            filename, old_text, new_text, replace_all=replace_all, source=self._conversation
        )
        known = self._known.get(collision_key(info.path))
        if known is not None:
            with suppress(EditRefused):
                swapped, _ = find_replace(known, old_text, new_text, replace_all=replace_all)
                self._knows(info.path, swapped)
        after, _ = self._view.file(filename)
        return {
            "agentId": self._pinned,
            "filename": done.path,
            "replacements": done.replacements,
            "replaceAll": replace_all,
            "fileSizeAfter": after.size,
            "scope": after.scope,
            "ownerKey": after.owner,
            "message": _said(done, "edited", done.path),
        }

    def search_workspace_memory(
        self, query: str, scope: str = "all", limit: int = 10
    ) -> dict[str, Any]:
        """The lines that answer, best first, over every file this person may see."""
        found = searching.search(self._view, query, scope, limit)
        return {"agentId": self._pinned, **found}

    def remember(self, content: str, source: str = "") -> dict[str, Any]:
        """A dated line in MEMORY.md. source: what the line names as its origin."""
        done = self._view.remember(
            content, source=self._conversation, said_by=source or "agent", actor="tool"
        )
        known = "it stands there already; nothing was changed"
        message = _said(done, "remembered in", done.path, unchanged=known)
        return {"success": True, "file": done.path, "message": message}

    def remember_structured(self, type: str, key: str, content: str) -> dict[str, Any]:  # noqa: A002
        """An entry under its key."""
        done = self._view.remember(
            content, kind=type, key=key, source=self._conversation, said_by="agent", actor="tool"
        )
        message = _said(done, "remembered in", done.path)
        return {"success": True, "type": type, "key": key, "message": message}

    def recall_structured(self, type: str | None = None, keyword: str = "") -> dict[str, Any]:  # noqa: A002
        """Entries of this person and the shared ones."""
        kept = self._view.structured(type, keyword)
        entries = [
            {
                "type": one.kind,
                "key": one.key,
                "content": one.content,
                "updated": one.updated.isoformat() if one.updated else "",
                "scope": one.scope,
            }
            for one in kept.entries
        ]
        found = {"agentId": self._pinned, "count": len(entries), "entries": entries}
        return found | ({"warnings": list(kept.warnings)} if kept.warnings else {})

    def forget_structured(self, type: str, key: str) -> dict[str, Any]:  # noqa: A002
        """An entry less; only by its exact key, and only in this person's own memory."""
        done = self._view.forget_structured(type, key, source=self._conversation)
        if done.commit:
            return {"success": True, "message": _said(done, "forgot it in", done.path)}
        shared = any(one.key == key for one in self._view.structured(type).entries)
        where = "; it stands in the shared memory, which is not this person's" if shared else ""
        return {"success": False, "message": f"there is no such entry in {done.path}{where}"}

    def fact_probe(self, entity: str) -> str:
        """What is known about something, one fact a line; that it was asked counts as use."""
        return self._view.fact_probe(entity) or "nothing is known about that"

    def fact_list_contradictions(self) -> str:
        """What contradicts itself and is undecided, one a line."""
        return self._view.fact_list_contradictions() or "no contradictions"

    def session_search(self, mode: str, query: str = "", limit: int = 10) -> dict[str, Any]:
        """This person's other conversations; the one that is going on is left out."""
        if mode == "recent":
            return searching.recent_sessions(self._view, limit, self._without)
        if not query:
            raise UsageError("query is required for mode search")
        return searching.sessions(self._view, query, limit, self._without)

    def _with_its_ends(self, filename: str, content: str) -> str:
        """The text with the line ends of the file that it replaces: a model writes only `\\n`."""
        own = next((text for info, text in self._view.copies(filename) if info.mine), b"")
        ending = main_ending(own.decode("utf-8", "replace"))
        return content if "\r" in content else with_ending(content, ending)

    def _knows(self, path: str, content: bytes) -> None:
        """The model has this text of a file in mind: what it writes next is made from it."""
        key = collision_key(path)
        self._known.pop(key, None)
        self._known[key] = content
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]


def _said(done: WriteResult, verb: str, path: str, *, unchanged: str = "") -> str:
    """What happened, in one line, with what there is to know about it."""
    if done.commit is None:
        text = unchanged or f"{path} says that already; nothing was changed"
    else:
        text = f"{verb} {path} (commit {done.commit[:10]})"
    if done.conflicts:
        text += "; it had changed meanwhile, and both texts were kept"
    return "; ".join((text, *done.warnings))


def _failure(name: object, message: str) -> Answer:
    if name == "remember":
        return Answer(_json({"success": False, "error": message, "message": message}), True)
    return Answer(_json({"error": True, "message": message}), True)


def _json(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)
    return text


def _time(info: FileInfo) -> str:
    """Local time in the workspace zone, without the zone, to the second."""
    return info.changed.replace(tzinfo=None).isoformat(timespec="seconds")


def _text(content: bytes, path: str) -> str:
    try:
        return decode(content).text
    except UnreadableText:
        raise UnreadableText(f"{path} is not UTF-8 text and cannot be shown", path=path) from None


def _snake(name: str) -> str:
    """`filenamePrefix` → `filename_prefix`."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
