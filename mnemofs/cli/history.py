"""log, diff, blame, restore, undo: what happened to the memory, and taking it back."""

from __future__ import annotations

from datetime import datetime

import click

from mnemofs.cli.changes import file_dict, print_file
from mnemofs.cli.options import actor, memory_files, open_view, reading, writing
from mnemofs.cli.output import count, note, print_json, say, style, warn

# Trust that needs no saying; text from the web does.
_ORDINARY = ("user", "agent")


@click.command()
@click.argument("path", required=False, shell_complete=memory_files)
@click.option(
    "-p",
    "--path",
    "below",
    metavar="PATH",
    shell_complete=memory_files,
    help="Only this file or folder.",
)
@click.option("-n", "--limit", type=click.IntRange(1), default=30, show_default=True)
@click.option("--actor", "by", metavar="NAME", help="Only by person, tool, extractor, dream, ...")
@click.option("--since", metavar="WHEN", help="Only after this date or time.")
@click.option("--until", metavar="WHEN", help="Only up to this date or time.")
@reading
def log(
    path: str | None,
    below: str | None,
    limit: int,
    by: str | None,
    since: str | None,
    until: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """List changes, newest first: when, by whom, why, and what they touched."""
    if path and below:
        raise click.UsageError("name the file once, as PATH or with --path")
    path = path or below
    view = open_view(workspace, owner)
    commits = view.log(path, limit=limit, actor=by, since=since, until=until)
    if as_json:
        print_json(
            [
                {
                    "commit": commit.id,
                    "time": commit.time.isoformat(),
                    "actor": commit.actor,
                    "reason": commit.reason,
                    "source": commit.source,
                    "trust": commit.trust,
                    "paths": list(commit.paths),
                    "conflicts": list(commit.conflicts),
                }
                for commit in commits
            ]
        )
        return
    for commit in commits:
        when = view.clock.local(commit.time)
        line = f"{style(commit.id[:10], 'yellow')}  {_moment(when)}  {style(commit.actor, 'cyan')}"
        say(f"{line}  {commit.reason}")
        about = [", ".join(commit.paths[:4]) + (" …" if len(commit.paths) > 4 else "")]
        if commit.source:
            about.append(f"from {commit.source}")
        if commit.trust not in _ORDINARY:
            about.append(f"({commit.trust})")
        if commit.conflicts:
            about.append(f"{count(len(commit.conflicts), 'place')} kept both texts")
        if any(about):
            say(style("            " + "  ".join(part for part in about if part), "dim"))
    if not commits:
        note("no changes" + (f" of {path}" if path else ""))


@click.command()
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option("-p", "--path", shell_complete=memory_files, help="Only this file.")
@reading
def diff(
    old: str | None,
    new: str | None,
    path: str | None,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Show changes. Without arguments: what is not committed yet, else the last commit.

    With OLD: what that commit changed. With OLD and NEW (commits or dates): all between them.
    """
    view = open_view(workspace, owner)
    files = view.diff(old, new, path=path)
    if as_json:
        print_json([file_dict(file) for file in files])
        return
    for file in files:
        print_file(file)
    if not files:
        note("no differences")


@click.command()
@click.argument("path", shell_complete=memory_files)
@click.option("--at", metavar="WHEN", help="As it was: a commit, a date or a time.")
@reading
def blame(
    path: str, at: str | None, workspace: str | None, owner: str | None, as_json: bool
) -> None:
    """Show for each line of PATH when it was written, by whom, and from what."""
    view = open_view(workspace, owner)
    lines = view.blame(path, at=at)
    if as_json:
        print_json(
            [
                {
                    "line": line.line,
                    "text": line.text,
                    "commit": line.commit,
                    "actor": line.actor,
                    "source": line.source,
                    "trust": line.trust,
                    "time": line.time.isoformat(),
                }
                for line in lines
            ]
        )
        return
    who = [
        ("" if line.trust in _ORDINARY else f"{line.trust}: ")
        + f"{line.actor} {line.source}".strip()
        for line in lines
    ]
    width = min(max(map(len, who), default=0), 28)
    for line, name in zip(lines, who, strict=True):
        shown = name if len(name) <= width else name[: width - 1] + "…"
        when = view.clock.local(line.time).strftime("%Y-%m-%d")
        head = f"{line.commit[:10]}  {when}  {shown.ljust(width)}"
        say(f"{style(head, 'dim')}  {line.text}")


@click.command()
@click.argument("path", shell_complete=memory_files)
@click.argument("when", required=False)
@click.option("--force", is_flag=True, help="Even if it brings back what was forgotten.")
@reading
def restore(
    path: str,
    when: str | None,
    force: bool,
    workspace: str | None,
    owner: str | None,
    as_json: bool,
) -> None:
    """Bring back PATH as it was at WHEN (a commit, a date or a time), as a new commit.

    Without WHEN: as it was before its last change.
    """
    result = open_view(workspace, owner).restore(path, when, actor=actor(), force=force)
    if as_json:
        print_json(result.as_dict())
        return
    if result.commit is None:
        say(f"{result.path} is that already")
    else:
        say(f"{style('restored', 'green')} {result.path} in {result.commit[:10]}")
    warn(result.warnings)


@click.command()
@click.argument("commit", required=False)
@click.option("--force", is_flag=True, help="Even if it brings back what was forgotten.")
@writing
def undo(
    commit: str | None,
    force: bool,
    workspace: str | None,
    owner: str | None,
    source: str,
    as_json: bool,
) -> None:
    """Take back COMMIT (default: the last change). What was written since then stays.

    Undoing an undo brings the change back.
    """
    view = open_view(workspace, owner)
    done, about = view.undo(commit, source=source, actor=actor(), force=force)
    if as_json:
        print_json(
            {
                "status": "unchanged" if done.commit is None else "replaced",
                "commit": done.commit,
                "undone": about,
                "paths": list(done.paths),
                "conflicts": len(done.conflicts),
                "warnings": list(done.warnings),
            }
        )
        return
    if done.commit is None:
        say(f"nothing left to take back of {about[:10]}")
    else:
        say(
            f"{style('undone', 'green')} {about[:10]} in {done.commit[:10]}: "
            f"{count(len(done.paths), 'file')} ({', '.join(done.paths)})"
        )
    warn(done.warnings)
    if done.conflicts:
        warn([f"{count(len(done.conflicts), 'place')} kept both texts: see `mnemofs review`"])


def _moment(when: datetime) -> str:
    return when.strftime("%Y-%m-%d %H:%M")
