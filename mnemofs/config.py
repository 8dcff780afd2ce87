"""Settings: `mnemofs.toml` (tracked, travels with the memory), this machine's file, environment.

Later wins: defaults, `<workspace>/mnemofs.toml`, `$MNEMOFS_HOME/config.toml`, then variables named
`MNEMOFS_<SECTION>_<KEY>`. Unknown keys are named in `Config.warnings`, never ignored silently.
Endpoints and keys are read from this machine only: a workspace that came by `git clone` must not
be able to send memory to somebody else's server.
"""

from __future__ import annotations

import os
import sys

from mnemofs import plaintoml
from mnemofs.errors import ConfigError
from mnemofs.names import SETTINGS, is_memory, owner_key
from mnemofs.sections import Config, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MACHINE_FILE = "config.toml"
_PLATFORM: str = sys.platform

_SECTIONS: dict[str, type[Section]] = {
    key: type(value) for key, value in Config.defaults().items() if isinstance(value, Section)
}
CHOICES = {
    ("extraction", "engine"): ("rules", "llm"),
    ("dreaming", "engine"): ("rules", "llm"),
    ("consolidation", "engine"): ("rules", "llm"),
    ("soul", "apply"): ("proposal", "direct"),
    ("search", "mode"): ("hybrid", "lexical"),
    ("embedder", "kind"): ("embedded", "openai", "none"),
    ("store", "durability"): ("full", "ref-only"),
}
# Shares and weights: above it they would switch off what they are for.
AT_MOST = {
    ("dreaming", "max_lost_entries"): 1,
    ("dreaming", "score_threshold"): 1,
    ("window", "trigger_ratio"): 1,
    ("window", "summary_budget_ratio"): 1,
    ("search", "recency"): 1,
    ("search", "importance"): 1,
}
_EXPECTED = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotes",
    tuple: "a list of texts in quotes",
}
MACHINE_ONLY = {
    ("embedder", "base_url"),
    ("embedder", "api_key_env"),
    ("model", "base_url"),
    ("model", "api_key_env"),
    ("mem0", "base_url"),
    ("mem0", "api_key_env"),
}
# Not settings: they tell the program where things are, or whether to colour its output.
_OTHER_VARIABLES = {f"MNEMOFS_{name}" for name in ("HOME", "WORKSPACE", "CACHE", "OWNER", "DEBUG")}


def home() -> str:
    """`$MNEMOFS_HOME`, or this user's data folder."""
    named = os.environ.get("MNEMOFS_HOME")
    if named:
        return os.path.abspath(os.path.expanduser(named))
    if _PLATFORM == "linux":
        # What platformdirs says there; a hook does not wait for it to be loaded.
        shared = os.environ.get("XDG_DATA_HOME", "").strip()
        return os.path.join(shared or os.path.expanduser("~/.local/share"), "mnemofs")
    import platformdirs

    return platformdirs.user_data_dir("mnemofs", appauthor=False)


def load(
    root: str | os.PathLike[str], environ: Mapping[str, str] = os.environ, *, check: bool = True
) -> Config:
    """The settings of the workspace at `root`.

    Raises ConfigError for unreadable TOML, wrong types and values outside the listed choices;
    each error names the file and the key. check=False leaves the time zone's name unlooked at.
    """
    warnings: list[str] = []
    config = Config()
    tracked = os.path.join(os.fspath(root), SETTINGS)
    machine = os.path.join(home(), MACHINE_FILE)
    for file, is_machine in ((tracked, False), (machine, True)):
        for section, key, value in _entries(file, warnings):
            if not is_machine and (section, key) in MACHINE_ONLY:
                warnings.append(
                    f"{SETTINGS}: [{section}] {key} is ignored, endpoints belong in {machine}"
                )
                continue
            config = _with(config, section, key, value, file)
    config = _from_environment(config, environ, warnings)
    config = _memory_only(config, warnings)
    if check:
        config.zone()
    if config.agent.owner:
        owner_key(config.agent.owner)
    return config.replace(warnings=tuple(warnings))


def settings_text(agent: str, timezone: str, owner: str = "") -> str:
    """The `mnemofs.toml` that `init` writes: what a person will want to change, with reasons."""
    lines = [
        "# Settings of this memory. They travel with it; every change is a commit.",
        "[agent]",
        f"name = {_written(agent)}",
        "# Names the daily notes; the machine's own zone does not matter.",
        f"timezone = {_written(timezone)}",
    ]
    if owner:
        lines += ["# The person whose private memory this is.", f"owner = {_written(owner)}"]
    else:
        lines += [
            "",
            "[extraction]",
            '# "rules" needs no model; "llm" asks the endpoint named in this machine\'s settings.',
            'engine = "rules"',
            "",
            "[dreaming]",
            'engine = "rules"',
        ]
    return "\n".join(lines) + "\n"


