"""Which certificates a connection checks, and whether it goes through a proxy.

Certificates are read once a process, and not at all for plain HTTP: reading them takes a tenth of
a second, and most endpoints are a model on this machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


def verification(url: str) -> ssl.SSLContext | bool:
    """What `httpx` takes as `verify` for this URL."""
    return _certificates() if url.lower().startswith("https:") else False


def through_proxy(url: str) -> bool:
    """What `httpx` takes as `trust_env` for this URL: a server on this machine is never asked
    through the proxy of the environment, which could not reach it and would see what is private."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
        return not (host == "localhost" or host.endswith(".localhost")) and not (
            ip_address(host).is_loopback
        )
    except ValueError:  # a name of another machine, or no URL
        return True


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()
