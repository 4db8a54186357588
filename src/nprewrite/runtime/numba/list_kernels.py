"""The memory of lists in lowered loops, compiled by Numba into them. Importing this module imports Numba.

``state`` holds the address of slots of eight bytes, the number of items there, and for how many there is
room; ``runtime.numba.lists`` frees the memory.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_resize = types.ExternalFunction("PyMem_RawRealloc", types.uintp(types.uintp, types.uintp))
_FEWEST = 64
_SLOT = 8

compiled = numba.njit(error_model="numpy")


@intrinsic
def _load_float(context, place):  # type: ignore[no-untyped-def]
    """The float64 at an address."""

    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load(builder.inttoptr(arguments[0], ir.DoubleType().as_pointer()))

    return types.float64(types.int64), written


@intrinsic
def _load_int(context, place):  # type: ignore[no-untyped-def]
    """The int64 at an address."""

    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), written


@intrinsic
def _store_float(context, place, value):  # type: ignore[no-untyped-def]
    def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        builder.store(arguments[1], builder.inttoptr(arguments[0], ir.DoubleType().as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.float64), written


@intrinsic
def _store_int(context, place, value):  # type: ignore[no-untyped-def]
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
def float_in(state, slot):  # type: ignore[no-untyped-def]
    """The float64 in a slot."""
    return _load_float(state[0] + np.int64(slot) * _SLOT)


@compiled
def int_in(state, slot):  # type: ignore[no-untyped-def]
    """The int64 in a slot."""
    return _load_int(state[0] + np.int64(slot) * _SLOT)


@compiled
def put_float(state, slot, value):  # type: ignore[no-untyped-def]
    """Store a float64 into a slot."""
    _store_float(state[0] + np.int64(slot) * _SLOT, value)


@compiled
def put_int(state, slot, value):  # type: ignore[no-untyped-def]
    """Store an int64 into a slot."""
    _store_int(state[0] + np.int64(slot) * _SLOT, value)
