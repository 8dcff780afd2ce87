"""The network without the `git` program: dulwich, imported here only.

Tokens come from the URL; ssh goes through the `ssh` program. What dulwich has no time limit for
runs in a thread that is given up after silence.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

from mnemofs.errors import MnemofsError
from mnemofs.store.sharing.remote import Remote, redact, secrets_of
from mnemofs.store.sharing.transport import Listing, unreachable

if TYPE_CHECKING:
    from dulwich.client import GitClient
    from dulwich.objects import ObjectID
    from dulwich.refs import Ref
    from dulwich.repo import Repo

    from mnemofs.store.commit.parts import Parts

_T = TypeVar("_T")
_HEADS = b"refs/heads/"


class DulwichTransport:
    """One remote, reached by dulwich. timeout: seconds of silence after which it is given up."""

    def __init__(self, parts: Parts, remote: Remote, timeout: float) -> None:
        self._parts = parts
        self._remote = remote
        self._timeout = timeout
        self._alive = threading.Event()
        self.refusal = ""

    def list_branches(self) -> Listing:
        """See `Transport.list_branches`."""

        def ask(_: Repo, client: GitClient, path: str) -> Listing:
            found = client.get_refs(path.encode())
            head = (found.symrefs or {}).get(_ref(b"HEAD"))
            branches = {
                _text(name[len(_HEADS) :]): value.decode("ascii")
                for name, value in found.refs.items()
                if name.startswith(_HEADS) and value is not None
            }
            named = head[len(_HEADS) :] if head and head.startswith(_HEADS) else None
            return Listing(branches, _text(named) if named else None)

        return self._within_limits("pull", ask)

    def fetch(self, branch: str, tip: str) -> None:
        """See `Transport.fetch`."""

        def get(repo: Repo, client: GitClient, path: str) -> None:
            client.fetch(
                path,
                repo,
                determine_wants=lambda _refs, depth=None: [_id(tip)],
                progress=self._heard,
            )

        self._within_limits("pull", get)
        if not self._parts.objects.has(tip):
            raise unreachable(self._remote, "it did not send what it has")

    def push(self, commit: str, branch: str, expected: str | None) -> bool:
        """See `Transport.push`."""
        name = _ref(_HEADS + branch.encode("utf-8", "surrogateescape"))

        def update(refs: dict[Ref, ObjectID]) -> dict[Ref, ObjectID]:
            present = refs.get(name)
            if (present.decode("ascii") if present else None) != expected:
                raise _MovedError
            return {name: _id(commit)}

        def send(repo: Repo, client: GitClient, path: str) -> str | None:
            if _checked_out(client, path, name):
                return "its branch is checked out in a folder there; share through a bare one"
            pack: Any = repo.generate_pack_data  # dulwich's own annotations disagree
            done = client.send_pack(path.encode(), update, pack, progress=self._heard)
            return (done.ref_status or {}).get(name)

        try:
            self.refusal = self._within_limits("push", send) or ""
        except _MovedError:
            self.refusal = "the branch there has moved"
            return False
        self.refusal = redact(self.refusal, secrets_of(self._remote.url))
        return not self.refusal

    def _within_limits(self, operation: str, work: Callable[[Repo, GitClient, str], _T]) -> _T:
        """Do `work` in a thread, as long as there are signs of life."""
        result: list[_T] = []
        fault: list[BaseException] = []
        ended = threading.Event()

        def run() -> None:
            try:
                result.append(self._with_client(operation, work))
            except BaseException as error:
                fault.append(error)
            finally:
                ended.set()
                self._alive.set()

        thread = threading.Thread(target=run, daemon=True, name="mnemofs-remote")
        thread.start()
        while not ended.is_set():
            self._alive.clear()
            if ended.is_set():
                break
            if not self._alive.wait(self._timeout):
                raise unreachable(self._remote, f"no answer for {self._timeout:.0f} seconds")
        thread.join(1.0)
        if result:
            return result[0]
        error = fault[0]
        if isinstance(error, _MovedError | MnemofsError):
            raise error
        raise unreachable(self._remote, _words(error)) from None

    def _with_client(self, operation: str, work: Callable[[Repo, GitClient, str], _T]) -> _T:
        from dulwich.client import get_transport_and_path
        from dulwich.config import ConfigFile, StackedConfig
        from dulwich.repo import Repo

        with closing(Repo(self._parts.layout.root)) as repo:
            limits = ConfigFile()
            limits.set((b"http",), b"timeout", str(self._timeout).encode())
            stack = repo.get_config_stack()
            config = StackedConfig([limits, *stack.backends], writable=None)
            client, path = get_transport_and_path(
                self._remote.url,
                config=config,
                operation=operation,
                quiet=True,
                ssh_command=self._ssh(),
            )
            return work(repo, client, path)

    def _ssh(self) -> str:
        chosen = os.environ.get("GIT_SSH_COMMAND") or self._parts.config.get("core.sshcommand")
        if not chosen and os.environ.get("GIT_SSH"):
            import shlex

            chosen = shlex.quote(os.environ["GIT_SSH"])
        return chosen or f"ssh -oBatchMode=yes -oConnectTimeout={max(int(self._timeout), 1)}"

    def _heard(self, _: bytes) -> None:
        self._alive.set()


def _checked_out(client: GitClient, path: str, branch: Ref) -> bool:
    """Whether a push would move a branch under somebody's files, which git refuses by itself."""
    from dulwich.client import LocalGitClient
    from dulwich.repo import Repo

    if not isinstance(client, LocalGitClient):
        return False
    with closing(Repo(path)) as there:
        return not there.bare and there.refs.get_symrefs().get(_ref(b"HEAD")) == branch


class _MovedError(Exception):
    """The branch over there is not where it was."""


def _words(error: BaseException) -> str:
    """What an error of dulwich means, in words that `transport.unreachable` knows."""
    kind = type(error).__name__
    if kind in ("HTTPUnauthorized", "HTTPProxyUnauthorized"):
        return "authentication failed"
    if kind == "NotGitRepository":
        return "repository not found"
    return str(error) or kind


def _ref(name: bytes) -> Ref:
    from dulwich.refs import Ref

    return Ref(name)


def _id(commit: str) -> ObjectID:
    from dulwich.objects import ObjectID

    return ObjectID(commit.encode("ascii"))


def _text(name: bytes | Any) -> str:
    return bytes(name).decode("utf-8", "surrogateescape")
