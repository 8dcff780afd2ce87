"""Reaching other copies: ways, credentials, time limits, and what is never shown."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemofs.errors import RemoteError, UsageError
from mnemofs.store.sharing.remote import check_url, redact, secrets_of
from mnemofs.store.sharing.sync import SyncRules, sync
from tests.sync.conftest import Git, Machine, Outcome
from tests.sync.server import serving

Cli = Callable[..., Outcome]
TOKEN = "tok_abc123"


def test_a_memory_is_shared_over_http(way: str, hub: Path, machine: Callable[..., Machine]) -> None:
    a = machine("a")
    with serving(hub) as url:
        a.ws.add_remote(url)
        assert a.sync().status == "pushed"
        b = machine("b", url)
        b.write("memory/x.md", "- x\n")
        assert b.sync().status == "pushed"
        assert a.sync().status == "pulled"
    assert a.text("memory/x.md") == "- x\n"


def test_a_memory_is_shared_over_a_file_url(
    way: str, hub: Path, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    a.ws.add_remote(hub.as_uri())
    assert a.sync().status == "pushed"
    assert machine("b", hub.as_uri()).head() == a.head()


def test_credentials_of_the_url_are_used_and_never_shown(
    way: str, hub: Path, machine: Callable[..., Machine], cli: Cli
) -> None:
    a = machine("a")
    with serving(hub, credentials=f"bot:{TOKEN}") as url:
        secret = url.replace("http://", f"http://bot:{TOKEN}@")
        outputs = [
            cli(a.root, "remote", "add", secret),
            cli(a.root, "sync"),
            cli(a.root, "remote", "show"),
            cli(a.root, "status", "--json"),
            cli(a.root, "init", "--from", secret, str(a.root.parent / "b")),
        ]
    assert [done.code for done in outputs] == [0] * 5, outputs
    assert all(TOKEN not in done.out + done.err for done in outputs)
    assert TOKEN not in a.git("log", "--all", "-p")
    assert "http://***@127.0.0.1" in outputs[2].out


def test_SYN_08_refused_credentials_are_one_sentence_without_a_prompt_or_a_token(
    way: str, hub: Path, machine: Callable[..., Machine], cli: Cli
) -> None:
    a = machine("a")
    with serving(hub, deny="401 Unauthorized") as url:
        secret = url.replace("http://", f"http://bot:{TOKEN}@")
        a.git("remote", "add", "origin", secret)
        began = time.monotonic()
        plain = cli(a.root, "sync")
        as_json = cli(a.root, "sync", "--json")
        added = cli(a.root, "remote", "add", secret, "--name", "other")
        cloned = cli(a.root, "init", "--from", secret, str(a.root.parent / "b"))
        assert time.monotonic() - began < 20
    for done in (plain, as_json, added, cloned):
        assert done.code == 1
        assert TOKEN not in done.out + done.err
        assert "Traceback" not in done.err
    assert "credentials" in plain.err
    assert plain.err.count("error: ") == 1
    assert as_json.json["error"]["code"] == "remote"
    assert a.git("remote") == "origin"
    assert not (a.root.parent / "b").exists()
    assert TOKEN not in a.git("log", "--all", "-p", "--format=%B")
    for log in (a.root / ".git" / "logs").rglob("*"):
        assert log.is_dir() or TOKEN not in log.read_text()


def test_SYN_08_nothing_is_asked_even_at_a_terminal(
    hub: Path, machine: Callable[..., Machine]
) -> None:
    import os
    import pty

    a = machine("a")
    with serving(hub, deny="401 Unauthorized") as url:
        a.git("remote", "add", "origin", url.replace("http://", "http://bot@"))
        main, side = pty.openpty()
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "mnemofs", "sync"],
            cwd=a.root, stdin=side, stdout=side, stderr=side, start_new_session=True,
        )  # fmt: skip
        os.close(side)
        shown = b""
        try:
            while piece := os.read(main, 4096):
                shown += piece
        except OSError:
            pass
        assert process.wait(30) == 1
        os.close(main)
    assert time.monotonic() - began < 25
    assert b"assword" not in shown
    assert b"credentials" in shown


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never says a word."""
    server = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []
    stop = threading.Event()

    def take() -> None:
        server.settimeout(0.1)
        while not stop.is_set():
            try:
                held.append(server.accept()[0])
            except TimeoutError:
                continue

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/r.git"
    stop.set()
    thread.join(5)
    for connection in held:
        connection.close()
    server.close()


