"""``numpy.fft`` by the library that torch has its transforms from, several times as fast as NumPy's.

Each function takes what NumPy's takes, and gives what it gives, but for rounding. NumPy's is called for what
is not an array of floats or complex numbers of its own class, for other lengths (``n``, ``s``), with
``out``, where floating-point errors are watched, where results are not finite, for short transforms
that it computes faster, and until the library is open: a program that transforms little does not open it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from math import inf, prod
from types import ModuleType
from typing import Any, Final

import numpy as np

from nprewrite.base import forks
from nprewrite.base.environment import disabled
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.choosing.choice import disturb
from nprewrite.runtime.torch import package, transforms
from nprewrite.runtime.torch.transforms import Kind, Plan, plans

_WORTH_OPENING_S = 0.2
"""The time of NumPy's transforms after which the library is opened, which takes as long."""
_TRIES = 3
"""How often each side is tried."""
_LATE = 8
"""The calls that follow each other in which all threads took longer than one, after which one is kept."""
_GAIN = 0.8
"""What other threads must save to be used."""
_SHARED = 1 << 14
"""The elements for which it may be worth waking other threads, which takes some 0.1 ms."""
_MOST = 256
"""The kinds of calls that are remembered."""


_Call = tuple[tuple[int, ...], np.dtype[Any], Any, str | None, bool]
"""The shape and dtype of an array, the axes, the norm, and whether the array is in Fortran's order."""


