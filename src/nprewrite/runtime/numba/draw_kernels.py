"""Random numbers that lowered loops draw, compiled by Numba into them. Importing this module imports Numba.

``state`` holds where NumPy's bit generator lies in memory, and its functions for 64 bits, 32 bits and a
double, then whether a normal number waits in ``kept``. The algorithms are named in ``lowering.draws``.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.random._constants import fi_double, ki_double, wi_double, ziggurat_nor_inv_r, ziggurat_nor_r

from nprewrite.runtime.numba.kernels import compiled


def _function_of_state(result, name):  # type: ignore[no-untyped-def]
    """An intrinsic that calls a C function of a bit generator, given the addresses of both."""

    def call(context, function, state):  # type: ignore[no-untyped-def]
        def written(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            pointer = ir.PointerType(ir.IntType(8))
            kind = ir.FunctionType(context.get_value_type(result), [pointer])
            address = builder.inttoptr(arguments[0], kind.as_pointer())
            return builder.call(address, [builder.inttoptr(arguments[1], pointer)])

        return result(function, state), written

    call.__name__ = name
    return intrinsic(call)


_call_uint64 = _function_of_state(types.uint64, "_call_uint64")  # type: ignore[no-untyped-call]
_call_uint32 = _function_of_state(types.uint32, "_call_uint32")  # type: ignore[no-untyped-call]
_call_double = _function_of_state(types.float64, "_call_double")  # type: ignore[no-untyped-call]


@compiled
def next_double(state):  # type: ignore[no-untyped-def]
    """A float64 in [0, 1)."""
    return _call_double(state[3], state[0])


@compiled
def masked(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as a ``RandomState`` draws it."""
    if most == 0:
        return np.int64(0)
    mask = np.uint64(most)
    for shift in (1, 2, 4, 8, 16):
        mask |= mask >> np.uint64(shift)
    value = np.uint64(_call_uint32(state[2], state[0])) & mask
    while value > np.uint64(most):
        value = np.uint64(_call_uint32(state[2], state[0])) & mask
    return np.int64(value)


@compiled
def lemire(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as a ``Generator`` draws it."""
    if most == 0:
        return np.int64(0)
    count, low = np.uint64(most) + np.uint64(1), np.uint64(0xFFFFFFFF)
    product = np.uint64(_call_uint32(state[2], state[0])) * count
    if product & low < count:
        threshold = (low - np.uint64(most)) % count
        while product & low < threshold:
            product = np.uint64(_call_uint32(state[2], state[0])) * count
    return np.int64(product >> np.uint64(32))


@compiled
def bits(state, most):  # type: ignore[no-untyped-def]
    """An integer from 0 to ``most``, which is below 2**32 - 1, as the module ``random`` draws it."""
    count, length = np.uint64(most) + np.uint64(1), np.uint64(0)
    while count >> length:
        length += np.uint64(1)
    shift = np.uint64(32) - length
    value = np.uint64(_call_uint32(state[2], state[0])) >> shift
    while value >= count:
        value = np.uint64(_call_uint32(state[2], state[0])) >> shift
    return np.int64(value)


@compiled
def polar_normal(state, kept):  # type: ignore[no-untyped-def]
    """A normal number as a ``RandomState`` draws it: two at a time."""
    if state[4]:
        state[4] = 0
        value = kept[0]
        kept[0] = 0.0
        return value
    square = 0.0
    first = second = 0.0
    while square >= 1.0 or square == 0.0:
        first = 2.0 * next_double(state) - 1.0
        second = 2.0 * next_double(state) - 1.0
        square = first * first + second * second
    factor = math.sqrt(-2.0 * math.log(square) / square)
    kept[0] = factor * first
    state[4] = 1
    return factor * second


@compiled
def gauss(state, kept):  # type: ignore[no-untyped-def]
    """A normal number as the module ``random`` draws it: two at a time."""
    if state[4]:
        state[4] = 0
        return kept[0]
    angle = next_double(state) * (2.0 * math.pi)
    radius = math.sqrt(-2.0 * math.log(1.0 - next_double(state)))
    kept[0] = math.sin(angle) * radius
    state[4] = 1
    return math.cos(angle) * radius


@compiled
def ziggurat_normal(state):  # type: ignore[no-untyped-def]
    """A normal number as a ``Generator`` draws it."""
    while True:
        drawn = _call_uint64(state[1], state[0])
        layer = drawn & np.uint64(0xFF)
        drawn >>= np.uint64(8)
        negative = drawn & np.uint64(1)
        size = (drawn >> np.uint64(1)) & np.uint64(0x000FFFFFFFFFFFFF)
        value = np.float64(size) * wi_double[layer]
        if negative:
            value = -value
        if size < ki_double[layer]:
            return value
        if layer == 0:
            while True:
                beyond = -ziggurat_nor_inv_r * math.log1p(-next_double(state))
                height = -math.log1p(-next_double(state))
                if height + height > beyond * beyond:
                    value = ziggurat_nor_r + beyond
                    return -value if (size >> np.uint64(8)) & np.uint64(1) else value
        step = fi_double[layer - np.uint64(1)] - fi_double[layer]
        if step * next_double(state) + fi_double[layer] < math.exp(-0.5 * value * value):
            return value
