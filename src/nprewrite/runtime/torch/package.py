"""A compiled graph as it lies on disk: a library of kernels, and a text that calls them on NumPy's arrays.

Neither torch nor a compiler is needed to load it. Kernels whose functions come from the SLEEF library
that is part of torch need torch's own library in memory, not its Python modules; where an operation has no
kernel, the text calls torch (without Dynamo and Inductor).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import importlib.util
import json
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.base import cachedir, forks, notes
from nprewrite.base.threads import start_unseen
from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.importing import import_whole
from nprewrite.runtime.api.refusal import Compilation
from nprewrite.runtime.torch import machine

Results = tuple[tuple[str, ...], tuple[bool, ...], Sequence[Array]]
"""The dtypes of a step's results, whether those with targets have their shapes, and the further results."""
_KINDS = {"i": ctypes.c_int64, "d": ctypes.c_double, "f": ctypes.c_float}


@dataclass(frozen=True)
class Plan:
    """What is known of a graph besides its kernels.

    - ``text``: a module with the functions ``fits(*arrays)``, which tells whether the graph is for arrays
      of such shapes, and ``call(*arrays)``, which runs it.
    - ``kernels``: the kernels that the text calls, by name, each with a letter for every parameter: ``p`` for
      an array, ``i``, ``d`` and ``f`` for an int64, a double and a float.
    - ``required``: what the graph requires of lengths that may vary, of the arrays ``t0``, ``t1`` and so on.
    - ``constants``: arrays that the text reads, by name, each with its dtype, its shape and its bytes in
      hexadecimal digits.
    - ``torch_library``: whether kernels call functions of torch's library; ``torch``: whether the text calls
      torch, for ``operations`` that have no kernel, or statements that NumPy has no words for.
    """

    text: str
    kernels: dict[str, str]
    required: tuple[str, ...]
    constants: dict[str, tuple[str, list[int], str]]
    dtypes: tuple[str, ...]
    same_shape: tuple[bool, ...]
    torch_library: bool
    operations: tuple[str, ...]

    @property
    def torch(self) -> bool:
        """Whether running it needs the Python module torch."""
        return bool(self.operations)


_OPENING = threading.RLock()
"""Held while a library is opened, by a fork, whose child would have half of the library, and from the end of
the program on, where half of a library that takes itself apart ends the process with an error."""
atexit.register(_OPENING.acquire)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_OPENING.acquire, after_in_parent=_OPENING.release, after_in_child=_OPENING.release
    )
_OF_THREADS = frozenset(["GOMP_SPINCOUNT", "OMP_WAIT_POLICY"])
"""What a user says of how threads wait."""


def library_of(path: Path) -> Path:
    """Where the kernels of the plan in ``path`` lie."""
    return path.with_suffix(".so")


def save(plan: Plan, library: bytes, path: Path) -> None:
    """Write a package, the plan last: without it there is none. Raises ``OSError``."""
    cachedir.place(library_of(path), library)
    known = {"library": notes.digest(library), **asdict(plan)}
    cachedir.place(path, json.dumps(known, indent=1).encode())


class Package:
    """A graph that is ready to run on C-contiguous arrays of the shapes that ``fits`` accepts."""

    def __init__(self, path: Path) -> None:
        """Load a package. Raises ``OSError``, ``ValueError``, ``TypeError`` or ``ImportError``."""
        known = json.loads(path.read_text(encoding="utf-8"))
        for each in (path, library_of(path)):
            cachedir.used(each)
        # The process would die of a library that is not whole.
        if known.pop("library", "") != notes.digest(library_of(path).read_bytes()):
            raise ValueError(f"{library_of(path)} is not the library that was written")
        self.plan = Plan(**known)
        self.operations = tuple(self.plan.operations)
        self._shape_of_results = tuple(self.plan.dtypes), tuple(self.plan.same_shape)
        names: dict[str, Any] = {"math": math, "inf": math.inf, "nan": math.nan, "view": _view}
        in_numpy = {"np": np, "empty": _empty, "laid_out": _laid_out}
        names |= _torch_names() if self.plan.torch else in_numpy
        names |= _kernels(library_of(path), self.plan)
        for name, (dtype, shape, digits) in self.plan.constants.items():
            value = np.frombuffer(bytearray.fromhex(digits), dtype).reshape(shape)
            names[name] = names["tensor"](value) if self.plan.torch else value
        exec(compile(self.plan.text, f"<nprewrite graph {path.stem}>", "exec"), names)
        self.fits: Callable[..., bool] = names["fits"]
        self._call: Callable[..., Sequence[Array]] = names["call"]

    def __call__(self, *arrays: Array) -> Results:
        """Run the graph; raises ``RuntimeError`` where a kernel does."""
        return *self._shape_of_results, self._call(*arrays)


