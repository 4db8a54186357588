"""What must hold before whole-array statements may run in place of a loop over indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from nprewrite.runtime.api.guards import check_errstate, check_warnings, may_overlap_itself
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.device.devices import Placed


def quiet() -> bool:
    """Whether NumPy's warnings are at most printed: nobody asked to raise, call or record."""
    try:
        check_errstate()
        check_warnings()
    except Refused:
        return False
    return True


def are_arrays(dtype: type[np.generic], ndim: int | None, *arrays: object) -> bool:
    """Whether all are arrays of this dtype, in native byte order, with ``ndim`` axes if that is not None.

    An array is exactly an ``np.ndarray``, or one on a device.
    """
    return all(
        (type(each) is np.ndarray or isinstance(each, Placed))
        and each.dtype == dtype
        and each.dtype.isnative
        and ndim in (None, each.ndim)
        for each in arrays
    )


def are_numbers(kind: type[complex], *numbers: object) -> bool:
    """Whether all are Python numbers of this kind, or of one that it includes: an integer is a float too.

    Integers have to fit an element of an array.
    """
    kinds = _KINDS[kind]
    return all(
        isinstance(each, kinds) and (not isinstance(each, int) or _LEAST <= each <= _LARGEST)
        for each in numbers
    )


_INTEGERS = (int, np.integer)
_KINDS: dict[type, tuple[type, ...]] = {
    bool: (bool,),
    int: _INTEGERS,
    float: (*_INTEGERS, float, np.floating),
    complex: (*_INTEGERS, float, np.floating, complex, np.complexfloating),
}
_LEAST, _LARGEST = -(2**63), 2**63 - 1


def apart(stored: np.ndarray[Any, Any] | Placed, *others: np.ndarray[Any, Any]) -> bool:
    """Whether ``stored`` is writeable and its elements share no memory with each other or with ``others``.

    False where one of these is not an array: a list may hold views.
    """
    if not all(isinstance(each, np.ndarray | Placed) for each in (stored, *others)):
        return False
    if isinstance(stored, Placed):
        return stored.apart(others)
    if not stored.flags.writeable or may_overlap_itself(stored):
        return False
    return not any(np.may_share_memory(stored, each) for each in others)


def fit(values: np.ndarray[Any, Any], array: np.ndarray[Any, Any]) -> bool:
    """Whether all integers of ``values`` fit the dtype of ``array``."""
    if not values.size:
        return True
    limits = np.iinfo(array.dtype)
    return bool(limits.min <= values.min() and values.max() <= limits.max)


def within(positions: np.ndarray[Any, Any], length: int) -> bool:
    """Whether all integers of ``positions`` are indices of an axis of ``length`` elements."""
    if not positions.size:
        return True
    return bool(-length <= positions.min() and positions.max() < length)
