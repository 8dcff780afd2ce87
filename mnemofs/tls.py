"""Which certificates a connection checks: read once a process, and not at all for plain HTTP.

Reading them takes a tenth of a second, and most endpoints are a model on this machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


def verification(url: str) -> ssl.SSLContext | bool:
    """What `httpx` takes as `verify` for this URL."""
    return _certificates() if url.lower().startswith("https:") else False


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()
