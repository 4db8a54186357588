"""The next wider floating dtypes: float16 to float32, to float64, to long double, and complex accordingly.

The map has an inverse, so that the program's own dtype is known for every widened array. Integers, booleans
and everything else stay as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nprewrite.comparison.memory import Group

_NAMES = {
    "float16": "float32",
    "float32": "float64",
    "float64": "longdouble",
    "complex64": "complex128",
    "complex128": "clongdouble",
}
_WIDE = {np.dtype(name): np.dtype(wide) for name, wide in _NAMES.items()}
_NARROW = {wide: narrow for narrow, wide in _WIDE.items()}
_LONG = (np.dtype("longdouble"), np.dtype("clongdouble"))
_CLASSES = (float, complex, *(dtype.type for dtype in (*_WIDE, *_LONG)))
_DOUBLE_BITS = 52


class Unwidened(Exception):
    """Something in the program cannot be evaluated in higher precision; the message is the reason."""


def wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which the oracle holds values of ``dtype``; raises ``Unwidened`` if there is none."""
    if dtype in _LONG:
        raise Unwidened(f"nothing is wider than {dtype}")
    wider = _WIDE.get(dtype.newbyteorder("="), dtype)
    if wider in _LONG and np.finfo(np.longdouble).nmant <= _DOUBLE_BITS:
        raise Unwidened("long double has no more digits than float64 on this machine")
    return wider


def narrow(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The program's own dtype for what the oracle holds in ``dtype``."""
    return _NARROW.get(dtype, dtype)


def wide_dtype(named: Any) -> Any:
    """The dtype for widened arrays where the program names ``named``.

    A class, a string or Python's ``float`` names the program's own dtype and is widened; a ``dtype`` object
    was taken from a widened array. Anything else is returned as it is.
    """
    return wide(np.dtype(named)) if isinstance(named, str) or is_floating_class(named) else named


def is_floating_class(named: Any) -> bool:
    """Whether ``named`` is ``float``, ``complex`` or NumPy's class of a floating dtype."""
    return isinstance(named, type) and named in _CLASSES


def own_dtype(named: Any) -> Any:
    """The program's own dtype where it names ``named``, which may be that of a widened array."""
    return narrow(named) if isinstance(named, np.dtype) else named


def is_floating(dtype: np.dtype[Any]) -> bool:
    """Whether values of the dtype are rounded."""
    return dtype.kind in "fc"


def is_array(value: object) -> bool:
    """Whether a value is an array or a NumPy scalar; subclasses of arrays have rules of their own."""
    return type(value) is np.ndarray or isinstance(value, np.generic)


def is_wide(value: object) -> bool:
    """Whether a value is a floating array or NumPy scalar; in the oracle all of these are widened."""
    return is_array(value) and is_floating(value.dtype)  # type: ignore[attr-defined]


def widened(value: Any) -> Any:
    """Widen the program's own floating arrays and NumPy scalars, also in tuples and lists."""
    if type(value) in (tuple, list):
        return type(value)(map(widened, value))
    if not is_wide(value):
        return value
    if isinstance(value, np.generic):
        return wide(value.dtype).type(value)
    return value.astype(wide(value.dtype))


def widened_group(group: Group) -> Group:
    """Arrays with shared memory in higher precision; raises ``Unwidened`` where they reinterpret bytes."""
    dtypes = [wide(array.dtype) for array in group.arrays]
    sizes = {new.itemsize / old.dtype.itemsize for new, old in zip(dtypes, group.arrays, strict=True)}
    if sizes == {1.0}:
        return group
    whole = all(
        step % array.dtype.itemsize == 0
        for array in group.arrays
        for step in (*array.strides, group.offset(array))
    )
    if sizes != {2.0} or not whole:
        raise Unwidened("arguments share memory as different kinds of numbers")
    return Group(group.arrays, tuple(dtypes), 2)
