"""The short way for hooks: `search` and `context` with plain arguments.

Anything that is not plainly understood here (an unknown option, a missing value, --help) is left
to the full command line, which says what is wrong.
"""

from __future__ import annotations

import os

# option: (name, whether a value follows)
_SHARED = {
    "-w": ("workspace", True),
    "--workspace": ("workspace", True),
    "--owner": ("owner", True),
    "--json": ("as_json", False),
}
_OPTIONS = {
    "search": {
        **_SHARED,
        "--lexical": ("lexical", False),
        "--explain": ("explain", False),
        "-n": ("limit", True),
        "--limit": ("limit", True),
        "--offset": ("offset", True),
    },
    "context": {**_SHARED, "-q": ("query", True), "--query": ("query", True)},
}


def run(arguments: list[str]) -> int | None:
    """Run `arguments` if they are plain; the exit code, or None when they are not for us."""
    command = arguments[0]
    parsed = parse(command, arguments[1:])
    if parsed is None:
        return None
    options, words = parsed
    if (command == "search") != bool(words) or (words and "".join(words).isspace()):
        return None
    if not str(options.get("owner", "one")).strip():
        return None
    numbers = {}
    for name, least in (("limit", 1), ("offset", 0)):
        if name in options:
            text = str(options[name])
            if not text.isascii() or not text.isdigit() or not least <= int(text) <= 1000:
                return None
            numbers[name] = int(text)
    from mnemofs.cli import answers
    from mnemofs.opening import find_workspace
    from mnemofs.view.reader import open_reader

    named = options.get("workspace") or os.environ.get("MNEMOFS_WORKSPACE") or None
    owner = options.get("owner") or os.environ.get("MNEMOFS_OWNER")
    root = find_workspace(str(named) if named else None, start=os.getcwd())
    view = open_reader(root, str(owner or ""))
    as_json = bool(options.get("as_json"))
    if command == "context":
        answers.context(view, query=str(options.get("query", "")), as_json=as_json)
        return 0
    answers.search(
        view,
        " ".join(words),
        lexical=bool(options.get("lexical")),
        explain=bool(options.get("explain")),
        as_json=as_json,
        limit=numbers.get("limit"),
        offset=numbers.get("offset", 0),
    )
    return 0


def parse(command: str, arguments: list[str]) -> tuple[dict[str, str | bool], list[str]] | None:
    """Options by name and the words between them; None for anything out of the ordinary."""
    known = _OPTIONS[command]
    options: dict[str, str | bool] = {}
    words: list[str] = []
    rest = iter(arguments)
    for token in rest:
        if token in known:
            name, takes_value = known[token]
            if takes_value:
                value = next(rest, None)
                if value is None:
                    return None
                options[name] = value
            else:
                options[name] = True
        elif token.startswith("-"):
            return None
        else:
            words.append(token)
    return options, words
