"""Reading and nothing else: what a hook opens at every prompt."""

from __future__ import annotations

from mnemofs.opening import Stores, load_settings
from mnemofs.view.prompting import Prompting


class Reader(Prompting):
    """A person's, or the shared, memory to search and to make a prompt from.

    Git is left alone until something needs it.
    """


def open_reader(root: str, owner: str = "") -> Reader:
    """The reader for one person, or for the shared memory, of the workspace at `root`.

    Raises NotAWorkspace, ConfigError and UnsafeName.
    """
    config = load_settings(root, check=False)
    stores = Stores(root, config)
    key, scopes = stores.seen_by(owner)
    return Reader(config, None, stores.embedders, scopes, owner=key)
