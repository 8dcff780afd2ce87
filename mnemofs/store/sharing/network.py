"""The network through the `git` program, without questions, hooks, forced refs or endless waits."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemofs.store.git.environment import environment as git_environment
from mnemofs.store.sharing.remote import Remote, redact, secrets_of
from mnemofs.store.sharing.transport import Listing, unreachable
from mnemofs.systems import end_session

if TYPE_CHECKING:
    from queue import SimpleQueue
    from typing import IO

    from mnemofs.store.commit.parts import Parts

_LONGEST = 3600.0  # seconds for one command, however lively
_LAST_WORDS = 0.5  # seconds to read the complaints of a command that ended
_LINE = re.compile(r"([0-9a-f]{40})\trefs/heads/(.+)")
_SYMREF = re.compile(r"ref: refs/heads/(.+)\tHEAD")
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "credential.interactive": "false",
    "fetch.writeCommitGraph": "false",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "push.followTags": "false",
    "push.gpgSign": "false",
    "push.recurseSubmodules": "no",
    "advice.detachedHead": "false",
}


@dataclass(frozen=True, slots=True)
class _Done:
    code: int
    out: str
    err: str


class GitTransport:
    """One remote, reached by git. timeout: seconds of silence after which git is killed."""

    def __init__(self, git: str, parts: Parts, remote: Remote, timeout: float) -> None:
        self._git = git
        self._parts = parts
        self._remote = remote
        self._timeout = timeout
        self.refusal = ""

    def list_branches(self) -> Listing:
        """See `Transport.list_branches`."""
        name = self._remote.name
        done = self._run(["ls-remote", "--quiet", "--symref", name, "HEAD", "refs/heads/*"])
        if done.code:
            raise unreachable(self._remote, _reason(done.err))
        branches: dict[str, str] = {}
        head = None
        for line in done.out.splitlines():
            if match := _LINE.fullmatch(line):
                branches[match[2]] = match[1]
            elif match := _SYMREF.fullmatch(line):
                head = match[1]
        return Listing(branches, head)

    def fetch(self, branch: str, tip: str) -> None:
        """See `Transport.fetch`. Leaves what the branch is now in git's own tracking ref too."""
        name = self._remote.name
        options = ["--progress", "--no-tags", "--no-write-fetch-head", "--refmap="]
        refspec = f"+refs/heads/{branch}:refs/remotes/{name}/{branch}"
        done = self._run(["fetch", *options, name, refspec])
        if done.code or not self._parts.objects.has(tip):
            raise unreachable(self._remote, _reason(done.err) or "the branch moved meanwhile")

    def push(self, commit: str, branch: str, expected: str | None) -> bool:
        """See `Transport.push`."""
        refspec = f"{commit}:refs/heads/{branch}"
        done = self._run(["push", "--progress", "--porcelain", self._remote.name, refspec])
        if done.code == 0:
            return True
        if not any(line.startswith("!") for line in done.out.splitlines()):
            raise unreachable(self._remote, _reason(done.err))
        why = _reason(done.err, "remote:") or _status(done.out)
        self.refusal = redact(why, secrets_of(self._remote.url))
        return False

    def _run(self, arguments: Sequence[str]) -> _Done:
        options = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [self._git, *options, *arguments]
        try:
            return _finish(command, self._parts.layout.root, self._environment(), self._timeout)
        except TimeoutError as error:
            raise unreachable(self._remote, str(error)) from None
        except OSError as error:
            raise unreachable(self._remote, f"git cannot be run ({error.strerror})") from None

    def _environment(self) -> dict[str, str]:
        environment = git_environment(
            self._parts.layout,
            GIT_TERMINAL_PROMPT="0",
            GIT_OPTIONAL_LOCKS="0",
            LC_ALL="C",
            LANGUAGE="",
        )
        for name, value in {
            "GIT_ASKPASS": "",  # empty: no window is opened to ask, whatever core.askPass says
            "GCM_INTERACTIVE": "never",
            "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        }.items():
            environment.setdefault(name, value)
        if "GIT_SSH" not in environment and not self._parts.config.get("core.sshcommand"):
            wait = max(int(self._timeout), 1)
            environment.setdefault(
                "GIT_SSH_COMMAND", f"ssh -oBatchMode=yes -oConnectTimeout={wait}"
            )
        if not self._parts.config.get(f"remote.{self._remote.name}.url"):
            # Not noted yet. By the environment, because other users can read command lines.
            number = int(environment.get("GIT_CONFIG_COUNT") or 0)
            environment[f"GIT_CONFIG_KEY_{number}"] = f"remote.{self._remote.name}.url"
            environment[f"GIT_CONFIG_VALUE_{number}"] = self._remote.url
            environment["GIT_CONFIG_COUNT"] = str(number + 1)
        return environment


def _finish(
    command: Sequence[str], folder: str, environment: Mapping[str, str], timeout: float
) -> _Done:
    """Run a command in a session of its own, which dies with the command or its silence.

    What it leaves running (an ssh master, a credential daemon) may keep the complaints open: nobody
    waits for the end of these. Raises TimeoutError, saying for how long nothing was heard.
    """
    import subprocess
    from queue import Empty, SimpleQueue
    from threading import Thread

    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # no terminal to ask at, and helpers die with it
    )
    assert process.stdout is not None and process.stderr is not None
    heard: SimpleQueue[bool] = SimpleQueue()
    out, err = bytearray(), bytearray()
    Thread(target=_listen, args=(process.stdout, out, heard, False), daemon=True).start()
    complaints = Thread(target=_listen, args=(process.stderr, err, heard, True), daemon=True)
    complaints.start()
    end = time.monotonic() + _LONGEST
    try:
        while heard.get(timeout=max(min(timeout, end - time.monotonic()), 0.0)):
            pass
        code = process.wait(timeout)
        complaints.join(_LAST_WORDS)
    except Empty:
        raise TimeoutError(f"no answer for {timeout:.0f} seconds") from None
    except subprocess.TimeoutExpired:
        raise TimeoutError("git does not end") from None
    finally:
        if process.poll() is None:
            end_session(process)
            process.wait()
    return _Done(code, *(bytes(text).decode("utf-8", "replace") for text in (out, err)))


def _listen(stream: IO[bytes], text: bytearray, heard: SimpleQueue[bool], last: bool) -> None:
    """Collect what a program says: True for every piece of it, `last` when nothing more comes."""
    with stream:
        while piece := os.read(stream.fileno(), 1 << 16):
            text += piece
            heard.put(True)
    heard.put(last)


def _reason(err: str, *signs: str) -> str:
    """The line of git's complaint that says most, "" when there is none."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", err) if line.strip()]
    for sign in signs or ("fatal:", "error:", "remote:", "ssh:"):
        for line in lines:
            if line.startswith(sign):
                told = line[len(sign) :].strip()
                if told and not told.startswith(("Could not read from remote", "failed to push")):
                    return told
    return "" if signs else (lines[0] if lines else "")


def _status(out: str) -> str:
    """Why `git push --porcelain` says a ref was refused."""
    for line in out.splitlines():
        if line.startswith("!"):
            return line.rpartition("\t")[2]
    return ""