def _kernels(path: Path, plan: Plan) -> dict[str, Any]:
    if not plan.kernels:
        return {}
    library = _library(path, torch_library=plan.torch_library)
    # An array is passed as the object, of which the library reads where its elements are.
    kinds: dict[str, Any] = {**_KINDS, "p": _TensorMemory if plan.torch else ctypes.py_object}
    found = {}
    for name, letters in plan.kernels.items():
        function = getattr(library, f"run_{name}")
        function.argtypes = [kinds[letter] for letter in letters]
        function.restype = ctypes.c_int
        function.errcheck = _check
        found[name] = function
    return found


def _library(path: Path, *, torch_library: bool) -> ctypes.CDLL:
    open_threads_library()
    if torch_library:
        open_torch_library()
    forks.note_threads(machine.threads())
    return ctypes.CDLL(str(path))


@functools.cache
def open_threads_library() -> None:
    """Open the OpenMP library that torch would use: two in a process would have threads of their own each.

    Raises ``ImportError`` where torch is not installed.
    """
    path = _torch_folder() / "lib" / "libgomp.so.1"
    if path.exists():
        with _short_spins():
            _open_globally(path)


def open_ahead(path: Path) -> None:
    """Open torch's library if the package in ``path`` needs it, in a thread for which no call waits.

    It takes some 0.2 s, in which other threads run. What fails here fails again where a call loads it.
    """
    with contextlib.suppress(OSError, ValueError, KeyError, ImportError):
        if json.loads(path.read_text(encoding="utf-8"))["torch_library"]:
            open_torch_library()


class _Opening(Compilation):
    """Torch's own library, while a thread opens it."""

    reason = "opening torch's library"

    def __init__(self) -> None:
        begun = threading.Event()
        start_unseen(self._open, begun)
        # From then on a fork waits: its child would have no such thread.
        begun.wait()

    def _open(self, begun: threading.Event) -> None:
        with _OPENING:
            begun.set()
            # What fails here fails again where a call loads it.
            with contextlib.suppress(OSError, ImportError):
                open_torch_library()
            self.over = True


_opening = functools.cache(_Opening)


def opening(path: Path) -> Compilation | None:
    """What a call of the package in ``path`` would wait for; None where it is ready to be loaded.

    Raises ``OSError``, ``ValueError``, ``KeyError`` or ``ImportError``.
    """
    known = json.loads(path.read_text(encoding="utf-8"))
    return opening_torch_library() if known["torch_library"] else None


def opening_torch_library() -> Compilation | None:
    """Torch's own library while a thread opens it, from now on; None where that is over.

    Raises ``ImportError`` or ``OSError``.
    """
    # Not in the thread: it changes the environment.
    open_threads_library()
    begun = _opening()
    return None if begun.over else begun


def open_torch_library() -> ctypes.CDLL:
    """Torch's own library, opened without importing torch. Raises ``ImportError`` or ``OSError``."""
    name = f"libtorch_cpu.{'dylib' if sys.platform == 'darwin' else 'so'}"
    return _open_globally(_torch_folder() / "lib" / name)


