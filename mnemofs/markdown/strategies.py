"""How new text joins a file: one pure step for each strategy of `write`, and what it did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from mnemofs.markdown import edits
from mnemofs.markdown.document import Document

Strategy = Literal["overwrite", "append", "replace_section", "upsert_kv"]
STRATEGIES: tuple[Strategy, ...] = ("overwrite", "append", "replace_section", "upsert_kv")


class Joined(NamedTuple):
    """The file afterwards (None: there is still none), and what happened to it.

    created: the file, the section or a key is new. Warnings hold headings at most.
    """

    content: bytes | None
    status: Literal["created", "replaced", "appended", "unchanged"]
    warnings: tuple[str, ...] = ()


def join(strategy: Strategy, data: bytes | None, given: str | Mapping[str, str]) -> Joined:
    """`given` put into the file by the strategy. Pairs go with upsert_kv only.

    A text for replace_section that names no section is appended, and says so. Raises EditRefused
    (AmbiguousSection for twin headings) and UnreadableText; see `edits`.
    """
    if not isinstance(given, str):
        return _upserted(data, edits.upsert_pairs(data, given))
    if strategy == "overwrite":
        return _put(data, edits.overwrite(data, given), "replaced")
    given = given.removeprefix("\ufeff")  # a mark is about the file that the text came from
    if not given.strip():
        return Joined(data, "unchanged")
    if strategy == "upsert_kv":
        return _upserted(data, edits.upsert_kv(data, given))
    if strategy == "replace_section":
        if Document.fragment(given).sections:
            done = edits.replace_section(data, given)
            return Joined(done.content, done.status, done.warnings)
        warning = "the text has no heading that names a section; it was appended"
        return _put(data, edits.append(data, given), "appended")._replace(warnings=(warning,))
    return _put(data, edits.append(data, given), "appended")


def _put(data: bytes | None, content: bytes, how: Literal["replaced", "appended"]) -> Joined:
    if content == data:
        return Joined(data, "unchanged")
    return Joined(content, "created" if data is None else how)


def _upserted(data: bytes | None, done: edits.Upserted) -> Joined:
    content = data if done.status == "unchanged" else done.content
    return Joined(content, done.status, done.warnings)
