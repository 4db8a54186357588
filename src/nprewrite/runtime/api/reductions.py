"""Reductions over the elements that a mask selects, without selecting them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]


def masked_min(array: npt.NDArray[Any], mask: Mask) -> Any:
    """``array[mask].min()`` for a mask of the array's shape: a NumPy scalar of the array's dtype.

    Raises ``ValueError`` when the mask selects nothing, as NumPy does.
    """
    return np.where(mask, array, _some_active(array, mask, "minimum")).min()


def masked_max(array: npt.NDArray[Any], mask: Mask) -> Any:
    """``array[mask].max()`` for a mask of the array's shape: a NumPy scalar of the array's dtype.

    Raises ``ValueError`` when the mask selects nothing, as NumPy does.
    """
    return np.where(mask, array, _some_active(array, mask, "maximum")).max()


def masked_mean(array: npt.NDArray[Any], mask: Mask) -> Any:
    """``array[mask].mean()`` for a mask of the array's shape; NumPy warns where it selects nothing."""
    count = int(np.count_nonzero(mask))
    if not count:
        return array.reshape(-1)[:0].mean()
    dtype = np.float64 if array.dtype.kind in "iub" else None
    return np.where(mask, array, 0).sum(dtype=dtype) / count


def _some_active(array: npt.NDArray[Any], mask: Mask, name: str) -> Any:
    """One selected element, which stands in for those not selected: unlike infinity, every dtype has it."""
    if not mask.any():
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    return array.reshape(-1)[mask.argmax()]
