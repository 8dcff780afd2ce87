"""Hashes for naming things, none of them for security, without loading OpenSSL.

`hashlib` takes three milliseconds to import, a tenth of what a hook may cost.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha1
else:
    try:
        from _blake2 import blake2b
        from _sha1 import sha1
    except ImportError:  # a Python built without its own
        from hashlib import blake2b, sha1

__all__ = ["blake2b", "sha1"]
