"""The types of values in single precision: float32 for float64, complex64 for complex128."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nprewrite.types.values import Array, DtypeValue, Items, Scalar, Unknown, Value

_SINGLE = {np.dtype("f8"): np.dtype("f4"), np.dtype("c16"): np.dtype("c8")}
_DOUBLE = {single: double for double, single in _SINGLE.items()}


def is_double(value: Value | None) -> bool:
    """Whether a value is an array or a NumPy scalar of float64 or complex128; a Python number is not."""
    return isinstance(value, Array | Scalar) and value.dtype is not None and value.dtype in _SINGLE


def holds_double(value: Value | None) -> bool:
    """Whether a value is such an array or scalar, or a tuple with one in it."""
    return is_double(value) or (isinstance(value, Items) and any(map(holds_double, value.values)))


def single(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float32 for float64, complex64 for complex128, any other dtype as it is."""
    return _SINGLE.get(dtype, dtype)


def double(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float64 for float32, complex128 for complex64, any other dtype as it is."""
    return _DOUBLE.get(dtype, dtype)


def in_single(value: Value) -> Value:
    """What is known of a value once it is computed in single precision."""
    if isinstance(value, Items):
        return Items(tuple(map(in_single, value.values)))
    if isinstance(value, DtypeValue):
        return DtypeValue(single(value.dtype))
    if isinstance(value, Array):
        return replace(value, dtype=single(value.dtype))
    if isinstance(value, Scalar) and value.dtype is not None:
        return replace(value, dtype=single(value.dtype), constant=None)
    return value


def same_type(left: Value, right: Value) -> bool:
    """Whether both are arrays, or both are NumPy scalars, of one dtype."""
    if isinstance(left, Unknown) or isinstance(right, Unknown) or type(left) is not type(right):
        return False
    if not isinstance(left, Array | Scalar) or not isinstance(right, Array | Scalar):
        return left == right
    return left.dtype is not None and right.dtype is not None and left.dtype == right.dtype
