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


def cosh(x: Real) -> Real:
    """``np.cosh`` of floats; the exponential function would overflow where half of it does not."""
    half = np.exp(np.abs(x) / 2)
    return 0.5 * half * half + 0.5 / half / half


def sinh(x: Real) -> Real:
    """``np.sinh`` of floats; by its series where the difference of two exponentials has too few digits."""
    half, square = np.exp(np.abs(x) / 2), x * x
    series = np.ones_like(x)
    for divisor in (156, 110, 72, 42, 20, 6):
        series = 1 + square / divisor * series
    return np.where(np.abs(x) < 0.5, x * series, np.copysign(0.5 * half * half - 0.5 / half / half, x))


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


def full(shape: Any, fill_value: Real, dtype: Any = None) -> Real:
    """``np.full`` of a number that is a parameter: torch would compile it for one value."""
    if dtype is None:
        # torch.compile does not trace the dtype of an array.
        return np.ones(shape, bool) * fill_value
    return full_like(np.empty(shape, dtype), fill_value)


def full_like(prototype: Real, fill_value: Real, dtype: Any = None) -> Real:
    """``np.full_like`` of a number that is a parameter."""
    made = np.empty_like(prototype, dtype=dtype)
    made[...] = fill_value
    return made


def linspace(start: Real, stop: Real, num: int = 50, endpoint: bool = True) -> Real:
    """``np.linspace`` of float64, in NumPy's order of operations."""
    places = np.arange(num, dtype=np.float64)
    # As an array: torch would compile an integer among arrays for one value.
    last = np.arange(num - 1, num, dtype=np.float64)
    start, stop = start * np.ones(1), stop * np.ones(1)
    intervals = np.maximum(last if endpoint else last + 1, 1)
    step = (stop - start) / intervals
    # NumPy multiplies last where the step is too small for a float.
    inside = np.where(step == 0, places / intervals * (stop - start), places * step) + start
    return np.where((places > 0) & (places == last), stop, inside) if endpoint else inside


def gradient(f: Real, *spacings: Real, axis: int | tuple[int, ...] | None = None) -> Real:
    """``np.gradient`` of floats with even spacing, as the slices that NumPy takes."""
    axes = (axis,) if isinstance(axis, int) else tuple(range(f.ndim)) if axis is None else axis
    apart = spacings if len(spacings) == len(axes) else (spacings or (1.0,)) * len(axes)
    made = tuple(_slope(f, spacing, along) for spacing, along in zip(apart, axes, strict=True))
    return made if len(made) > 1 else made[0]


def _slope(f: Real, spacing: Real, axis: int) -> Real:
    f = np.moveaxis(f, axis, 0)
    first, last = (f[1] - f[0]) / spacing, (f[-1] - f[-2]) / spacing
    inside = (f[2:] - f[:-2]) / (2.0 * spacing)
    return np.moveaxis(np.concatenate([first[None], inside, last[None]]), 0, axis)


def pad(array: Real, pad_width: Any, mode: str = "constant") -> Real:
    """``np.pad`` with zeros, or with the elements at the edge."""
    for axis, (before, after) in enumerate(_widths(pad_width, array.ndim)):
        if mode == "edge":
            first, last = (_element(array, axis, place) for place in (0, -1))
            array = np.concatenate([first] * before + [array] + [last] * after, axis)
        else:
            # Of bools, which leave the dtype as it is.
            shape = array.shape
            ends = [np.zeros((*shape[:axis], size, *shape[axis + 1 :]), bool) for size in (before, after)]
            array = np.concatenate([ends[0], array, ends[1]], axis)
    return array


def _element(array: Real, axis: int, place: int) -> Real:
    """The first or the last along an axis, which stays; raises ``IndexError`` where there is none."""
    return np.expand_dims(array[(*(slice(None),) * axis, place)], axis)


def _widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """How many elements come before and after each axis."""
    given = (pad_width,) if isinstance(pad_width, int) else pad_width
    nested: Any = (given,) if isinstance(given[0], int) else given
    pairs = [(each[0], each[-1]) for each in nested]
    if len(pairs) not in (1, rank) or min(map(min, pairs)) < 0:
        raise ValueError(f"no such widths for an array of {rank} axes: {pad_width}")
    return pairs if len(pairs) == rank else pairs * rank


def _other_sign(rest: Real, y: Real) -> Real:
    """Where the remainder of the truncated quotient is not that of the floor."""
    return (rest != 0) & ((rest < 0) != (y < 0))


def _divisor(y: Real) -> Real:
    """The divisors, with 1 in place of those by which the processor cannot divide every integer.

    Written as a sum, because ``np.where`` makes an int64 of a Python number.
    """
    return y + (y == 0) + (y == -1) + (y == -1)