@contextlib.contextmanager
def _short_spins() -> Iterator[None]:
    """Within the block, an OpenMP library is loaded whose threads soon sleep once a kernel has ended.

    They would spin for milliseconds, on cores that the threads of NumPy's products need: eight products of
    400 x 400 with a kernel after each took 70 ms on two cores, and 24 so. Kernels that follow at once still
    find them awake.
    """
    if not _OF_THREADS.isdisjoint(os.environ):
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "10000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]


@functools.cache
def _open_globally(path: Path) -> ctypes.CDLL:
    with _OPENING:
        if hasattr(os, "RTLD_NOW"):
            # Called as a foreign function, because ctypes lets no other thread run while it opens a library.
            opened = ctypes.CDLL(None).dlopen
            opened.argtypes, opened.restype = [ctypes.c_char_p, ctypes.c_int], ctypes.c_void_p
            opened(os.fsencode(path), os.RTLD_NOW | os.RTLD_GLOBAL)
        return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)


@functools.cache
def _torch_folder() -> Path:
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        raise ImportError("torch is not installed")
    return Path(found.origin).parent


def _torch_names() -> dict[str, Any]:
    # NumPy asks for huge pages for large arrays; torch does if this is set before its first tensor. Without
    # them fresh results cost page faults where the allocator gives memory back: 13 ms for 32 MB, not 3.
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
    import_whole("torch")
    import torch

    from nprewrite.runtime.torch.private import empty_strided_cpu, reinterpret_tensor

    return {
        "torch": torch,
        "tensor": torch.from_numpy,
        "aten": torch.ops.aten,
        "extern_kernels": torch,
        "empty_strided_cpu": empty_strided_cpu,
        "reinterpret_tensor": reinterpret_tensor,
        "device": torch.device,
    }


class _TensorMemory:
    """The memory of a tensor, as the parameter of a kernel."""

    @classmethod
    def from_param(cls, tensor: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(tensor.data_ptr())


OUT_OF_RANGE = 2
"""What a kernel returns where a position was out of range; 1 where it raised."""


def _check(failed: int, function: Any, _: object) -> None:
    if failed == OUT_OF_RANGE:
        raise IndexError("a position is out of range")
    if failed:
        raise RuntimeError(f"the kernel {function.__name__} raised an error")


def is_contiguous(size: Sequence[int], stride: Sequence[float]) -> bool:
    """Whether strides, counted in elements, are those of an array in C order."""
    expected = 1
    for length, step in zip(reversed(size), reversed(stride), strict=True):
        if length != 1 and step != expected:
            return False
        expected *= length
    return True


def _empty(size: tuple[int, ...], stride: tuple[int, ...], dtype: str) -> Array:
    """Uninitialized memory for an array of ``size``, whose strides are counted in elements."""
    if 0 in size or is_contiguous(size, stride):
        return np.empty(size, dtype)
    elements = 1 + sum((n - 1) * by for n, by in zip(size, stride, strict=True))
    return _view(np.empty(elements, dtype), size, stride, 0)


def _laid_out(value: Any, size: tuple[int, ...], stride: tuple[int, ...], dtype: str) -> Array:
    """The result of a function of NumPy's as kernels expect it, whose strides are counted in elements."""
    array = np.asarray(value, dtype)
    if array.shape == size and array.flags.c_contiguous and is_contiguous(size, stride):
        return array
    placed = _empty(size, stride, dtype)
    placed[...] = array
    return placed


def _view(
    memory: Array, size: tuple[int, ...], stride: tuple[int, ...], offset: int, dtype: str | None = None
) -> Array:
    """An array of ``size`` in the memory of another, from its element ``offset`` on."""
    kind = memory.dtype if dtype is None else np.dtype(dtype)
    if 0 in size:
        # NumPy refuses an offset where memory ends.
        return np.empty(size, kind)
    item = kind.itemsize
    # All of the memory that an array with gaps or in another order lies in is its base.
    whole: Any = memory if memory.flags.c_contiguous else memory.base
    return np.ndarray(size, kind, whole, offset * item, tuple([step * item for step in stride]))
