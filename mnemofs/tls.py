"""Which certificates a connection checks, and whether it goes through a proxy.

Certificates are read once a process, and not at all for plain HTTP: reading them takes a tenth of
a second, and most endpoints are a model on this machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import ssl


class Trust(TypedDict):
    """What an `httpx.Client` is made with."""

    verify: ssl.SSLContext | bool
    trust_env: bool


def trust(url: str) -> Trust:
    """Whom a client for this URL trusts."""
    verify = _certificates() if url.lower().startswith("https:") else False
    return {"verify": verify, "trust_env": through_proxy(url)}


def through_proxy(url: str) -> bool:
    """Whether the proxy of the environment counts for this URL: a server on this machine is never
    asked through it, which could not reach it and would see what is private."""
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
