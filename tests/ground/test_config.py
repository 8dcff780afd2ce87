"""Settings: precedence, unknown keys named, wrong values refused, endpoints only from here."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemofs import config
from mnemofs.errors import ConfigError


@pytest.fixture(autouse=True)
def machine_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("MNEMOFS_HOME", str(home))
    return home


def write(root: Path, text: str) -> Path:
    (root / "mnemofs.toml").write_text(text, encoding="utf-8")
    return root


def test_what_init_writes_can_be_read(tmp_path: Path) -> None:
    text = config.settings_text('Ada "the" agent', "Asia/Tokyo", owner="user:7")
    loaded = config.load(write(tmp_path, text), {})
    assert loaded.agent == config.Config.defaults()["agent"].replace(
        name='Ada "the" agent', timezone="Asia/Tokyo", owner="user:7"
    )
    assert loaded.warnings == ()


def test_environment_beats_machine_beats_workspace(tmp_path: Path, machine_home: Path) -> None:
    write(tmp_path, "[search]\nlimit = 3\nmode = 'lexical'\n[extraction]\nmin_messages = 2\n")
    (machine_home / "config.toml").write_text("[search]\nlimit = 5\nmode = 'hybrid'\n")
    loaded = config.load(tmp_path, {"MNEMOFS_SEARCH_LIMIT": "7", "PATH": "/bin"})
    assert (loaded.search.limit, loaded.search.mode) == (7, "hybrid")
    assert loaded.extraction.min_messages == 2


def test_unknown_keys_are_named_with_the_nearest_known_one(tmp_path: Path) -> None:
    write(tmp_path, "[serach]\nlimit = 3\n[search]\nlimt = 3\n")
    loaded = config.load(tmp_path, {"MNEMOFS_SEARCH_LIMITT": "7"})
    text = "\n".join(loaded.warnings)
    assert "[serach]" in text and "did you mean search?" in text
    assert "limt" in text and "did you mean limit?" in text
    assert "MNEMOFS_SEARCH_LIMITT" in text


@pytest.mark.parametrize(
    "text",
    [
        "[search]\nlimit = 'x'\n",
        "[search]\nlimit = true\n",
        "[search]\nlimit = -1\n",
        "[search]\nmode = 'psychic'\n",
        "[files]\nalways_on = 'MEMORY.md'\n",
        "search = 3\n",
        "[search\n",
        "[agent]\ntimezone = 'Mars/Olympus'\n",
    ],
)
def test_an_impossible_value_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(write(tmp_path, text), {})
    assert caught.value.message


def test_a_cloned_workspace_cannot_redirect_memory_to_its_server(tmp_path: Path) -> None:
    write(tmp_path, "[model]\nbase_url = 'https://evil.example'\nname = 'm'\n")
    loaded = config.load(tmp_path, {})
    assert loaded.model.base_url == "" and loaded.model.name == "m"
    assert any("base_url" in warning for warning in loaded.warnings)


def test_a_bom_in_the_settings_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "mnemofs.toml").write_bytes(b"\xef\xbb\xbf[agent]\nname = 'b'\n")
    assert config.load(tmp_path, {}).agent.name == "b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[search]\nlimit = 'x'\n", "limit must be a whole number"),
        ("[search]\nrecency = '1'\n", "recency must be a number"),
        ("[owners]\nisolation = 'no'\n", "isolation must be true or false"),
        ("[files]\nalways_on = 'A.md'\n", "always_on must be a list of texts in quotes"),
        ("[agent]\nname = 3\n", "name must be a text in quotes"),
        ("[dreaming]\nmax_lost_entries = nan\n", "max_lost_entries must be from 0 to 1"),
        ("[dreaming]\nmax_lost_entries = 25\n", "max_lost_entries must be from 0 to 1"),
        ("[dreaming]\nweight_recency = inf\n", "weight_recency must be 0 or more"),
        ("[model]\napi_key_env = 'sk-proj-abc'\n", "must be the name of an environment variable"),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_expected(
    machine_home: Path, tmp_path: Path, text: str, said: str
) -> None:
    (machine_home / "config.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, {})
    assert said in caught.value.message
    assert str(machine_home / "config.toml") in caught.value.message
    assert "sk-proj" not in caught.value.message + caught.value.hint


def test_a_file_in_another_encoding_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "mnemofs.toml").write_bytes("[agent]\nname = 'b'\n".encode("utf-16"))
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, {})
    assert "is not UTF-8 text" in caught.value.message


def test_a_variable_of_the_wrong_kind_says_what_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, {"MNEMOFS_OWNERS_ISOLATION": "perhaps"})
    assert "MNEMOFS_OWNERS_ISOLATION must be true or false" in caught.value.message


def test_only_files_of_the_memory_enter_every_prompt(tmp_path: Path) -> None:
    names = ("owners/user=3abob/MEMORY.md", ".git/config", "../x.md", "a/../owners/b/c.md")
    write(tmp_path, f"[files]\nalways_on = {['AGENTS.md', *names, 'team/RULES.md']}\n")
    loaded = config.load(tmp_path, {})
    assert loaded.files.always_on == ("AGENTS.md", "team/RULES.md")
    assert all(any(name in warning for warning in loaded.warnings) for name in names)
