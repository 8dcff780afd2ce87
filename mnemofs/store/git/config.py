"""Git's settings, read the way git reads them: system, user, repository, work tree, environment.

Needed for what changes bytes (line endings), for refusals (extensions, bare) and for the user's
ignore file. Nothing is ever written to a configuration of the user's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

_MAX_INCLUDES = 10
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0", ""})
_SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")

Row = tuple[str, str | None]  # "core.autocrlf" (section and key lower case), value


class GitConfig:
    """Settings by name, `section.key` or `section.subsection.key`; the last file wins.

    git_dir decides `includeIf "gitdir:"`; None reads only system and user files.
    """

    def __init__(self, common_dir: str | None = None, git_dir: str | None = None) -> None:
        self._git_dir = git_dir or common_dir
        self._watched: dict[str, tuple[int, int, int] | None] = {}
        self._values: dict[str, list[str | None]] = {}
        for path in _user_files():
            self._load(path)
        self.user_rows = {name: list(values) for name, values in self._values.items()}
        if common_dir is not None:
            self._load(os.path.join(common_dir, "config"))
            if git_dir is not None and self.flag("extensions.worktreeconfig"):
                self._load(os.path.join(git_dir, "config.worktree"))
        for name, value in _environment():
            self._values.setdefault(name, []).append(value)

    def get(self, name: str) -> str | None:
        """The value of a setting, None when unset (a key without `=` is "true")."""
        values = self._values.get(name)
        if not values:
            return None
        return "true" if values[-1] is None else values[-1]

    def flag(self, name: str, default: bool = False) -> bool:
        """A yes/no setting; words git does not know count as set."""
        value = self.get(name)
        if value is None:
            return default
        return value.lower() not in _FALSE

    def names(self, section: str) -> Iterator[tuple[str, str]]:
        """(name, value) of every setting whose name starts with `section.`."""
        for name in self._values:
            if name.startswith(section + "."):
                yield name, self.get(name) or ""

    def current(self) -> bool:
        """Whether every file that was read is still the same."""
        return all(_signature(path) == seen for path, seen in self._watched.items())

    def _load(self, path: str, depth: int = 0) -> None:
        self._watched[path] = _signature(path)
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        except OSError:
            return
        for name, value in parse(text):
            self._values.setdefault(name, []).append(value)
            included = self._included(name, value, os.path.dirname(path))
            if included is not None and depth < _MAX_INCLUDES:
                self._load(included, depth + 1)

    def _included(self, name: str, value: str | None, folder: str) -> str | None:
        if not value:
            return None
        if name == "include.path":
            return os.path.join(folder, os.path.expanduser(value))
        if name.startswith("includeif.gitdir") and name.endswith(".path") and self._git_dir:
            keyword, _, pattern = name[len("includeif.") : -len(".path")].partition(":")
            if _matches_git_dir(pattern, self._git_dir, folder, keyword == "gitdir/i"):
                return os.path.join(folder, os.path.expanduser(value))
        return None


def parse(text: str) -> Iterator[Row]:
    """The settings of one file in order; lines that make no sense are passed over."""
    section = ""
    lines = iter(text.removeprefix("\ufeff").split("\n"))
    for line in lines:
        line = line.strip()
        while line.startswith("["):
            end = _header_end(line)
            if end < 0:
                break
            section = _section(line[1:end])
            line = line[end + 1 :].strip()
        if not line or line[0] in "#;[":
            continue
        key, equals, rest = line.partition("=")
        if not equals:
            yield f"{section}.{key.split('#')[0].split(';')[0].strip().lower()}", None
            continue
        while _continues(rest):
            rest = rest[:-1] + next(lines, "")
        yield f"{section}.{key.strip().lower()}", _value(rest.strip())


def _header_end(line: str) -> int:
    quoted = False
    position = 1
    while position < len(line):
        char = line[position]
        if char == "\\" and quoted:
            position += 1
        elif char == '"':
            quoted = not quoted
        elif char == "]" and not quoted:
            return position
        position += 1
    return -1


def _section(header: str) -> str:
    name, quote, rest = header.partition('"')
    if not quote:
        return name.strip().lower()
    subsection = rest.rpartition('"')[0].replace('\\"', '"').replace("\\\\", "\\")
    return f"{name.strip().lower()}.{subsection}"


def _continues(rest: str) -> bool:
    return (len(rest) - len(rest.rstrip("\\"))) % 2 == 1


def _value(text: str) -> str:
    out: list[str] = []
    kept = 0  # trailing white space outside quotes is dropped
    quoted = False
    characters = iter(text)
    for char in characters:
        if char == "\\":
            following = next(characters, "")
            out.append({"n": "\n", "t": "\t", "b": "\b"}.get(following, following))
            kept = len(out)
        elif char == '"':
            quoted = not quoted
            kept = len(out)
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
            if quoted or not char.isspace():
                kept = len(out)
    return "".join(out[:kept])


def _user_files() -> Iterator[str]:
    if os.environ.get("GIT_CONFIG_NOSYSTEM", "").lower() not in _TRUE:
        system = os.environ.get("GIT_CONFIG_SYSTEM")
        yield from (system,) if system else _SYSTEM
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    if chosen is not None:
        yield chosen
        return
    home = os.path.expanduser("~")
    yield os.path.join(config_home(), "config")
    yield os.path.join(home, ".gitconfig")


def config_home() -> str:
    """The folder of git's per-user files (`config`, `ignore`, `attributes`)."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "git")


def _environment() -> Iterator[Row]:
    try:
        count = int(os.environ.get("GIT_CONFIG_COUNT", "0"))
    except ValueError:
        return
    for number in range(count):
        key = os.environ.get(f"GIT_CONFIG_KEY_{number}")
        if key and "." in key:
            section, _, rest = key.partition(".")
            subsection, dot, name = rest.rpartition(".")
            middle = f"{subsection}{dot}"
            yield (
                f"{section.lower()}.{middle}{name.lower()}",
                os.environ.get(f"GIT_CONFIG_VALUE_{number}", ""),
            )


def _matches_git_dir(pattern: str, git_dir: str, folder: str, fold: bool) -> bool:
    from mnemofs.store.git.patterns import glob

    pattern = os.path.expanduser(pattern)
    if pattern.startswith("./"):
        pattern = os.path.join(folder, pattern[2:])
    elif not pattern.startswith("/"):
        pattern = "**/" + pattern
    if pattern.endswith("/"):
        pattern += "**"
    matches = glob(pattern.lower() if fold else pattern)
    places = {git_dir, os.path.realpath(git_dir)}
    return any(matches(place.lower() if fold else place) for place in places)


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
