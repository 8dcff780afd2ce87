"""Reading many versions of the same files out of packs.

In a pack one version of a note is a delta over another, up to 50 deep. Read one by one, each
version costs its whole chain; with the versions in between remembered, it costs one step.
"""

from __future__ import annotations

from collections import OrderedDict

from mnemofs.errors import CorruptStore
from mnemofs.store.git.objects import Objects
from mnemofs.store.git.packs import Pack, apply_delta, kind_name

_REMEMBERED_BYTES = 32 * 1024 * 1024


class ChainReader(Objects):
    """An object database that remembers what deltas were applied to. For reads in bulk."""

    def __init__(self, common_dir: str) -> None:
        super().__init__(common_dir)
        self._bases: OrderedDict[tuple[str, int], tuple[str, bytes]] = OrderedDict()
        self._remembered = 0

    def _unpack(self, pack: Pack, offset: int) -> tuple[str, bytes]:
        steps: list[tuple[int, bytes]] = []
        seen = {offset}
        while (found := self._bases.get((pack.path, offset))) is None:
            base, kind, content = pack.read(offset)
            if base is None:
                found = kind_name(kind), content
                self._remember(pack, offset, found)
                break
            steps.append((offset, content))
            local = base if isinstance(base, int) else pack.find(base)
            if local is None and isinstance(base, bytes):
                found = self.read(base.hex())
                break
            if local is None or local in seen:
                raise CorruptStore("a pack holds an endless chain of deltas", hint="run `git fsck`")
            seen.add(local)
            offset = local
        kind_, content = found
        for at, delta in reversed(steps):
            content = apply_delta(content, delta)
            self._remember(pack, at, (kind_, content))
        return kind_, content

    def _remember(self, pack: Pack, offset: int, found: tuple[str, bytes]) -> None:
        self._bases[pack.path, offset] = found
        self._remembered += len(found[1])
        while self._remembered > _REMEMBERED_BYTES:
            self._remembered -= len(self._bases.popitem(last=False)[1][1])
