"""The whole view: everything a person or an agent does with memory is a method of `View`.

A view writes to one store (the workspace's, or one owner's) and reads that store together with
the shared ones. Every write is committed before its method returns, and findable right after.
"""

from __future__ import annotations

from mnemofs.view.exchanging import Exchanging
from mnemofs.view.forgetting import Forgetting
from mnemofs.view.maintaining import Maintaining
from mnemofs.view.prompting import Prompting
from mnemofs.view.sharing import Sharing
from mnemofs.view.tooling import Tooling
from mnemofs.view.tracing import Tracing
from mnemofs.view.writing import Writing


class View(Prompting, Tracing, Writing, Maintaining, Forgetting, Sharing, Exchanging, Tooling):
    """The memory of one reader; see the parts for what it can do."""
