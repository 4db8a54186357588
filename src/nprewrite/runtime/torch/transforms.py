"""Fourier transforms by the library that torch has them from, called without torch.

On x86 it is oneMKL, whose interface (DFTI, "oneMKL developer reference for C, Fourier transform functions")
torch's own library exports. A descriptor is made once for arrays of a shape, where torch makes one at each
call. Where there is none of it, ``opened`` gives None.
"""

from __future__ import annotations

import cmath
import ctypes
import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from nprewrite.base import forks
from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.torch import machine, package

Kind = Literal["complex", "mirrored", "halved", "doubled"]
"""Complex arrays to complex ones; real ones to complex ones, of which the library computes the half that the
rest mirrors; real ones to that half; and back."""

_DESCRIPTOR = ctypes.c_void_p
_NAMES = ("DftiCommitDescriptor", "DftiComputeForward", "DftiComputeBackward", "DftiFreeDescriptor")
# Values of DFTI_CONFIG_PARAM and DFTI_CONFIG_VALUE.
_COMPLEX, _REAL = 32, 33
_FORWARD_SCALE, _BACKWARD_SCALE, _TRANSFORMS = 4, 5, 7
_CONJUGATE_EVEN, _COMPLEX_COMPLEX = 10, 39
_PLACEMENT, _NOT_INPLACE = 11, 44
_INPUT_STRIDES, _OUTPUT_STRIDES, _INPUT_DISTANCE, _OUTPUT_DISTANCE = 12, 13, 14, 15
_THREAD_LIMIT = 27
_DTYPES: dict[Kind, str] = {"complex": "dfDF", "mirrored": "df", "halved": "df", "doubled": "DF"}
_LEAST = 1 << 11
"""The elements for which a call of their own takes less time than NumPy."""


@functools.cache
def opened() -> ctypes.CDLL | None:
    """The library; None where torch has another one, or is not installed."""
    try:
        package.open_threads_library()
        library = package.open_torch_library()
        for name in _NAMES:
            getattr(library, name).restype = ctypes.c_long
        library.DftiSetValue.restype = ctypes.c_long
    except (ImportError, OSError, AttributeError):
        return None
    library.DftiCommitDescriptor.argtypes = [_DESCRIPTOR]
    library.DftiFreeDescriptor.argtypes = [ctypes.POINTER(_DESCRIPTOR)]
    for name in _NAMES[1:3]:
        getattr(library, name).argtypes = [_DESCRIPTOR, ctypes.c_void_p, ctypes.c_void_p]
    forks.note_threads(machine.threads())
    return library


@dataclass(frozen=True)
class Transform:
    """A transform along ``axes`` of C-contiguous arrays of ``shape``, each result divided by ``divisor``.

    ``length`` is that of the last axis of a result that is "doubled". Computed ``alone``, it has one thread.
    """

    kind: Kind
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    single: bool
    forward: bool
    divisor: float
    length: int
    alone: bool

    @property
    def made(self) -> tuple[int, ...]:
        """The shape of the results."""
        made = [*self.shape]
        if self.kind == "halved":
            made[self.axes[-1]] = made[self.axes[-1]] // 2 + 1
        elif self.kind == "doubled":
            made[self.axes[-1]] = self.length
        return tuple(made)

    @property
    def lengths(self) -> list[int]:
        """Those of the transformed axes, in the array that is not half."""
        whole = self.made if self.kind == "doubled" else self.shape
        return [whole[axis] for axis in self.axes]


class Unsuitable(ValueError):
    """The library does not compute a transform, or not at once."""


class Plan:
    """How the library computes a transform. Raises ``Unsuitable``."""

    def __init__(self, library: ctypes.CDLL, transform: Transform) -> None:
        self._library = library
        # Of arrays of other dtypes than the expected one the elements are converted first.
        self._made, (self._expected, self._dtype) = transform.made, _dtypes(transform)
        self._compute = library.DftiComputeForward if transform.forward else library.DftiComputeBackward
        self._descriptor = _DESCRIPTOR()
        given, made = _strides(transform.shape), _strides(self._made)
        together, apart = _batch([n for n in range(len(given)) if n not in transform.axes], transform)
        self._parts = [
            *zip(
                _offsets(apart, transform.shape, given, self._expected.itemsize),
                _offsets(apart, transform.shape, made, self._dtype.itemsize),
                strict=True,
            )
        ]
        self._sample = tuple(0 if n in transform.axes else slice(None) for n in range(len(given)))
        self._whole = transform.kind == "doubled"
        self._mirrored = [*_mirrored(transform)] if transform.kind == "mirrored" else []
        self._create(transform)
        self._set(_PLACEMENT, _NOT_INPLACE)
        if transform.kind != "complex":
            self._set(_CONJUGATE_EVEN, _COMPLEX_COMPLEX)
        for which, steps in ((_INPUT_STRIDES, given), (_OUTPUT_STRIDES, made)):
            self._set(which, [0, *(steps[n] for n in transform.axes)])
        if together:
            self._set(_TRANSFORMS, math.prod(transform.shape[n] for n in together))
            self._set(_INPUT_DISTANCE, given[together[-1]])
            self._set(_OUTPUT_DISTANCE, made[together[-1]])
        if transform.alone:
            self._set(_THREAD_LIMIT, 1)
        self._set(_FORWARD_SCALE if transform.forward else _BACKWARD_SCALE, 1 / transform.divisor)
        self._check(library.DftiCommitDescriptor(self._descriptor))

    def __call__(self, array: Array) -> Array | None:
        """The transform of an array; None where it is not finite.

        The first element of a transform has all in it that it is given, so that no other is looked at.
        """
        if array.dtype != self._expected:
            array = array.astype(self._expected)
        found = np.empty(self._made, self._dtype)
        source, target = array.ctypes.data, found.ctypes.data
        for before, after in self._parts:
            self._check(self._compute(self._descriptor, source + before, target + after))
        for there, here in self._mirrored:
            np.conjugate(found[there], out=found[here])
        return found if self._is_finite(found) else None

    def _is_finite(self, found: Array) -> bool:
        if self._whole:
            # No single element depends on all parts of half a spectrum.
            return bool(np.isfinite(found).all())
        first = found[self._sample]
        return bool(np.isfinite(first).all()) if first.ndim else cmath.isfinite(complex(first))

    def __del__(self) -> None:
        if self._descriptor:
            self._library.DftiFreeDescriptor(ctypes.byref(self._descriptor))

    def _create(self, transform: Transform) -> None:
        lengths = transform.lengths
        domain = ctypes.c_int(_COMPLEX if transform.kind == "complex" else _REAL)
        name = (
            f"DftiCreateDescriptor_{'s' if transform.single else 'd'}_{'1d' if len(lengths) == 1 else 'md'}"
        )
        create = getattr(self._library, name)
        given: list[Any] = [*map(ctypes.c_long, lengths)]
        create.restype = ctypes.c_long
        if len(lengths) > 1:
            given = [ctypes.c_long(len(lengths)), (ctypes.c_long * len(lengths))(*lengths)]
        self._check(create(ctypes.byref(self._descriptor), domain, *given))

    def _set(self, which: int, value: float | Sequence[int]) -> None:
        # The function takes a variable number of arguments: an integer, a double, or the address of many.
        given: ctypes.c_long | ctypes.c_double | ctypes.Array[ctypes.c_long]
        if isinstance(value, float):
            given = ctypes.c_double(value)
        elif isinstance(value, int):
            given = ctypes.c_long(value)
        else:
            given = (ctypes.c_long * len(value))(*value)
        self._check(self._library.DftiSetValue(self._descriptor, ctypes.c_int(which), given))

    def _check(self, status: int) -> None:
        if status:
            raise Unsuitable(f"status {status} of the Fourier transform")


