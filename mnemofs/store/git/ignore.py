"""Which untracked files git ignores: `.gitignore` files, `info/exclude` and the user's own file.

Asked only for files that HEAD does not know, so nothing here is on the path of an ordinary write.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from mnemofs.store.git.config import GitConfig, config_home
from mnemofs.store.git.patterns import glob
from mnemofs.systems import NO_LINK, READ


@dataclass(frozen=True, slots=True)
class _Rule:
    matches: Callable[[str], bool]
    negated: bool
    folders_only: bool
    by_name: bool


class Ignore:
    """The ignore rules of one work tree, read once; make a new one to see changes."""

    def __init__(self, root: str, common_dir: str, config: GitConfig) -> None:
        self._root = root
        self._fold = config.flag("core.ignorecase")
        chosen = config.get("core.excludesfile")
        user_file = os.path.expanduser(chosen) if chosen else os.path.join(config_home(), "ignore")
        self._global = [
            self._read(os.path.join(common_dir, "info", "exclude")),
            self._read(user_file),
        ]
        self._folders: dict[str, list[_Rule]] = {}

    def ignored(self, path: str) -> bool:
        """Whether git would ignore an untracked file at `path` (as spelled on disk).

        As in git, nothing below an ignored folder can be un-ignored.
        """
        parts = path.split("/")
        for depth in range(1, len(parts)):
            if self._decides(parts[:depth], folder=True):
                return True
        return self._decides(parts, folder=False)

    def _decides(self, parts: list[str], folder: bool) -> bool:
        for depth in range(len(parts) - 1, -1, -1):
            here = "/".join(parts[:depth])
            if here not in self._folders:
                here_file = os.path.join(self._root, here, ".gitignore")
                self._folders[here] = self._read(here_file, follow=False)
            verdict = _verdict(self._folders[here], "/".join(parts[depth:]), parts[-1], folder)
            if verdict is not None:
                return verdict
        for rules in self._global:
            verdict = _verdict(rules, "/".join(parts), parts[-1], folder)
            if verdict is not None:
                return verdict
        return False

    def _read(self, path: str, follow: bool = True) -> list[_Rule]:
        text = read_rules(path, follow)
        rules = (self._rule(line) for line in text.removeprefix("\ufeff").split("\n"))
        return [rule for rule in rules if rule is not None]

    def _rule(self, line: str) -> _Rule | None:
        line = _without_trailing_space(line.removesuffix("\r"))
        if not line or line.startswith("#"):
            return None
        negated = line.startswith("!")
        line = line[negated:]
        folders_only = line.endswith("/")
        line = line.removesuffix("/")
        by_name = "/" not in line
        pattern = line.removeprefix("/")
        if not pattern:
            return None
        return _Rule(glob(pattern, fold=self._fold), negated, folders_only, by_name)


def read_rules(path: str, follow: bool) -> str:
    """The text of an ignore or attribute file, "" when there is none to read.

    follow: git refuses a symlink inside the work tree, and takes one elsewhere.
    """
    try:
        with open(os.open(path, READ if follow else READ | NO_LINK), "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _verdict(rules: list[_Rule], path: str, name: str, folder: bool) -> bool | None:
    for rule in reversed(rules):
        if rule.folders_only and not folder:
            continue
        if rule.matches(name if rule.by_name else path):
            return not rule.negated
    return None


def _without_trailing_space(line: str) -> str:
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    return line


def escape(path: str) -> str:
    """A path as a pattern that matches exactly it, from the top."""
    escaped = "".join("\\" + char if char in "\\*?[ #!" else char for char in path)
    return "/" + escaped + "/"
