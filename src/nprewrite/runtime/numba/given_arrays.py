"""Arrays that a compiled loop returns: copies in memory of their own, or its arguments and views of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from nprewrite.lowering.numbers import Number
from nprewrite.runtime.numba import raw_memory

Array = np.ndarray[Any, Any]


def arrays_given(kinds: Sequence[tuple[Number, int]], given: Array, arguments: Sequence[Any]) -> list[Array]:
    """The arrays of these types and ranks of which ``given`` tells where they lie; see ``give_array``."""
    found: list[Array] = []
    place = 0
    for number, rank in kinds:
        whose, address = map(int, given[place : place + 2])
        lengths, strides = given[place + 2 : place + 2 * (1 + rank)].reshape(2, rank).tolist()
        place += 2 * (1 + rank)
        if whose == 0:
            found.append(_own(address, number, lengths))
        elif whose == 1:
            found.append(_shared(address, number, lengths, strides, arguments))
        else:
            found.append(found[whose - 2])
    return found


def _own(address: int, number: Number, lengths: Sequence[int]) -> Array:
    """The array of memory that a loop has left, which is freed."""
    made = np.empty(lengths, number.dtype)
    ctypes.memmove(made.ctypes.data, address, made.nbytes)
    raw_memory.free(address)
    return made


class _Part:
    """Memory of an array, as NumPy asks for it."""

    def __init__(self, interface: dict[str, Any], whole: Array) -> None:
        self.__array_interface__ = interface
        self.whole = whole


def _shared(
    address: int, number: Number, lengths: Sequence[int], strides: Sequence[int], arguments: Sequence[Any]
) -> Array:
    """The argument that lies there, or a view of the one in which it lies."""
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    for each in arrays:
        same = each.ctypes.data == address and each.dtype == number.dtype
        if same and (*each.shape, *each.strides) == (*lengths, *strides):
            return each
    whole = next(each for each in arrays if _begins_in(address, each))
    interface = {
        "version": 3,
        "data": (address, not whole.flags.writeable),
        "typestr": number.dtype.str,
        "shape": tuple(lengths),
        "strides": tuple(strides),
    }
    return np.asarray(_Part(interface, whole))


def _begins_in(address: int, array: Array) -> bool:
    low, high = np.lib.array_utils.byte_bounds(array)
    return array.size > 0 and low <= address < high
