"""A git server over HTTP on the loopback, with and without credentials."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from dulwich.repo import Repo
from dulwich.server import DictBackend
from dulwich.web import make_wsgi_chain


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(hub: Path, *, credentials: str = "", deny: str = "") -> Iterator[str]:
    """Serves a bare repository; the URL. credentials: "user:password" that must be sent.

    deny: the status that every request gets instead, such as "401 Unauthorized".
    """
    chain = make_wsgi_chain(DictBackend({"/r.git": Repo(str(hub))}))
    wanted = "Basic " + base64.b64encode(credentials.encode()).decode()

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        sent = environ.get("HTTP_AUTHORIZATION", "")
        if deny or (credentials and sent != wanted):
            status = deny or "401 Unauthorized"
            start(status, [("WWW-Authenticate", 'Basic realm="r"'), ("Content-Length", "0")])
            return [b""]
        return chain(environ, start)  # type: ignore[no-any-return]

    server = make_server("127.0.0.1", 0, app, WSGIServer, _Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/r.git"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
