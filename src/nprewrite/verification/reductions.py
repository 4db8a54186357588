"""Sums in a widened program: how large a rounding in them may be.

The rounding of a sum of n terms is measured in log2(n) units in the last place of the sum of the terms'
absolute values (pairwise summation: N. J. Higham, The accuracy of floating point summation, SIAM J. Sci.
Comput. 14, 1993). That holds for the functions of ``SUMS`` and for products of matrices. A variance may lose
as many digits as its condition number has (T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing
the sample variance, American Statistician 37, 1983). Convolutions, transforms and linear algebra are measured
against the largest element of their result.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nprewrite.verification.widths import is_array, is_wide

SUMS = frozenset(
    [
        *("sum", "nansum", "mean", "nanmean", "average", "cumsum", "nancumsum", "cumulative_sum", "trace"),
        *("dot", "vdot", "inner", "outer", "tensordot", "einsum", "matmul", "vecdot", "matvec", "vecmat"),
        *("add.reduce", "add.accumulate", "trapezoid"),
    ]
)
GROWING = frozenset(
    [
        *("prod", "nanprod", "cumprod", "cumulative_prod", "norm"),
        *("multiply.reduce", "multiply.accumulate"),
    ]
)
SPREADS = frozenset(["var", "nanvar", "std", "nanstd"])
NORMWISE = frozenset(["convolve", "correlate", "gradient", "cov", "corrcoef", "polyfit", "interp"])

MEASURED = SUMS | GROWING | SPREADS | NORMWISE

_PRODUCTS = frozenset(["dot", "inner", "matmul", "vecdot", "matvec"])
# A loop may sum thousands of times; what a function returns is among its last sums.
_REMEMBERED = 64


@dataclass
class Sums:
    """The last sums of a run, each with its unit: log2(n) times the sum of absolute values."""

    found: deque[tuple[Any, Any]] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))

    def record(self, result: Any, size: Any) -> None:
        """Remember a sum."""
        self.found.append((result, size))

    def size_of(self, value: Any) -> Any | None:
        """The unit of a value that is a remembered sum, None for any other value."""
        for result, size in reversed(self.found):
            if result is value or (np.shape(result) == np.shape(value) and np.array_equal(result, value)):
                return size
        return None


def size_of_rounding(
    function: Callable[..., Any], name: str, result: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """What a rounding of a reduction is relative to, an array like ``result`` or a number."""
    terms = max(2, _terms(name, args))
    if name in GROWING:
        return math.log2(terms) * np.abs(result)
    if name in SPREADS:
        return math.log2(terms) * _spread_size(name, result, args, kwargs)
    if name not in SUMS:
        return np.max(np.abs(result), initial=0)
    sizes = {key: _size(value) for key, value in kwargs.items() if key != "out"}
    return math.log2(terms) * np.abs(function(*map(_size, args), **sizes))


def _spread_size(name: str, result: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The size of a variance or deviation times its condition number, the root of mean |x|^2 / variance."""
    axis = args[1] if len(args) > 1 else kwargs.get("axis")
    size = np.sqrt(np.nanmean(np.abs(args[0]) ** 2, axis=axis, keepdims=kwargs.get("keepdims", False)))
    return size if name.endswith("std") else size * np.sqrt(result)


def _terms(name: str, args: tuple[Any, ...]) -> int:
    arrays = [each for each in args if is_array(each)]
    if name in _PRODUCTS and arrays and np.ndim(arrays[0]):
        return int(arrays[0].shape[-1])
    return max((int(np.size(each)) for each in arrays), default=1)


def _size(value: Any) -> Any:
    """The absolute value of what is summed; other arguments as they are."""
    return np.abs(value) if is_wide(value) else value
