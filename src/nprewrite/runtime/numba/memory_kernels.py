"""Memory that lowered loops leave to Python, compiled by Numba into them. Importing this imports Numba.

The ``state`` of a list holds the address of slots of eight bytes, the number of items there, and for how many
there is room, that of a dictionary an index of its keys, too; ``runtime.numba.lists`` frees the memory.
``runtime.numba.given_arrays`` frees that of arrays.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from nprewrite.runtime.numba.kernels import compiled, sort_in_place

_resize = types.ExternalFunction("PyMem_RawRealloc", types.uintp(types.uintp, types.uintp))
_FEWEST = 64
_FEWEST_IN_ROW = 4
_GOLDEN = np.int64(0x9E3779B97F4A7C15 - 2**64)
_MIXED = (np.int64(0xBF58476D1CE4E5B9 - 2**64), np.int64(0x94D049BB133111EB - 2**64))
_SLOT = 8


@intrinsic
def _load(context, place):  # type: ignore[no-untyped-def]
    """The int64 at an address."""

    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), written


@intrinsic
def _store(context, place, value):  # type: ignore[no-untyped-def]
    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        builder.store(arguments[1], builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), written


@compiled
def has_room(state, width):  # type: ignore[no-untyped-def]
    """Make room for one more item of ``width`` slots; whether there is."""
    if state[1] < state[2]:
        return True
    count = max(2 * state[2], _FEWEST)
    place = _resize(np.uintp(state[0]), np.uintp(count * width * _SLOT))
    if place == 0:
        return False
    state[0], state[2] = np.int64(place), count
    return True


@compiled
def int_in(state, slot):  # type: ignore[no-untyped-def]
    """The int64 in a slot."""
    return _load(state[0] + np.int64(slot) * _SLOT)


@compiled
def float_in(state, slot):  # type: ignore[no-untyped-def]
    """The float64 in a slot."""
    return np.int64(int_in(state, slot)).view(np.float64)


@compiled
def put_int(state, slot, value):  # type: ignore[no-untyped-def]
    """Store an int64 into a slot."""
    _store(state[0] + np.int64(slot) * _SLOT, value)


@compiled
def put_float(state, slot, value):  # type: ignore[no-untyped-def]
    """Store a float64 into a slot."""
    put_int(state, slot, np.float64(value).view(np.int64))


@intrinsic
def _pointer(context, place):  # type: ignore[no-untyped-def]
    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.uintp), written


@compiled
def sort_list(state, floats, backwards):  # type: ignore[no-untyped-def]
    """Sort a list of numbers; False where the order depends on how that is done, which has not begun.

    Not-a-number has no place, and two zeros have the same.
    """
    count = state[1]
    if count < 2:
        return True
    place = _pointer(np.uintp(state[0]))
    if floats:
        numbers = numba.carray(place, (count,), np.float64)
        for each in numbers:
            if each != each or (each == 0.0 and np.signbit(each)):
                return False
        sort_in_place(numbers)
    else:
        sort_in_place(numba.carray(place, (count,), np.int64))
    if backwards:
        turn_list(state)
    return True


@compiled
def turn_list(state):  # type: ignore[no-untyped-def]
    """Turn a list of numbers round."""
    first, last = 0, state[1] - 1
    while first < last:
        kept = int_in(state, first)
        put_int(state, first, int_in(state, last))
        put_int(state, last, kept)
        first += 1
        last -= 1


@compiled
def _first_slot(state, first, second, third):  # type: ignore[no-untyped-def]
    """Where the index of a dictionary begins to look for a key (the finalizer of SplitMix64)."""
    mixed = np.int64(first) + np.int64(second) * _GOLDEN + np.int64(third) * _MIXED[1]
    mixed = (mixed ^ (mixed >> 30)) * _MIXED[0]
    mixed = (mixed ^ (mixed >> 27)) * _MIXED[1]
    return (mixed ^ (mixed >> 31)) & (state[9] - 1)


@compiled
def _part(state, start, after):  # type: ignore[no-untyped-def]
    """A further number of a key, so many slots ``after`` the first one; 0 if it has none."""
    return int_in(state, start + after) if after else np.int64(0)


@compiled
def _index_items(state, width, to_second, to_third):  # type: ignore[no-untyped-def]
    """Have the index tell where each item lies; whether there is memory for it."""
    if 2 * state[1] > state[9]:
        size = max(state[9], _FEWEST)
        while size < 4 * state[1]:
            size *= 2
        place = _resize(np.uintp(state[8]), np.uintp(size * _SLOT))
        if place == 0:
            return False
        for k in range(size):
            _store(np.int64(place) + k * _SLOT, np.int64(0))
        state[8], state[9], state[10] = np.int64(place), size, 0
    for k in range(state[10], state[1]):
        start = k * width
        second, third = _part(state, start, to_second), _part(state, start, to_third)
        slot = _first_slot(state, int_in(state, start), second, third)
        while _load(state[8] + slot * _SLOT) != 0:
            slot = (slot + 1) & (state[9] - 1)
        _store(state[8] + slot * _SLOT, k + 1)
    state[10] = state[1]
    return True


@compiled
def place_of_key(state, width, to_second, to_third, first, second, third):  # type: ignore[no-untyped-def]
    """The place of the item of ``width`` slots that begins with this key; -1 if there is none, -2 if there is
    no memory.

    A key has up to three numbers: ``to_second`` and ``to_third`` are the slots from its first one to those, 0
    if it has none. Behind a list's own numbers ``state`` holds the address of an index, for how many places
    it has room, and how many of the items are in it (Knuth, The Art of Computer Programming 3, 6.4, linear
    probing).
    """
    if state[10] < state[1] and not _index_items(state, width, to_second, to_third):
        return -2
    if state[9] == 0:
        return -1
    slot = _first_slot(state, first, second, third)
    while True:
        place = _load(state[8] + slot * _SLOT) - 1
        if place < 0:
            return -1
        start = place * width
        same = int_in(state, start) == first and _part(state, start, to_second) == second
        if same and _part(state, start, to_third) == third:
            return place
        slot = (slot + 1) & (state[9] - 1)


@compiled
def number_at(state, place):  # type: ignore[no-untyped-def]
    """How many rows lie before those of a list of rows."""
    return int_in(state, place)


_OF_ROW = 3
"""The index has of a row where it begins, how many items it has, and for how many there is room."""


@compiled
def _of_row(state, row, slot):  # type: ignore[no-untyped-def]
    return _load(state[8] + (np.int64(row) * _OF_ROW + slot) * _SLOT)


@compiled
def _set_of_row(state, row, slot, value):  # type: ignore[no-untyped-def]
    _store(state[8] + (np.int64(row) * _OF_ROW + slot) * _SLOT, np.int64(value))


@compiled
def start_of_row(state, row):  # type: ignore[no-untyped-def]
    """The place of the first item of a row among all items; 0 if there is no row."""
    return _of_row(state, row, 0) if row >= 0 else np.int64(0)


@compiled
def size_of_row(state, row):  # type: ignore[no-untyped-def]
    """How many items a row has; none if there is no row."""
    return _of_row(state, row, 1) if row >= 0 else np.int64(0)


@compiled
def place_in_row(state, row, width):  # type: ignore[no-untyped-def]
    """The place, among all items, of a new one of ``width`` slots at the end of a row; -1 without memory."""
    start, size, room = _of_row(state, row, 0), _of_row(state, row, 1), _of_row(state, row, 2)
    if size == room:
        room = max(2 * room, _FEWEST_IN_ROW)
        place = state[1]
        if place + room > state[2]:
            count = max(2 * state[2], place + room)
            memory = _resize(np.uintp(state[0]), np.uintp(count * width * _SLOT))
            if memory == 0:
                return np.int64(-1)
            state[0], state[2] = np.int64(memory), count
        for k in range(size * width):
            put_int(state, place * width + k, int_in(state, start * width + k))
        state[1] = place + room
        start = place
        _set_of_row(state, row, 0, start)
        _set_of_row(state, row, 2, room)
    _set_of_row(state, row, 1, size + 1)
    return start + size


@compiled
def has_new_row(state):  # type: ignore[no-untyped-def]
    """Make an empty row behind the others; whether there is memory for it."""
    if state[10] == state[9]:
        count = max(2 * state[9], _FEWEST)
        memory = _resize(np.uintp(state[8]), np.uintp(count * _OF_ROW * _SLOT))
        if memory == 0:
            return False
        state[8], state[9] = np.int64(memory), count
    for slot in range(_OF_ROW):
        _set_of_row(state, state[10], slot, 0)
    state[10] += 1
    return True


@compiled
def is_within(array, other):  # type: ignore[no-untyped-def]
    """Whether an array begins in the memory of another one."""
    if other.size == 0:
        return False
    first = np.int64(other.ctypes.data)
    last = first
    for axis in range(other.ndim):
        reach = (other.shape[axis] - 1) * other.strides[axis]
        first += min(reach, 0)
        last += max(reach, 0)
    place = np.int64(array.ctypes.data)
    return first <= place <= last


@compiled
def relation(array, other):  # type: ignore[no-untyped-def]
    """1 for two names of one array, 2 for other arrays that may share memory, 0 for those that do not."""
    if array.size == 0 or not (is_within(array, other) or is_within(other, array)):
        return 0
    same = array.ctypes.data == other.ctypes.data
    return 1 if same and array.shape == other.shape and array.strides == other.strides else 2


@compiled
def give_array(given, place, array, whose):  # type: ignore[no-untyped-def]
    """Tell where an array lies, from ``place`` on: ``whose``, its address, lengths and strides.

    Where it belongs to nobody else, that is 0, and Python gets a copy; False if there is no memory for it.
    """
    address = np.uintp(array.ctypes.data)
    if whose == 0:
        address = _resize(np.uintp(0), np.uintp(max(array.size, 1) * array.itemsize))
        if address == 0:
            return False
        made = numba.carray(_pointer(address), array.shape, array.dtype)
        for index in np.ndindex(array.shape):
            made[index] = array[index]
    given[place], given[place + 1] = whose, np.int64(address)
    for axis in range(array.ndim):
        given[place + 2 + axis] = array.shape[axis]
        given[place + 2 + array.ndim + axis] = array.strides[axis]
    return True
