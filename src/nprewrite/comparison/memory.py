"""Copies of arguments with the shared memory, layout, alignment and read-only flags of the originals."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

# NumPy's inner loops look at the address modulo a vector register or cache line at most.
_ALIGNMENT = 64

Array = NDArray[Any]


@dataclass(frozen=True)
class Group:
    """Arrays whose memory overlaps, and the dtypes of their copies, with items ``factor`` times larger."""

    arrays: tuple[Array, ...]
    dtypes: tuple[np.dtype[Any], ...]
    factor: int = 1

    @property
    def low(self) -> int:
        return min(byte_bounds(array)[0] for array in self.arrays)

    def offset(self, array: Array) -> int:
        """Bytes from the lowest address to the array's first element."""
        return int(array.__array_interface__["data"][0] - self.low)

    def copies(self) -> list[Array]:
        """Copies with the same sharing, one for each array."""
        size = max(byte_bounds(array)[1] for array in self.arrays) - self.low
        buffer = _buffer(size * self.factor, self.low % _ALIGNMENT)
        made = [
            np.ndarray(
                array.shape,
                dtype,
                buffer,
                self.offset(array) * self.factor,
                tuple(step * self.factor for step in array.strides),
            )
            for array, dtype in zip(self.arrays, self.dtypes, strict=True)
        ]
        for new, old in zip(made, self.arrays, strict=True):
            # Elements that share an address hold the same value, so that writing them twice is harmless.
            new[...] = old
        for new, old in zip(made, self.arrays, strict=True):
            new.flags.writeable = old.flags.writeable
        return made


def copy_arguments(
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    prepare: Callable[[Group], Group] = lambda group: group,
    scalar: Callable[[np.generic], np.generic] = lambda value: value,
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Deep copies of arguments; ``prepare`` and ``scalar`` may change the dtypes of arrays and NumPy scalars.

    Arrays that are reachable through tuples, lists, dicts and attributes share memory in the copy as in
    the original. Arrays of Python objects and subclasses of ndarray are copied by ``copy.deepcopy``.
    Raises what ``deepcopy`` raises for values that cannot be copied, such as generators and open files.
    """
    memo: dict[int, Any] = {}
    arrays = []
    for value in _reachable((args, dict(kwargs)), set()):
        if isinstance(value, np.generic):
            memo[id(value)] = scalar(value)
        elif type(value) is np.ndarray and not value.dtype.hasobject:
            arrays.append(value)
    for members in _overlapping(arrays):
        group = prepare(Group(members, tuple(array.dtype for array in members)))
        memo.update(zip(map(id, members), group.copies(), strict=True))
    made: tuple[tuple[Any, ...], dict[str, Any]] = copy.deepcopy((args, dict(kwargs)), memo)
    return made


def _reachable(value: Any, seen: set[int]) -> Iterator[Any]:
    """The arrays and NumPy scalars in a value, each once."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray | np.generic):
        yield value
        return
    if isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple):
        inner = list(value)
    elif isinstance(value, type):
        return
    else:
        inner = list(getattr(value, "__dict__", {}).values())
    for item in inner:
        yield from _reachable(item, seen)


def _overlapping(arrays: list[Array]) -> Iterator[tuple[Array, ...]]:
    """Arrays grouped by overlapping ranges of addresses; those without elements alone."""
    members: list[Array] = []
    end = 0
    for array in sorted(arrays, key=lambda array: byte_bounds(array)):
        low, high = byte_bounds(array)
        if members and (low >= end or not array.size):
            yield tuple(members)
            members = []
        end = max(end, high) if members else high
        members.append(array)
    if members:
        yield tuple(members)


def _buffer(size: int, alignment: int) -> Array:
    """Writable bytes whose address leaves the given remainder modulo `_ALIGNMENT`."""
    room = np.zeros(size + _ALIGNMENT, np.uint8)
    start = (alignment - room.__array_interface__["data"][0]) % _ALIGNMENT
    return room[start : start + size]
