"""Settings: `mnemofs.toml` (tracked, travels with the memory), this machine's file, environment.

Later wins: defaults, `<workspace>/mnemofs.toml`, `$MNEMOFS_HOME/config.toml`, then variables named
`MNEMOFS_<SECTION>_<KEY>`. Unknown keys are named in `Config.warnings`, never ignored silently.
Endpoints and keys are read from this machine only: a workspace that came by `git clone` must not
be able to send memory to somebody else's server.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mnemofs.clock import Clock, load_zone
from mnemofs.errors import ConfigError
from mnemofs.names import SETTINGS, owner_key

if TYPE_CHECKING:
    from datetime import tzinfo

MACHINE_FILE = "config.toml"


class AgentConfig(NamedTuple):
    """Who the workspace belongs to. owner: the exact key when this is a person's own repository."""

    name: str = "mnemofs"
    timezone: str = "UTC"
    owner: str = ""


class FilesConfig(NamedTuple):
    """always_on: files that enter every system prompt, in this order. Sizes in characters, 0 = no
    limit."""

    always_on: tuple[str, ...] = ("AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md", "KNOWLEDGE.md")
    always_on_max_chars: int = 24000
    profile_max_chars: int = 4000
    memory_max_chars: int = 8000
    structured_max_chars: int = 4000
    structured_max_entries: int = 40


class OwnersConfig(NamedTuple):
    """isolation off writes every person's memory into the workspace itself."""

    isolation: bool = True


class ExtractionConfig(NamedTuple):
    """Post-chat extraction. engine: "rules" (no model) or "llm"."""

    enabled: bool = True
    engine: str = "rules"
    min_messages: int = 4
    min_user_chars: int = 10
    skip_cron: bool = True
    max_messages: int = 30
    cooldown_minutes: int = 5


class DreamingConfig(NamedTuple):
    """The consolidation of daily notes. day_range: how many days back notes are read."""

    enabled: bool = True
    engine: str = "rules"
    day_range: int = 7
    max_lost_entries: float = 0.25


class SearchConfig(NamedTuple):
    """mode: "hybrid" or "lexical"; limit: hits returned by default."""

    mode: str = "hybrid"
    limit: int = 10


class EmbedderConfig(NamedTuple):
    """kind: "embedded" (ships with mnemofs), "openai" (any compatible endpoint) or "none"."""

    kind: str = "embedded"
    base_url: str = ""
    model: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    dims: int = 0
    timeout: float = 30.0


class ModelConfig(NamedTuple):
    """The chat model for engine "llm": any OpenAI-compatible endpoint. timeout in seconds."""

    base_url: str = ""
    name: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    max_tokens: int = 4096


class StoreConfig(NamedTuple):
    """durability: "full" (file, objects and ref reach the disk before a write is acknowledged) or
    "ref-only"."""

    durability: str = "full"


class Config(NamedTuple):
    """Everything a workspace was told, with `warnings` for what could not be used."""

    agent: AgentConfig = AgentConfig()
    files: FilesConfig = FilesConfig()
    owners: OwnersConfig = OwnersConfig()
    extraction: ExtractionConfig = ExtractionConfig()
    dreaming: DreamingConfig = DreamingConfig()
    search: SearchConfig = SearchConfig()
    embedder: EmbedderConfig = EmbedderConfig()
    model: ModelConfig = ModelConfig()
    store: StoreConfig = StoreConfig()
    warnings: tuple[str, ...] = ()

    def zone(self) -> tzinfo:
        """The workspace's time zone. Raises ConfigError for an unknown name."""
        return load_zone(self.agent.timezone)

    def clock(self) -> Clock:
        """The system clock in the workspace zone."""
        return Clock(self.agent.timezone)


_SECTIONS: dict[str, type[Any]] = {
    "agent": AgentConfig,
    "files": FilesConfig,
    "owners": OwnersConfig,
    "extraction": ExtractionConfig,
    "dreaming": DreamingConfig,
    "search": SearchConfig,
    "embedder": EmbedderConfig,
    "model": ModelConfig,
    "store": StoreConfig,
}
_CHOICES = {
    ("extraction", "engine"): ("rules", "llm"),
    ("dreaming", "engine"): ("rules", "llm"),
    ("search", "mode"): ("hybrid", "lexical"),
    ("embedder", "kind"): ("embedded", "openai", "none"),
    ("store", "durability"): ("full", "ref-only"),
}
_MACHINE_ONLY = {
    ("embedder", "base_url"),
    ("embedder", "api_key_env"),
    ("model", "base_url"),
    ("model", "api_key_env"),
}
# Not settings: they tell the program where things are, or whether to colour its output.
_OTHER_VARIABLES = {f"MNEMOFS_{name}" for name in ("HOME", "WORKSPACE", "CACHE", "OWNER", "DEBUG")}