def test_a_silent_server_is_given_up_and_git_does_not_stay_behind(
    way: str, silent: str, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    a.git("remote", "add", "origin", silent)
    began = time.monotonic()
    with pytest.raises(RemoteError, match="cannot be reached"):
        sync(a.ws._scopes[0].store, SyncRules(timeout=1.0))
    assert time.monotonic() - began < 15
    if way == "git":
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        assert silent not in left.stdout


def test_a_wrong_address_is_refused_before_it_is_noted(
    way: str, tmp_path: Path, machine: Callable[..., Machine], cli: Cli
) -> None:
    a = machine("a")
    config = (a.root / ".git" / "config").read_bytes()
    for url in (str(tmp_path / "nothing.git"), "http://127.0.0.1:9/r.git"):
        done = cli(a.root, "remote", "add", url)
        assert done.code == 1
        assert done.err.startswith("error: ")
    assert (a.root / ".git" / "config").read_bytes() == config
    assert cli(a.root, "remote", "show").out == ""


@pytest.mark.parametrize(
    "url",
    [
        "",
        "  ",
        "--upload-pack=touch x",
        "ext::sh -c x",
        "fd::17",
        "ftp2://x/y",
        "a\nb",
        "http\x00://x",
    ],
)
def test_addresses_that_run_programs_or_make_no_sense_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        check_url(url, str(tmp_path))


def test_addresses_as_people_write_them(tmp_path: Path) -> None:
    (tmp_path / "hub.git").mkdir()
    (tmp_path / "odd:name").mkdir()
    here = str(tmp_path)
    assert check_url("hub.git", here) == str(tmp_path / "hub.git")
    assert check_url("../x", here) == str(tmp_path.parent / "x")
    assert check_url("odd:name", here) == str(tmp_path / "odd:name")
    for url in ("https://h/r.git", "ssh://git@h:22/r", "git@h:me/r.git", "file:///srv/r", "h:r"):
        assert check_url(url, here) == url


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fatal: http://bot:tok@h/r.git", "fatal: http://***@h/r.git"),
        ("https://ghp_x@github.com/a/b", "https://***@github.com/a/b"),
        ("ssh://git@h/r", "ssh://git@h/r"),
        ("ssh://git:pw@h/r", "ssh://git:***@h/r"),
        ("http://h/r.git?access_token=abc", "http://h/r.git?***"),
        ("http://a:b@h/ and http://c:d@i/", "http://***@h/ and http://***@i/"),
        ("mail bo@example.invalid", "mail bo@example.invalid"),
    ],
)
def test_urls_are_shown_without_what_is_secret(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_parts_of_a_url_are_taken_out_of_other_people_s_words() -> None:
    url = "https://bot:p%40ss-word@h/r.git"
    words = redact("remote: user said p@ss-word or p%40ss-word", secrets_of(url))
    assert words == "remote: user said *** or ***"


def test_a_rule_of_the_server_is_told_once_and_nothing_is_forced(
    way: str, hub: Path, machine: Callable[..., Machine], git: Git
) -> None:
    a = machine("a")
    a.ws.add_remote(str(hub))
    a.sync()
    hook = hub / "hooks" / ("pre-receive" if way == "git" else "update")
    if way == "git":
        hook.write_text("#!/bin/sh\necho 'only on Fridays' >&2\nexit 1\n")
        hook.chmod(0o755)
    else:  # dulwich writes into a local folder itself, where no hook can refuse
        (hub / "refs" / "heads" / "main.lock").write_text("")
    a.write("memory/x.md", "- x\n")
    old = git(hub, "rev-parse", "main")
    with pytest.raises(RemoteError) as refused:
        a.sync()
    if way == "git":
        assert "only on Fridays" in refused.value.message
    assert git(hub, "rev-parse", "main") == old


def test_a_push_that_comes_second_merges_and_tries_again(
    hub: Path, machine: Callable[..., Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemofs.store.sharing.network import GitTransport

    a = machine("a")
    a.ws.add_remote(str(hub))
    a.sync()
    b = machine("b", hub)
    push = GitTransport.push
    turns = iter(range(3))

    def overtaken(self: GitTransport, commit: str, branch: str, expected: str | None) -> bool:
        turn = next(turns, None)
        if self._parts is a.ws._scopes[0].store.parts and turn is not None:
            b.write(f"memory/b{turn}.md", "- b\n")
            monkeypatch.setattr(GitTransport, "push", push)
            b.sync()
            monkeypatch.setattr(GitTransport, "push", overtaken)
        return push(self, commit, branch, expected)

    monkeypatch.setattr(GitTransport, "push", overtaken)
    a.write("memory/a.md", "- a\n")
    report = a.sync()
    assert report.status == "synced"
    names = {path.name for path in (a.root / "memory").iterdir()}
    assert names == {"a.md", "b0.md", "b1.md", "b2.md"}


def test_the_users_settings_are_heeded_by_git(
    hub: Path, machine: Callable[..., Machine], tmp_path: Path
) -> None:
    import os

    a = machine("a")
    with serving(hub, credentials="bot:helper-knows") as url:
        helper = tmp_path / "helper"
        helper.write_text("#!/bin/sh\necho username=bot\necho password=helper-knows\n")
        helper.chmod(0o755)
        config = Path(os.environ["HOME"]) / ".gitconfig"
        config.write_text(f'[credential]\n\thelper = "{helper}"\n[push]\n\tfollowTags = true\n')
        a.ws.add_remote(url)
        assert a.sync().status == "pushed"


def test_hooks_and_variables_of_an_outer_git_do_not_lead_astray(
    hub: Path, machine: Callable[..., Machine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = machine("a")
    a.ws.add_remote(str(hub))
    hook = a.root / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nread answer\nexit 1\n")
    hook.chmod(0o755)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert a.sync().status == "pushed"


def test_a_folder_with_files_of_its_own_is_no_place_to_share_through(
    way: str, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    b = machine("b", a.root)
    with pytest.raises(UsageError, match="folder with files"):
        b.ws.add_remote(str(a.root), name="other")
    b.write("memory/x.md", "- x\n")
    before = a.head()
    with pytest.raises(RemoteError, match="refuses the push"):
        b.sync()
    assert a.head() == before
    a.sound()


@pytest.mark.parametrize("own", ["", "GIT_SSH_COMMAND", "core.sshCommand"])
def test_ssh_never_asks_unless_the_user_chose_the_command(
    way: str, own: str, tmp_path: Path, machine: Callable[..., Machine],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    import os

    heard = tmp_path / "heard"
    script = tmp_path / "bin" / "ssh"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {heard}\necho no way >&2\nexit 255\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    a = machine("a")
    a.git("remote", "add", "origin", "ssh://git@h.invalid/r.git")
    if own == "GIT_SSH_COMMAND":
        monkeypatch.setenv(own, f"{script} -i mine")
    elif own:
        a.git("config", own, f"{script} -i mine")
    with pytest.raises(RemoteError, match="cannot be reached"):
        sync(a.ws._scopes[0].store, SyncRules(timeout=5.0))
    assert ("BatchMode=yes" in heard.read_text()) == (not own)
    assert ("-i mine" in heard.read_text()) == bool(own)


def test_an_ssh_master_that_stays_behind_is_not_waited_for(
    hub: Path, tmp_path: Path, machine: Callable[..., Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ControlPersist and credential daemons go on running, with git's outputs open."""
    script = tmp_path / "ssh"
    script.write_text(
        '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nshift\n'
        '(exec setsid sleep 60 > /dev/null) &\nexec sh -c "$*"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    a = machine("a")
    a.git("remote", "add", "origin", f"ssh://h.invalid{hub}")
    began = time.monotonic()
    assert a.sync().status == "pushed"
    assert time.monotonic() - began < 20


def test_settings_that_only_their_owner_may_read_stay_so(
    hub: Path, machine: Callable[..., Machine]
) -> None:
    a = machine("a")
    config = a.root / ".git" / "config"
    config.chmod(0o600)
    a.ws.add_remote(str(hub))
    a.sync()
    assert "hub.git" in config.read_text()
    assert config.stat().st_mode & 0o777 == 0o600
