"""Other copies of a memory: which there are, which branch goes where, and how a URL may be shown.

Remotes stand where git keeps them, in `.git/config`, so that `git pull` and mnemofs mean the same
place. A URL is shown only through `Remote.shown` or `redact`: it may hold a token.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mnemofs.errors import NotFound, UsageError
from mnemofs.store.commit.parts import Parts
from mnemofs.store.disk.files import unlink_quietly
from mnemofs.store.git.layout import Layout
from mnemofs.store.git.refmoves import all_refs, move_refs
from mnemofs.store.git.refs import read_head, read_ref
from mnemofs.store.git.settings import replace_section

DEFAULT = "origin"
# The remote's branch as it was when its content was last taken over or sent.
ACCEPTED = "refs/mnemofs/sync/"
RESCUE = "refs/mnemofs/rescue/"
# Histories whose text a merge could not show: so that `git log --all -- FILE` still does.
SIDES = "refs/mnemofs/sides/"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCHEMES = frozenset({"http", "https", "ssh", "git", "file", "git+ssh", "ssh+git"})
_SCP = re.compile(r"(?:[^/\\:@\s]+@)?(?:\[[^\]]+\]|[^/\\:\s]+):(?!//).+", re.S)
_USER_INFO = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/\s\"'<>?#]*)@")
_QUERY = re.compile(r"(://[^\s\"'<>?#]*)\?[^\s\"'<>]*")


@dataclass(frozen=True, slots=True)
class Remote:
    """Another copy. url: as git knows it, never to be printed; shown: the same without secrets."""

    name: str
    url: str

    @property
    def shown(self) -> str:
        """The URL without user names, passwords and tokens."""
        return redact(self.url)


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where the present branch goes. local: "refs/heads/main"; branch: its name over there."""

    remote: Remote
    local: str
    branch: str

    @property
    def tracking(self) -> str:
        """The ref in which git remembers the remote's branch."""
        return f"refs/remotes/{self.remote.name}/{self.branch}"

    @property
    def accepted(self) -> str:
        """The ref in which we remember what of it was taken over or sent."""
        return f"{ACCEPTED}{self.remote.name}/{self.branch}"


def remotes(parts: Parts) -> list[Remote]:
    """All remotes with a URL, by name."""
    parts.refresh()
    found = []
    for name, url in parts.config.names("remote"):
        if name.endswith(".url") and url:
            found.append(Remote(name[len("remote.") : -len(".url")], url))
    return sorted(found, key=lambda remote: remote.name)


def upstream(parts: Parts, name: str | None = None) -> Upstream | None:
    """Where the present branch goes: as git was told, else `origin` or the only remote there is.

    None when there is no remote, no branch, or several remotes and no choice. Raises NotFound for
    a name that is no remote.
    """
    known = {remote.name: remote for remote in remotes(parts)}
    local = read_head(parts.layout).ref
    if name is not None and name not in known:
        raise NotFound(
            f"there is no remote {name}", hint="`mnemofs remote show` lists them, `add` makes one"
        )
    if local is None or not known:
        return None
    short = local.removeprefix("refs/heads/")
    configured = parts.config.get(f"branch.{short}.remote")
    chosen = name or (configured if configured in known else None)
    if chosen is None:
        chosen = DEFAULT if DEFAULT in known else next(iter(known)) if len(known) == 1 else None
    if chosen is None:
        return None
    merge = parts.config.get(f"branch.{short}.merge") if chosen == configured else None
    branch = (merge or local).removeprefix("refs/heads/")
    return Upstream(known[chosen], local, branch)


def add(parts: Parts, name: str, url: str) -> Remote:
    """Note a remote in the repository's settings. Raises UsageError when the name is taken."""
    if not _NAME.fullmatch(name) or name.endswith((".lock", ".")) or ".." in name:
        raise UsageError(f"{name!r} cannot be a remote's name", hint="use letters and digits")
    if any(remote.name == name for remote in remotes(parts)):
        raise UsageError(
            f"there is a remote {name} already",
            hint=f"`mnemofs remote remove {name}` first, or choose another --name",
        )
    values = {"url": url, "fetch": f"+refs/heads/*:refs/remotes/{name}/*"}
    replace_section(parts.layout.common_dir, "remote", name, values)
    return Remote(name, url)


