"""Writes docs/settings.md from the settings themselves.

python docs/make_settings.py            # rewrite the file
"""

from __future__ import annotations

import json
from pathlib import Path

from mnemofs.config import AT_MOST, CHOICES, MACHINE_ONLY
from mnemofs.sections import Config, Section

TARGET = Path(__file__).with_name("settings.md")
HEAD = """# Settings

Made by `python docs/make_settings.py` from the program's own defaults.

`mnemofs.toml` in the memory (tracked, travels with it), `config.toml` in `MNEMOFS_HOME` (this
machine), and variables `MNEMOFS_<SECTION>_<KEY>`; later ones win. Without that variable
`MNEMOFS_HOME` is `~/.local/share/mnemofs`, on macOS `~/Library/Application Support/mnemofs`, on
Windows `%LOCALAPPDATA%\\mnemofs`. Unknown keys are named by `mnemofs status`, never ignored.
Endpoints and the names of keys are read from this machine only: a memory that came by `git clone`
cannot send yours elsewhere. A key itself is never written down: settings name the environment
variable that holds it.
"""


def manual() -> str:
    """The whole text of settings.md."""
    parts = [HEAD]
    for name, section in Config.defaults().items():
        if isinstance(section, Section):
            about = " ".join((type(section).__doc__ or "").split())
            rows = [_row(name, key, value) for key, value in type(section).defaults().items()]
            table = "| Key | Default | |\n|---|---|---|\n" + "\n".join(rows)
            parts.append(f"## [{name}]\n\n{about}\n\n{table}\n")
    return "\n".join(parts)


def _row(section: str, key: str, value: object) -> str:
    shown = json.dumps(list(value) if isinstance(value, tuple) else value)
    notes = []
    if choices := CHOICES.get((section, key)):
        notes.append(" or ".join(f"`{choice}`" for choice in choices))
    if (section, key) in AT_MOST:
        notes.append(f"0 to {AT_MOST[section, key]}")
    if (section, key) in MACHINE_ONLY:
        notes.append("this machine only")
    return f"| {key} | `{shown}` | {', '.join(notes)} |"


if __name__ == "__main__":
    TARGET.write_text(manual(), encoding="utf-8")