def plans(
    kind: Kind,
    shape: tuple[int, ...],
    axes: tuple[int, ...],
    dtype: np.dtype[Any],
    norm: str,
    last: int,
    *,
    forward: bool,
    alone: bool,
) -> tuple[Plan, ...]:
    """The steps in which the library transforms C-contiguous arrays; none where it cannot.

    ``last`` is the length of the last axis of a result that is "doubled".
    """
    library = opened()
    if library is None or 0 in shape or dtype.char not in _DTYPES[kind]:
        return ()
    if kind == "complex" and forward and dtype.char in _DTYPES["mirrored"]:
        kind = "mirrored"
    steps: list[tuple[Kind, tuple[int, ...]]] = [(kind, axes)]
    if kind == "doubled":
        # The library takes for granted that a spectrum of several axes mirrors itself, as NumPy does not.
        steps = [("complex", axes[:-1]), ("doubled", axes[-1:])]
    made = []
    for each, along in steps:
        length = last if each == "doubled" else 0
        count = length if each == "doubled" else math.prod(shape[n] for n in along)
        undivided = "backward" if forward else "forward"
        divisor = math.sqrt(count) if norm == "ortho" else 1 if norm == undivided else count
        made.append(Transform(each, shape, along, dtype.char in "fF", forward, divisor, length, alone))
    if any(0 in each.made for each in made):
        return ()
    try:
        return tuple(Plan(library, each) for each in made if each.axes)
    except Unsuitable:
        return ()


def _dtypes(transform: Transform) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Those of the elements that it takes, and of its results."""
    real, whole = map(np.dtype, ("f4", "c8") if transform.single else ("f8", "c16"))
    given = real if transform.kind in ("halved", "mirrored") else whole
    return given, real if transform.kind == "doubled" else whole


def _mirrored(transform: Transform) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
    """The parts of the half that is computed, and those that are their conjugates: at -k along each axis."""
    *others, last = transform.axes
    length = transform.shape[last]
    half = length // 2 + 1
    for picked in product((False, True), repeat=len(others)):
        there, here = ([slice(None)] * len(transform.shape) for _ in range(2))
        there[last], here[last] = slice(length - half, 0, -1), slice(half, None)
        for axis, rest in zip(others, picked, strict=True):
            # The first element is its own mirror image.
            there[axis], here[axis] = (slice(None, 0, -1), slice(1, None)) if rest else (slice(1), slice(1))
        yield tuple(there), tuple(here)


def _strides(shape: Sequence[int]) -> list[int]:
    """Those of a C-contiguous array, in elements."""
    return [math.prod(shape[n + 1 :]) for n in range(len(shape))]


def _offsets(axes: list[int], shape: Sequence[int], strides: list[int], item: int) -> list[int]:
    """Where the parts of an array begin, in bytes: one for each place along the axes."""
    places = product(*(range(shape[n]) for n in axes))
    return [item * sum(i * strides[n] for i, n in zip(at, axes, strict=True)) for at in places]


def _batch(rest: list[int], transform: Transform) -> tuple[list[int], list[int]]:
    """The axes without a transform: those that follow each other in memory, and others; either may be empty.

    The first are one call of the library, which needs the same distance from each transform to the next.
    """
    together = rest[-1:]
    while together and together[0] - 1 in rest:
        together.insert(0, together[0] - 1)
    apart = rest[: len(rest) - len(together)]
    calls = math.prod(transform.shape[n] for n in apart)
    if calls > 1 and math.prod(transform.shape) < _LEAST * calls:
        raise Unsuitable("many short calls")
    return together, apart