class _Library:
    """The library, opened by a thread once NumPy has had enough to do."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._thread: threading.Thread | None = None
        self.is_over = False

    def spend(self, seconds: float) -> None:
        """Note the time that NumPy took."""
        self._spent += seconds
        if self._spent >= _WORTH_OPENING_S and self._thread is None:
            self._begin()
        if self._thread is not None:
            disturb()

    def open(self) -> None:
        """Wait until it is open."""
        if self._thread is None:
            self._begin()
        if self._thread is not None:
            self._thread.join()

    def _begin(self) -> None:
        try:
            package.open_threads_library()
        except (ImportError, OSError):
            self.is_over = True
            return
        self._thread = threading.Thread(target=self._open, daemon=True)
        self._thread.start()

    def _open(self) -> None:
        transforms.opened()
        self.is_over = True


_library: Final = _Library()


Side = tuple[Plan, ...]
"""The steps in which the library computes a call; none where NumPy does."""
_IN_NUMPY: Side = ()


class _Way:
    """Which side computes calls of a kind: each is tried, in turns, and the fastest is kept.

    All threads are kept only as long as they gain: where others need the cores, they wait for each other.
    """

    def __init__(self) -> None:
        self.sides: list[Side] = []
        self._seconds: list[float] = []
        self._left = 0
        self._late = 0

    def begin(self, sides: list[Side]) -> None:
        """Begin the turns of NumPy, one thread, and all threads, where there are so many sides."""
        self.sides = sides
        self._seconds = [inf] * len(sides)
        self._left = _TRIES * len(sides)

    @property
    def is_decided(self) -> bool:
        """Whether calls need not be timed any more."""
        return len(self.sides) == 1

    @property
    def turn(self) -> int:
        """The number of the side whose turn it is."""
        return self._left % len(self.sides) if self._left else len(self.sides) - 1

    def note(self, seconds: float) -> None:
        """Note the time of the side whose turn it was."""
        if not self._left:
            self._late = self._late + 1 if seconds > self._seconds[-2] else 0
            if self._late == _LATE:
                self.sides = self.sides[-2:-1]
            return
        disturb()
        self._seconds[self.turn] = min(self._seconds[self.turn], seconds)
        self._left -= 1
        if not self._left:
            self._decide()

    def _decide(self) -> None:
        fastest = min(range(len(self.sides)), key=self._seconds.__getitem__)
        if fastest == 2 and self._seconds[2] > _GAIN * min(self._seconds[:2]):
            fastest = 1 if self._seconds[1] < self._seconds[0] else 0
        if fastest < 2:
            self.sides = [self.sides[fastest]]


class Function:
    """A function of a module of transforms; along which ``axes`` it transforms if none are given."""

    def __init__(self, module: ModuleType, name: str, kind: Kind, axes: int | tuple[int, ...] | None) -> None:
        self.__name__ = name
        self._original: Callable[..., Any] = getattr(module, name)
        self.__doc__ = f"``{module.__name__}.{name}``, see there; errors are those of that function."
        self._kind: Kind = kind
        self._axes = axes
        self._is_forward = name.removeprefix("r").startswith("f")
        self._axes_name = "axis" if axes == -1 else "axes"
        self._ways: dict[_Call, _Way] = {}

    def __call__(self, *given: Any, **named: Any) -> Any:
        """The transform of an array; parameters, results and errors are those of the original."""
        if len(given) != 1 or given[0].__class__ is not np.ndarray or not self._is_plain(named):
            return self._original(*given, **named)
        a: Array = given[0]
        axes = named.get(self._axes_name, self._axes)
        try:
            order = a.flags.f_contiguous and not a.flags.c_contiguous
            call = a.shape, a.dtype, tuple(axes) if axes.__class__ is list else axes, named.get("norm"), order
            way = self._ways.get(call)
        except TypeError:
            return self._original(a, **named)
        if way is None:
            way = self._new_way(call)
        if not _library.is_over:
            if not waiting.is_wanted():
                return self._until_open(a, named)
            _library.open()
        if not way.sides:
            way.begin(self._sides(call))
        side = way.sides[way.turn]
        if way.is_decided:
            return self._computed(side, a, named, transposed=order)
        started = time.perf_counter()
        found = self._computed(side, a, named, transposed=order)
        way.note(time.perf_counter() - started)
        return found

    def _is_plain(self, named: dict[str, Any]) -> bool:
        """Whether the arguments are no others than axes and a norm, and the library may compute now."""
        if named and not named.keys() <= {self._axes_name, "norm"}:
            return False
        if disabled() or forks.lacks_threads():
            return False
        try:
            guards.check_errstate()
        except Refused:
            return False
        return True

    def _new_way(self, call: _Call) -> _Way:
        if len(self._ways) >= _MOST:
            self._ways.clear()
        way = self._ways[call] = _Way()
        return way

    def _until_open(self, a: Array, named: dict[str, Any]) -> Any:
        started = time.perf_counter()
        found = self._original(a, **named)
        _library.spend(time.perf_counter() - started)
        return found

    def _computed(self, side: Side, a: Array, named: dict[str, Any], *, transposed: bool) -> Any:
        found: Array | None = np.ascontiguousarray(a.T if transposed else a) if side else None
        for plan in side:
            found = None if found is None else plan(found)
        if found is None:
            return self._original(a, **named)
        return found.T if transposed else found

    def _sides(self, call: _Call) -> list[Side]:
        """The sides that may compute such calls: NumPy, and the library with one thread or with all."""
        threads = [True, False] if prod(call[0]) >= _SHARED else [True]
        return [_IN_NUMPY, *(side for alone in threads if (side := self._plans(call, alone=alone)))]

    def _plans(self, call: _Call, *, alone: bool) -> Side:
        """The steps of the library for such arrays; none where NumPy has to compute, or raises an error."""
        shape, dtype, axes, norm, transposed = call
        places = _places(axes, len(shape), one=self._axes_name == "axis")
        if places is None or not dtype.isnative or norm not in (None, "backward", "ortho", "forward"):
            return ()
        if transposed:
            shape, places = shape[::-1], tuple(len(shape) - 1 - each for each in places)
        return plans(
            self._kind, shape, places, dtype, norm or "backward", forward=self._is_forward, alone=alone
        )


def _places(axes: Any, rank: int, *, one: bool) -> tuple[int, ...] | None:
    """The axes, counted from the first; None where NumPy raises an error, or transforms one twice."""
    every = tuple(range(rank)) if axes is None else axes
    many: Any = (axes,) if one else every
    if many.__class__ is not tuple:
        return None
    if not many or not all(each.__class__ is int and -rank <= each < rank for each in many):
        return None
    places = tuple(each % rank for each in many)
    return places if len({*places}) == len(places) else None


def functions_of(module: ModuleType) -> Iterator[Function]:
    """The functions of ``numpy.fft``, or of another module with the same ones."""
    pairs: tuple[tuple[tuple[str, Kind], ...], ...] = (
        (("fft", "complex"), ("ifft", "complex")),
        (("rfft", "halved"), ("irfft", "doubled")),
    )
    for pair in pairs:
        for ending, axes in (("", -1), ("2", (-2, -1)), ("n", None)):
            for name, kind in pair:
                yield Function(module, f"{name}{ending}", kind, axes)


fft, ifft, fft2, ifft2, fftn, ifftn, rfft, irfft, rfft2, irfft2, rfftn, irfftn = functions_of(np.fft)
