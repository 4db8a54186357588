"""NumPy functions written so that torch.compile gives NumPy's values; the text of steps names them.

Every function takes arrays or numbers and gives what NumPy's function or operator of that name gives, without
its warnings. ``np.fmod`` is exact while the quotient is below 1e38 in float32, 1e300 in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Real = Any


def sign(x: Real) -> Real:
    """``np.sign`` of floats: nan for nan, where torch gives 0."""
    return np.where(x == x, np.sign(x), x)


def remainder(x: Real, y: Real) -> Real:
    """``x % y`` of floats, exact as in NumPy; Inductor would round the quotient first."""
    rest = np.fmod(x, y)
    # A remainder of zero has the divisor's sign too.
    return np.where(_other_sign(rest, y), rest + y, np.copysign(rest, y))


def floor_divide(x: Real, y: Real) -> Real:
    """``x // y`` of floats: 1.0 // 0.1 is 9, because 0.1 is a little more than a tenth."""
    rest = np.fmod(x, y)
    ratio = (x - rest) / y
    ratio = np.where(_other_sign(rest, y), ratio - 1, ratio)
    whole = np.floor(ratio)
    whole = np.where(ratio - whole > 0.5, whole + 1, whole)
    quotient = x / y
    # A quotient of zero has the sign of the operands, which the difference above loses.
    return np.where(y == 0, quotient, np.copysign(whole, quotient))


def int_remainder(x: Real, y: Real) -> Real:
    """``x % y`` of signed integers: 0 for a divisor of 0, where the processor would stop the program."""
    return np.where((y == 0) | (y == -1), 0, x % _divisor(y))


def int_floor_divide(x: Real, y: Real) -> Real:
    """``x // y`` of signed integers: 0 for a divisor of 0, and the smallest integer over -1 is itself."""
    return np.where(y == 0, 0, np.where(y == -1, -x, x // _divisor(y)))


def _other_sign(rest: Real, y: Real) -> Real:
    """Where the remainder of the truncated quotient is not that of the floor."""
    return (rest != 0) & ((rest < 0) != (y < 0))


def _divisor(y: Real) -> Real:
    """The divisors, with 1 in place of those by which the processor cannot divide every integer.

    Written as a sum, because ``np.where`` makes an int64 of a Python number.
    """
    return y + (y == 0) + (y == -1) + (y == -1)
