"""``numpy.fft`` by the library that torch has its transforms from, several times as fast as NumPy's.

Each function takes what NumPy's takes, and gives what it gives, but for rounding. NumPy's is called for what
is not an array of floats or complex numbers of its own class, with ``out``, where floating-point errors are
watched, where results are not finite, for short transforms that it computes faster, and until the library is
open: a program that transforms little does not open it.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from math import inf, prod
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from nprewrite.base import forks
from nprewrite.base.environment import disabled
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.choosing.choice import disturb
from nprewrite.runtime.torch import package
from nprewrite.runtime.torch.package import is_contiguous
from nprewrite.runtime.torch.transforms import Kind, plans

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


class _Call(NamedTuple):
    """What calls of a kind have in common."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    axes: Any
    lengths: Any = None
    """Those that the axes are to have first, if they are given."""
    norm: Any = None


class _Library:
    """The library, opened by a thread once NumPy has had enough to do."""

    def __init__(self) -> None:
        self._spent = 0.0
        self.is_over = False

    def spend(self, seconds: float) -> None:
        """Note the time that NumPy took."""
        self._spent += seconds
        if self._spent < _WORTH_OPENING_S:
            return
        try:
            opening = package.opening_torch_library()
        except (ImportError, OSError):
            opening = None
        self.is_over = opening is None
        if opening is not None:
            disturb()


_library: Final = _Library()


Step = Callable[[Array], "Array | None"]
Side = tuple[Step, ...]
"""The steps in which the library computes a call; none where NumPy does."""
_IN_NUMPY: Side = ()


class _Way:
    """Which side computes calls of a kind: each is tried, in turns, and the fastest is kept.

    All threads are kept only as long as they gain: where others need the cores, they wait for each other.
    """

    def __init__(self) -> None:
        self.sides: list[Side] = []
        self.kept: Side | None = None
        """The side for which calls need not be timed any more."""
        self._seconds: list[float] = []
        self._left = 0
        self._late = 0

    def begin(self, sides: list[Side]) -> None:
        """Begin the turns of NumPy, one thread, and all threads, where there are so many sides."""
        self.sides = sides
        self._seconds = [inf] * len(sides)
        self._left = _TRIES * len(sides)

    @property
    def turn(self) -> int:
        """The number of the side whose turn it is."""
        return self._left % len(self.sides) if self._left else len(self.sides) - 1

    def note(self, seconds: float) -> None:
        """Note the time of the side whose turn it was."""
        if not self._left:
            self._late = self._late + 1 if seconds > self._seconds[-2] else 0
            if self._late == _LATE:
                self.kept = self.sides[-2]
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
            self.kept = self.sides[fastest]


