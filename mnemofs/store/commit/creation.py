"""Making a new repository, or taking one over that is there, without asking git."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mnemofs.errors import MnemofsError, UnsupportedRepository
from mnemofs.store.commit.recovery import exclude
from mnemofs.store.disk.durable import sync, sync_folders
from mnemofs.store.disk.failures import storage_errors
from mnemofs.store.git.config import GitConfig
from mnemofs.store.git.ignore import escape
from mnemofs.store.git.layout import Layout, find

BRANCH = "main"
_ATTRIBUTES = b"*.md text eol=lf\n*.jsonl text eol=lf\nmnemofs.toml text eol=lf\n"


def create_repository(root: str) -> tuple[Layout, tuple[str, ...]]:
    """The layout of the repository at `root`, made if there is none, and warnings.

    Inside another repository this one is added to that one's `info/exclude`; its `.gitignore` is
    never touched.
    """
    with storage_errors(root):
        os.makedirs(root, exist_ok=True)
        warnings = _hide_from_outer(root)
        if not os.path.lexists(os.path.join(root, ".git")):
            _refuse_bare(root)
            skeleton(os.path.join(root, ".git"))
    return find(root), warnings


def first_files(layout: Layout, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those of `files` that do not exist, and `.gitattributes` where git would change bytes."""
    wanted = dict(files)
    config = GitConfig(layout.common_dir, layout.git_dir)
    if (config.get("core.autocrlf") or "false").lower() not in ("false", "no", "off", "0"):
        wanted[".gitattributes"] = _ATTRIBUTES
    return {
        path: content
        for path, content in wanted.items()
        if not os.path.lexists(os.path.join(layout.root, path))
    }


def skeleton(git_dir: str) -> None:
    """Make an empty git directory that no commit has reached yet."""
    # Made aside and renamed, so that a half-made repository is never mistaken for one.
    aside = f"{git_dir}.{os.getpid()}.new"
    for folder in (
        "objects/info",
        "objects/pack",
        "refs/heads",
        "refs/tags",
        "info",
        "mnemofs/tmp",
    ):
        os.makedirs(os.path.join(aside, folder), exist_ok=True)
    _write(os.path.join(aside, "HEAD"), f"ref: refs/heads/{BRANCH}\n")
    lines = ["[core]", "\trepositoryformatversion = 0"]
    probe = os.path.join(aside, "HEAD")
    os.chmod(probe, os.stat(probe).st_mode ^ 0o100)
    modes = bool(os.stat(probe).st_mode & 0o100)
    os.chmod(probe, os.stat(probe).st_mode & ~0o111)
    lines += [f"\tfilemode = {str(modes).lower()}", "\tbare = false", "\tlogallrefupdates = true"]
    if os.path.exists(os.path.join(aside, "hEaD")):
        lines.append("\tignorecase = true")
    if _composes_names(aside):
        lines.append("\tprecomposeunicode = true")
    _write(os.path.join(aside, "config"), "\n".join(lines) + "\n")
    exclude(aside, ("/.mnemofs/", "/owners/"))
    for folder, _, names in os.walk(aside):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                sync(file.fileno())
        sync_folders([folder])
    os.rename(aside, git_dir)
    sync_folders([os.path.dirname(git_dir)])


def _composes_names(folder: str) -> bool:
    """Whether the disk finds a composed name by its decomposed spelling (macOS)."""
    composed = os.path.join(folder, "\u00e4")
    _write(composed, "")
    try:
        return os.path.exists(os.path.join(folder, "a\u0308"))
    finally:
        os.unlink(composed)


def _hide_from_outer(root: str) -> tuple[str, ...]:
    folder = os.path.dirname(os.path.abspath(root))
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ()
        folder = parent
    try:
        outer = find(folder)
    except MnemofsError:
        return ()
    inner = os.path.relpath(os.path.abspath(root), folder).replace(os.sep, "/")
    if inner == ".mnemofs" or inner.startswith("owners/"):
        return ()  # an owner's repository in a workspace: excluded there already
    try:
        exclude(outer.common_dir, (escape(inner),))
    except OSError:
        return (f"{folder} is a git repository around this workspace and could not be told so",)
    return (
        f"this workspace lies inside the git repository {folder}; "
        f"it was added to that repository's .git/info/exclude",
    )


def _refuse_bare(root: str) -> None:
    if all(os.path.exists(os.path.join(root, part)) for part in ("HEAD", "objects", "refs")):
        raise UnsupportedRepository(
            f"{root} is a bare repository: there is no folder to keep memory in",
            hint="run `mnemofs init` in a new folder",
            path=root,
        )


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
