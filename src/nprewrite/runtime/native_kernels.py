"""Arithmetic that lowered loops call, compiled by Numba into them. Importing this module imports Numba.

Divisions follow NumPy: an integer divided by zero gives 0, floor division rounds down, and a remainder has
the sign of the divisor. Floor division and remainder of floats are those of CPython's float_divmod, which
NumPy's npy_divmod follows.
"""

from __future__ import annotations

import math

import numba
import numpy as np

compiled = numba.njit(error_model="numpy")


@compiled
def floor_divide(a, b):  # type: ignore[no-untyped-def]
    """``a // b`` of int64 as NumPy has it."""
    if b == 0:
        return np.int64(0)
    # -2**63 // -1 wraps around, where the machine's division would trap.
    return np.int64(-a) if b == -1 else np.int64(a // b)


@compiled
def remainder(a, b):  # type: ignore[no-untyped-def]
    """``a % b`` of int64 as NumPy has it."""
    return np.int64(0) if b == 0 or b == -1 else np.int64(a % b)


@numba.njit(error_model="numpy", fastmath={"reassoc"})
def dot(a, b, zero):  # type: ignore[no-untyped-def]
    """The product of two vectors of one length, added in an order that fits the processor."""
    total = zero
    for k in range(a.size):
        total += a[k] * b[k]
    return total


def _floor_division(one):  # type: ignore[no-untyped-def]
    """``a // b`` of floats of the dtype of ``one``; a literal 1 would make float32 float64."""

    @compiled
    def float_floor_divide(a, b):  # type: ignore[no-untyped-def]
        if b == 0:
            return a / b
        modulus = np.fmod(a, b)
        quotient = (a - modulus) / b
        if modulus != 0 and (b < 0) != (modulus < 0):
            quotient -= one
        if quotient == 0:
            return math.copysign(quotient, a / b)
        floored = np.floor(quotient)
        return floored + one if quotient - floored > one / (one + one) else floored

    return float_floor_divide


float64_floor_divide = _floor_division(np.float64(1))  # type: ignore[no-untyped-call]
float32_floor_divide = _floor_division(np.float32(1))  # type: ignore[no-untyped-call]


@compiled
def float_remainder(a, b):  # type: ignore[no-untyped-def]
    """``a % b`` of floats of one dtype."""
    modulus = np.fmod(a, b)
    if modulus == 0:
        return math.copysign(modulus, b)
    return modulus + b if (b < 0) != (modulus < 0) else modulus


@compiled
def left_shift(a, b, bits):  # type: ignore[no-untyped-def]
    """``a << b`` of an integer of so many bits: 0 where all of them leave it."""
    return np.int64(a << b) if 0 <= b < bits else np.int64(0)


@compiled
def right_shift(a, b, bits):  # type: ignore[no-untyped-def]
    """``a >> b`` of an integer of so many bits: its sign where all of them leave it."""
    return np.int64(a >> b) if 0 <= b < bits else np.int64(a >> np.int64(63))


@compiled
def integer_power(a, b):  # type: ignore[no-untyped-def]
    """``a ** b`` of int64, ``b >= 0``, by squaring; wraps around."""
    result, base, exponent = np.int64(1), np.int64(a), np.int64(b)
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result