def _entries(file: str, warnings: list[str]) -> list[tuple[str, str, Any]]:
    try:
        with open(file, "rb") as handle:
            raw = handle.read()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}", path=file) from error
    table = _table(raw, file)
    found = []
    for section, values in table.items():
        if section not in _SECTIONS:
            warnings.append(
                f"{file}: unknown section [{section}]{_nearest(section, _SECTIONS)}"
                if isinstance(values, dict)
                else f"{file}: the key {section} stands in no section and says nothing"
            )
            continue
        if not isinstance(values, dict):
            raise ConfigError(f"{file}: {section} must be a section, [{section}]", path=file)
        known = _SECTIONS[section].defaults()
        for key, value in values.items():
            if key in known:
                found.append((section, key, value))
            else:
                warnings.append(f"{file}: unknown key [{section}] {key}{_nearest(key, known)}")
    return found


def _table(raw: bytes, file: str) -> dict[str, Any]:
    try:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode()
        plain = plaintoml.parse(text)
        if plain is not None:
            return plain
        import tomllib

        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{file} is not UTF-8 text", hint="save it as UTF-8 in your editor", path=file
        ) from error
    except ValueError as error:
        raise ConfigError(
            f"{file} is not valid TOML: {error}", hint="mend that line", path=file
        ) from error


def _from_environment(config: Config, environ: Mapping[str, str], warnings: list[str]) -> Config:
    for name in sorted(environ):
        if not name.startswith("MNEMOFS_") or name in _OTHER_VARIABLES:
            continue
        section, _, key = name.removeprefix("MNEMOFS_").lower().partition("_")
        if section not in _SECTIONS or key not in _SECTIONS[section].defaults():
            warnings.append(f"unknown variable {name}")
            continue
        text = environ[name]
        default = _SECTIONS[section].defaults()[key]
        kind = type(default)
        value: Any = text
        try:
            if kind is bool:
                value = {"1": True, "true": True, "0": False, "false": False}[text.lower()]
            elif kind is int or kind is float:
                value = kind(text)
            elif kind is tuple:
                value = [part.strip() for part in text.split(",") if part.strip()]
        except (KeyError, ValueError):
            raise ConfigError(
                f"the variable {name} must be {_EXPECTED[kind]}",
                hint=f"such as {_written(default)}",
            ) from None
        config = _with(config, section, key, value, f"the variable {name}")
    return config


def _with(config: Config, section: str, key: str, value: Any, where: str) -> Config:
    kind = type(_SECTIONS[section].defaults()[key])
    if kind is float and type(value) is int:
        value = float(value)
    if kind is tuple:
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        value = tuple(value) if good else value
    else:
        good = type(value) is kind
    if not good:
        default = _SECTIONS[section].defaults()[key]
        raise ConfigError(
            f"{where}: [{section}] {key} must be {_EXPECTED[kind]}",
            hint=f"such as its default: {key} = {_written(default)}",
            path=where,
        )
    choices = CHOICES.get((section, key))
    if choices and value not in choices:
        raise ConfigError(
            f"{where}: [{section}] {key} = {value!r} is not one of {', '.join(choices)}", path=where
        )
    if key.endswith("_env") and value and not value.isidentifier():
        # Not shown: it may be the key itself.
        raise ConfigError(
            f"{where}: [{section}] {key} must be the name of an environment variable",
            hint="the key itself is kept in that variable and in no file",
            path=where,
        )
    if kind in (int, float):
        most = AT_MOST.get((section, key), float("inf"))
        # Written so that what is no number (nan) is refused as well.
        if not (0 <= value <= most and value < float("inf")):
            upto = f"from 0 to {most}" if most == 1 else "0 or more"
            raise ConfigError(f"{where}: [{section}] {key} must be {upto}", path=where)
    return config.replace(**{section: getattr(config, section).replace(**{key: value})})


def _memory_only(config: Config, warnings: list[str]) -> Config:
    """Prompts are made of memory: never of another's folder, nor of what is in .git."""
    files = config.files
    kept = tuple(name for name in files.always_on if is_memory(name) and name != SETTINGS)
    if kept == files.always_on:
        return config
    warnings += (
        f"[files] always_on: {name!r} is no file of this memory, left out"
        for name in files.always_on
        if name not in kept
    )
    return config.replace(files=files.replace(always_on=kept))


def _nearest(word: str, known: Any) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _written(value: Any) -> str:
    """A value as TOML has it."""
    import json

    return json.dumps(value, ensure_ascii=False)
