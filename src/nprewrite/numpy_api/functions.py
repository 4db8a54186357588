"""All functions and methods of whole arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nprewrite.numpy_api import linear_algebra, reductions, shapes, sorting
from nprewrite.numpy_api.elementwise import ELEMENTWISE
from nprewrite.numpy_api.record import FLOATS, NUMBERS, ArrayFunction

FUNCTIONS: dict[str, ArrayFunction] = {
    **reductions.TABLE,
    **shapes.TABLE,
    **linear_algebra.TABLE,
    **sorting.TABLE,
}
"""Functions (``np.sum``) and methods (``x.sum``) of whole arrays that are followed."""

_OF_UFUNCS = {
    "reduce": ArrayFunction("axis dtype out keepdims initial where", rounds=True),
    "accumulate": ArrayFunction("axis dtype out", rounds=True),
    "reduceat": ArrayFunction("indices axis dtype out", rounds=True),
    "outer": ArrayFunction(arrays=2, rounds=True),
}


def array_function(name: str) -> ArrayFunction | None:
    """The record of a function: ``sum``, ``linalg.norm``, ``add.reduce``."""
    ufunc, _, method = name.rpartition(".")
    if method not in _OF_UFUNCS or not isinstance(getattr(np, ufunc, None), np.ufunc):
        return FUNCTIONS.get(name)
    entry = ELEMENTWISE.get(ufunc)
    if method == "outer":
        if entry is None or not entry.compiled or entry.corrected:
            return _OF_UFUNCS[method]
        return replace(_OF_UFUNCS[method], kinds=NUMBERS if entry.same_bits and entry.integers else FLOATS)
    reduction = FUNCTIONS.get(entry.reduction) if entry is not None else None
    return replace(_OF_UFUNCS[method], error=reduction.error if reduction is not None else "")