def remove(parts: Parts, name: str) -> None:
    """Forget a remote and what was known of it. Files and history stay. Raises NotFound."""
    if not any(remote.name == name for remote in remotes(parts)):
        raise NotFound(
            f"there is no remote {name}", hint="`mnemofs remote show` lists the ones there are"
        )
    tracked = [
        branch[len("branch.") : -len(".remote")]
        for branch, value in parts.config.names("branch")
        if branch.endswith(".remote") and value == name
    ]
    replace_section(parts.layout.common_dir, "remote", name, {})
    for branch in tracked:
        replace_section(parts.layout.common_dir, "branch", branch, {})
    with parts.write_lock:
        for prefix in (f"{ACCEPTED}{name}/", f"refs/remotes/{name}/"):
            known = all_refs(parts.layout, prefix)
            move_refs(parts.layout, {ref: (value, None) for ref, value in known.items()})
        # What git calls the remote's default branch, a symbolic ref.
        unlink_quietly(os.path.join(parts.layout.common_dir, f"refs/remotes/{name}/HEAD"))


def track(parts: Parts, where: Upstream) -> None:
    """Make the present branch follow that one, for git too, unless it follows something already."""
    short = where.local.removeprefix("refs/heads/")
    if parts.config.get(f"branch.{short}.remote") is None:
        values = {"remote": where.remote.name, "merge": f"refs/heads/{where.branch}"}
        replace_section(parts.layout.common_dir, "branch", short, values)


def check_url(raw: str, folder: str) -> str:
    """The URL or absolute path of a remote. folder: what a relative path starts from.

    Raises UsageError for schemes that run programs (`ext::`), options in disguise, control
    characters and unknown schemes.
    """
    url = raw.strip()
    if not url or url.startswith("-") or any(ord(char) < 32 or ord(char) == 127 for char in url):
        raise UsageError("that is no address of a git repository", hint=_URL_HINT)
    scheme = _SCHEME.match(url)
    if scheme is not None:
        if scheme[1].lower() not in _SCHEMES:
            raise UsageError(f"{scheme[1]} is no way to reach a git repository", hint=_URL_HINT)
        return url
    if "::" in url.partition("/")[0]:
        raise UsageError("addresses with :: can run programs and are not used", hint=_URL_HINT)
    path = os.path.expanduser(url)
    if not os.path.exists(os.path.join(folder, path)) and _SCP.fullmatch(url):
        return url
    return os.path.abspath(os.path.join(folder, path))


_URL_HINT = "use https://, ssh://, user@host:path, file:// or the path of a folder"


def check_bare(url: str) -> None:
    """Raise UsageError when a checked `url` is a folder with files of its own: git lets nobody push
    to the branch that is checked out there."""
    path = url.removeprefix("file://")
    if os.path.exists(os.path.join(path, ".git")):
        raise UsageError(
            f"{path} is a folder with files, not a place to share through",
            hint="make one with `git init --bare FOLDER.git` and let all machines use it",
        )


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Text without the user names, passwords and queries of URLs, and without `secrets`."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return _QUERY.sub(r"\1?***", _USER_INFO.sub(_hidden, text))


def secrets_of(url: str) -> frozenset[str]:
    """The parts of a URL that must not be shown anywhere: password, or user name without one."""
    from urllib.parse import unquote

    found: set[str] = set()
    for match in _USER_INFO.finditer(url):
        user, _, password = match[2].partition(":")
        if password:
            found |= {password, unquote(password)}
        elif match[1].lower().startswith("http"):
            found |= {user, unquote(user)}
    query = url.partition("?")[2]
    found.update(part.partition("=")[2] for part in re.split(r"[&;]", query))
    return frozenset(secret for secret in found if len(secret) > 2)


def set_ref(layout: Layout, ref: str, commit: str) -> None:
    """Point a ref of ours somewhere. Needs the write lock. Raises Busy."""
    old = read_ref(layout, ref)
    if old != commit:
        move_refs(layout, {ref: (old, commit)})


def _hidden(match: re.Match[str]) -> str:
    scheme, info = match[1], match[2]
    if scheme.lower().startswith(("http", "ftp")):
        return f"{scheme}***@"
    user, colon, _ = info.partition(":")
    return f"{scheme}{user}:***@" if colon else f"{scheme}{user}@"