def home() -> str:
    """`$MNEMOFS_HOME`, or this user's data folder."""
    named = os.environ.get("MNEMOFS_HOME")
    if named:
        return os.path.abspath(os.path.expanduser(named))
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
            if not is_machine and (section, key) in _MACHINE_ONLY:
                warnings.append(
                    f"{SETTINGS}: [{section}] {key} is ignored, endpoints belong in {machine}"
                )
                continue
            config = _with(config, section, key, value, file)
    config = _from_environment(config, environ, warnings)
    if check:
        config.zone()
    if config.agent.owner:
        owner_key(config.agent.owner)
    return config._replace(warnings=tuple(warnings))


def settings_text(agent: str, timezone: str, owner: str = "") -> str:
    """The `mnemofs.toml` that `init` writes: what a person will want to change, with reasons."""
    lines = [
        "# Settings of this memory. They travel with it; every change is a commit.",
        "[agent]",
        f"name = {_quoted(agent)}",
        "# Names the daily notes; the machine's own zone does not matter.",
        f"timezone = {_quoted(timezone)}",
    ]
    if owner:
        lines += ["# The person whose private memory this is.", f"owner = {_quoted(owner)}"]
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
    import tomllib

    try:
        table = tomllib.loads(raw.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file} is not valid TOML: {error}", hint="mend that line", path=file
        ) from error
    found = []
    for section, values in table.items():
        if section not in _SECTIONS:
            warnings.append(f"{file}: unknown section [{section}]{_nearest(section, _SECTIONS)}")
            continue
        if not isinstance(values, dict):
            raise ConfigError(f"{file}: {section} must be a section, [{section}]", path=file)
        known = _SECTIONS[section]._fields
        for key, value in values.items():
            if key in known:
                found.append((section, key, value))
            else:
                warnings.append(f"{file}: unknown key [{section}] {key}{_nearest(key, known)}")
    return found


def _from_environment(config: Config, environ: Mapping[str, str], warnings: list[str]) -> Config:
    for name in sorted(environ):
        if not name.startswith("MNEMOFS_") or name in _OTHER_VARIABLES:
            continue
        section, _, key = name.removeprefix("MNEMOFS_").lower().partition("_")
        if section not in _SECTIONS or key not in _SECTIONS[section]._fields:
            warnings.append(f"unknown variable {name}")
            continue
        text = environ[name]
        kind = type(_SECTIONS[section]._field_defaults[key])
        value: Any = text
        try:
            if kind is bool:
                value = {"1": True, "true": True, "0": False, "false": False}[text.lower()]
            elif kind is int or kind is float:
                value = kind(text)
            elif kind is tuple:
                value = [part.strip() for part in text.split(",") if part.strip()]
        except (KeyError, ValueError):
            raise ConfigError(f"{name}={text!r} is not a {kind.__name__}") from None
        config = _with(config, section, key, value, f"the variable {name}")
    return config


def _with(config: Config, section: str, key: str, value: Any, where: str) -> Config:
    kind = type(_SECTIONS[section]._field_defaults[key])
    if kind is float and type(value) is int:
        value = float(value)
    if kind is tuple:
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        value = tuple(value) if good else value
    else:
        good = type(value) is kind
    if not good:
        raise ConfigError(f"{where}: [{section}] {key} has the wrong type", path=where)
    choices = _CHOICES.get((section, key))
    if choices and value not in choices:
        raise ConfigError(
            f"{where}: [{section}] {key} = {value!r} is not one of {', '.join(choices)}", path=where
        )
    if kind in (int, float) and value < 0:
        raise ConfigError(f"{where}: [{section}] {key} may not be negative", path=where)
    return config._replace(**{section: getattr(config, section)._replace(**{key: value})})


def _nearest(word: str, known: Any) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
