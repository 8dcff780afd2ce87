"""Reading and nothing else: what a hook opens at every prompt."""

from __future__ import annotations

from mnemofs import names
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
    shared = stores.shared()
    if owner.strip() in ("", "system"):
        return Reader(config, None, stores.embedders, shared)
    key = names.owner_key(owner)
    if not config.owners.isolation:
        return Reader(config, None, stores.embedders, shared)
    own = stores.personal(key)
    return Reader(config, None, stores.embedders, [own, *shared] if own else shared, owner=key)
