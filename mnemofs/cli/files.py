"""remember, note, ls, cat, write, edit, rm: the files themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemofs.cli.options import (
    TextCommand,
    actor,
    memory_files,
    open_view,
    reading,
    text_argument,
    writing,
)
from mnemofs.cli.output import count, print_json, say, size, style, warn
from mnemofs.cli.output import note as tell
from mnemofs.errors import NotFound
from mnemofs.markdown.kinds import KINDS

if TYPE_CHECKING:
    from mnemofs.markdown.strategies import Strategy
    from mnemofs.results import WriteResult


@click.command(cls=TextCommand)
@click.argument("text", required=False)
@click.option(
    "--kind", type=click.Choice(KINDS), help="Keep it as a keyed entry of this kind (needs --key)."
)
@click.option(
    "--key", metavar="NAME", help="The entry's name; writing it again replaces the entry."
)
@writing
def remember(
    text: str | None,
    kind: str | None,
    key: str | None,
    workspace: str | None,
    owner: str | None,
    source: str,
    as_json: bool,
) -> int:
    """Remember TEXT for good: a dated line in MEMORY.md, or a keyed entry.

    Use - or a pipe to read TEXT from standard input.
    """
    if bool(kind) != bool(key):
        raise click.UsageError("--kind and --key go together")
    view = open_view(workspace, owner)
    text = text_argument(text, "what to remember")
    result = view.remember(text, kind=kind, key=key, source=source, actor=actor())
    return _report(result, as_json)


@click.command(cls=TextCommand)
@click.argument("text", required=False)
@writing
def note(
    text: str | None, workspace: str | None, owner: str | None, source: str, as_json: bool
) -> int:
    """Add TEXT to today's note, memory/YYYY-MM-DD.md. Earlier lines are never touched."""
    view = open_view(workspace, owner)
    text = text_argument(text, "the text of the note")
    return _report(view.note(text, source=source, actor=actor()), as_json)


@click.command(cls=TextCommand)
@click.argument("path", shell_complete=memory_files)
@click.argument("text", required=False)
@click.option(
    "--merge",
    type=click.Choice(["overwrite", "append", "replace_section", "upsert_kv"]),
    help="How TEXT joins the file: as all of it (the default), behind it, in place of the section "
    "that its first heading names, or key by key (`key: value` lines).",
)
@click.option(
    "--set",
    "pairs",
    metavar="KEY=VALUE",
    multiple=True,
    help="Set a key instead of giving TEXT (upsert_kv); may be repeated.",
)
@click.option(
    "--base", metavar="BLOB", help="The version you started from; later edits are merged."
)
@writing
def write(
    path: str,
    text: str | None,
    merge: Strategy | None,
    pairs: tuple[str, ...],
    base: str | None,
    workspace: str | None,
    owner: str | None,
    source: str,
    as_json: bool,
) -> int:
    """Write TEXT (or standard input) to the file PATH: as the whole file, or as --merge says.

    A section whose heading stands twice is never guessed at; one whose heading only nearly matches
    is added, and the near one is named.
    """
    if pairs and (text is not None or merge not in (None, "upsert_kv")):
        raise click.UsageError("--set goes with --merge upsert_kv and without TEXT")
    view = open_view(workspace, owner)
    if pairs:
        merge = "upsert_kv"
        content: bytes | dict[str, str] = dict(map(_pair, pairs))
    else:
        content = text_argument(text, "the text of the file").encode("utf-8", "surrogateescape")
    result = view.write(
        path, content, merge=merge or "overwrite", base=base, source=source, actor=actor()
    )
    return _report(result, as_json)


@click.command()
@click.argument("path", shell_complete=memory_files)
@click.option("--old", required=True, metavar="TEXT", help="The text that stands there.")
@click.option("--new", required=True, metavar="TEXT", help="What it becomes.")
@click.option("--all", "replace_all", is_flag=True, help="Replace every occurrence.")
@writing
def edit(
    path: str,
    old: str,
    new: str,
    replace_all: bool,
    workspace: str | None,
    owner: str | None,
    source: str,
    as_json: bool,
) -> int:
    """Replace a piece of text in the file PATH. The old text must stand there exactly once."""
    view = open_view(workspace, owner)
    result = view.edit(path, old, new, replace_all=replace_all, source=source, actor=actor())
    return _report(result, as_json)


@click.command()
@click.argument("path", shell_complete=memory_files)
@writing
def rm(path: str, workspace: str | None, owner: str | None, source: str, as_json: bool) -> int:
    """Delete the file PATH. History keeps it: `mnemofs restore PATH` brings it back."""
    view = open_view(workspace, owner)
    return _report(view.rm(path, source=source, actor=actor()), as_json)


@click.command()
@click.argument("prefix", default="", shell_complete=memory_files)
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def ls(
    prefix: str, at: str | None, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """List memory files, all or those whose path starts with PREFIX."""
    view = open_view(workspace, owner)
    entries = (view.at(at) if at else view).ls(prefix)
    if as_json:
        print_json([entry.as_dict() for entry in entries])
        return
    width = max((len(size(entry.size)) for entry in entries), default=0)
    several = len({entry.scope for entry in entries}) > 1
    for entry in entries:
        scope = f"  {style(entry.owner or entry.scope, 'dim')}" if several else ""
        say(f"{style(size(entry.size).rjust(width), 'dim')}  {entry.path}{scope}")
    if not entries:
        tell("no files" + (f" whose path starts with {prefix}" if prefix else ""))


@click.command()
@click.argument("path", shell_complete=memory_files)
@click.option("--section", metavar="TITLE", help="Only the section with this heading.")
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def cat(
    path: str,
    section: str | None,
    at: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Print the file PATH, or one section of it, which `write --merge replace_section` takes."""
    view = open_view(workspace, owner)
    snapshot = view.read(path, at=at)
    content = snapshot.content or b""
    if section is not None:
        content = _section(content, section, path)
    if as_json:
        try:
            text, encoding = content.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            import base64

            text, encoding = base64.b64encode(content).decode(), "base64"
        print_json(
            {"path": snapshot.path, "blob": snapshot.blob, "encoding": encoding, "content": text}
        )
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} sets nothing; write KEY=VALUE")
    return key, value


def _section(content: bytes, title: str, path: str) -> bytes:
    from mnemofs.markdown.edits import read_section

    title = title.lstrip("#").strip() if title.startswith("#") else title
    found = read_section(content, title)
    if found is None:
        raise NotFound(f"there is no such section in {path}", hint=f"mnemofs cat {path}", path=path)
    return found.encode()


def _report(result: WriteResult, as_json: bool) -> int:
    if as_json:
        print_json(result.as_dict())
        return 0
    whose = f" of {result.owner}" if result.owner else ""
    if result.commit is None:
        say(f"{result.path}{whose} is unchanged")
    else:
        undo = style(f"(undo: mnemofs undo {result.commit[:10]})", "dim")
        say(f"{style(result.status, 'green')} {result.path}{whose} in {result.commit[:10]} {undo}")
    warn(result.warnings)
    if result.conflicts:
        warn([f"{count(result.conflicts, 'place')} kept both texts: the file had moved on"])
    return 0