class Function:
    """A function of a module of transforms; along which ``axes`` it transforms if none are given."""

    def __init__(self, module: ModuleType, name: str, kind: Kind, axes: int | tuple[int, ...] | None) -> None:
        self.__name__ = name
        self._original: Callable[..., Any] = getattr(module, name)
        self.__doc__ = f"``{module.__name__}.{name}``, see there; errors are those of that function."
        self._kind: Kind = kind
        self._axes = axes
        self._is_forward = name.removeprefix("r").startswith("f")
        self._axes_name, self._lengths_name = ("axis", "n") if axes == -1 else ("axes", "s")
        self._ways: dict[_Call, _Way] = {}

    def __call__(self, *given: Any, **named: Any) -> Any:
        """The transform of an array; parameters, results and errors are those of the original."""
        a = given[0] if given else None
        if a.__class__ is not np.ndarray:
            return self._original(*given, **named)
        # No tuple with names, which takes longer to make.
        call: Any = (a.shape, a.strides, a.dtype, self._axes)
        if named or len(given) > 1:
            if not self._is_plain(given, named):
                return self._original(*given, **named)
            lengths = given[1] if len(given) > 1 else named.get(self._lengths_name)
            call = (*call[:3], named.get(self._axes_name, self._axes), lengths, named.get("norm"))
        way = self._ways.get(call) or self._new_way(call)
        if way.kept == _IN_NUMPY or not _may_compute():
            return self._original(*given, **named)
        if not _library.is_over and not waiting.is_wanted():
            return self._until_open(given, named)
        if not way.sides:
            _library.is_over = True
            way.begin(self._sides(_Call(*call)))
        if way.kept is not None:
            return self._computed(way.kept, given, named)
        started = time.perf_counter()
        found = self._computed(way.sides[way.turn], given, named)
        way.note(time.perf_counter() - started)
        return found

    def _is_plain(self, given: tuple[Any, ...], named: dict[str, Any]) -> bool:
        """Whether there are no further arguments, such as ``out``, and these are of the usual kinds."""
        known = (
            {self._axes_name, "norm"} if len(given) == 2 else {self._axes_name, self._lengths_name, "norm"}
        )
        if len(given) > 2 or not named.keys() <= known:
            return False
        return all(map(_is_exact, given[1:])) and all(map(_is_exact, named.values()))

    def _new_way(self, call: _Call) -> _Way:
        if len(self._ways) >= _MOST:
            self._ways.clear()
        way = self._ways[call] = _Way()
        return way

    def _until_open(self, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        started = time.perf_counter()
        found = self._original(*given, **named)
        _library.spend(time.perf_counter() - started)
        return found

    def _computed(self, side: Side, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        found = given[0] if side else None
        for step in side:
            found = None if found is None else step(found)
        return self._original(*given, **named) if found is None else found

    def _sides(self, call: _Call) -> list[Side]:
        """The sides that may compute such calls: NumPy, and the library with one thread or with all."""
        threads = [True, False] if prod(call.shape) >= _SHARED else [True]
        return [_IN_NUMPY, *(side for alone in threads if (side := self._side(call, alone=alone)))]

    def _side(self, call: _Call, *, alone: bool) -> Side:
        """The steps of the library for such arrays; none where NumPy has to compute, or raises an error."""
        rank, one = len(call.shape), self._axes_name == "axis"
        axes, lengths = (call.axes,) if one else call.axes, (call.lengths,) if one else call.lengths
        if axes is None and lengths is None:
            axes = tuple(range(rank))
        if lengths is None or lengths == (None,):
            lengths = ()
        if not (axes.__class__ is lengths.__class__ is tuple and axes):
            return ()
        if not all(each.__class__ is int for each in axes + lengths) or not all(n > 0 for n in lengths):
            return ()
        places = tuple(each % rank for each in axes if -rank <= each < rank)
        if len({*places}) < len(axes) or len(lengths) not in (0, len(axes)):
            return ()
        if not call.dtype.isnative or call.norm not in (None, "backward", "ortho", "forward"):
            return ()
        shape, last = [*call.shape], 0
        for place, length in zip(places, lengths, strict=False):
            shape[place] = last = length
        if self._kind == "doubled":
            last = last or 2 * (shape[places[-1]] - 1)
            shape[places[-1]] = last // 2 + 1
        before, transposed = _steps_before(call, tuple(shape))
        if transposed:
            shape, places = shape[::-1], tuple(rank - 1 - each for each in places)
        wanted = self._kind, tuple(shape), places, call.dtype, call.norm or "backward"
        made = plans(*wanted, last, forward=self._is_forward, alone=alone)
        return (*before, *made, *([np.transpose] if transposed else [])) if made else ()


def _may_compute() -> bool:
    """Whether others than NumPy may: nobody waits for its errors, and the process has all threads."""
    if disabled() or forks.lacks_threads():
        return False
    try:
        guards.check_errstate()
    except Refused:
        return False
    return True


def _is_exact(value: Any) -> bool:
    """Whether a parameter is equal to no other that NumPy treats differently, as 1.0 and True are to 1."""
    if value.__class__ is tuple:
        return all(each.__class__ is int for each in value)
    return value is None or value.__class__ in (int, str)


def _steps_before(call: _Call, shape: tuple[int, ...]) -> tuple[list[Step], bool]:
    """What makes an argument a C-contiguous array of ``shape``, and whether that reverses its axes."""
    strides = [step / call.dtype.itemsize for step in call.strides]
    if shape != call.shape:
        return [functools.partial(_resized, shape=shape), np.ascontiguousarray], False
    if is_contiguous(shape, strides):
        return [], False
    if is_contiguous(shape[::-1], strides[::-1]):
        return [np.transpose], True
    return [np.ascontiguousarray], False


def _resized(array: Array, shape: tuple[int, ...]) -> Array:
    """An array with zeros added, or parts left out, at the end of its axes."""
    kept = tuple(slice(min(pair)) for pair in zip(array.shape, shape, strict=True))
    if all(n >= m for n, m in zip(array.shape, shape, strict=True)):
        return array[kept]
    made = np.zeros(shape, array.dtype)
    made[kept] = array[kept]
    return made


def functions_of(module: ModuleType) -> Iterator[Function]:
    """The functions of ``numpy.fft``, or of another module with the same ones."""
    kinds: tuple[tuple[str, Kind, Kind], ...] = (("", "complex", "complex"), ("r", "halved", "doubled"))
    for prefix, there, back in kinds:
        for ending, axes in (("", -1), ("2", (-2, -1)), ("n", None)):
            yield Function(module, f"{prefix}fft{ending}", there, axes)
            yield Function(module, f"i{prefix}fft{ending}", back, axes)


fft, ifft, fft2, ifft2, fftn, ifftn, rfft, irfft, rfft2, irfft2, rfftn, irfftn = functions_of(np.fft)
