"""How close a program in single precision has to come to NumPy in double precision.

It has to agree in half of the digits of float32, relative to the largest value of an array: the roundings of
single operations stay far below that, and a program that loses more digits cannot use float32. Integers and
booleans may flip where digits that float32 lacks decide a comparison: one element in ``SHARE``, and a few.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nprewrite.comparison.judge import SHARE, agreeing, error
from nprewrite.comparison.report import Cost

SINGLE_TOLERANCE = math.sqrt(float(np.finfo(np.float32).eps))
_FEW = 4

Array = NDArray[Any]


def near_single(old: Array, new: Array) -> Array:
    """Where two arrays agree as far as float32 can; everywhere, if few enough integers flip."""
    same = agreeing(old, new)
    if old.dtype.kind not in "fc":
        allowed = _FEW + old.size // SHARE if old.size > SHARE else 0
        return np.asarray(same | (np.count_nonzero(~same) <= allowed))
    with np.errstate(all="ignore"):
        near = error(new, old) <= SINGLE_TOLERANCE * _largest(old)
        return np.asarray(same | (near & np.isfinite(old) & np.isfinite(new)))


def cost(place: str, old: Array, new: Array) -> Cost:
    """The largest error at a place; infinite where only one side is finite."""
    absolute = float(np.max(error(new, old), initial=0))
    size = _largest(old)
    return Cost(place, absolute, absolute / size if size else absolute)


def _largest(array: Array) -> float:
    """The largest finite modulus; 0 where there is none."""
    with np.errstate(all="ignore"):
        return float(np.max(np.abs(array), where=np.isfinite(array), initial=0))
