"""Sums in a widened program: how large a rounding error in them may be.

The rounding of a sum of n terms is measured in log2(n) units in the last place of the sum of the terms'
absolute values (pairwise summation: N. J. Higham, The accuracy of floating point summation, SIAM J. Sci.
Comput. 14, 1993). That holds for products of matrices too. A variance may lose as many digits as its
condition number has (T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance,
American Statistician 37, 1983). Convolutions, transforms and linear algebra are measured against the largest
element of their result. The record of a function says which of these it is.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nprewrite.comparison.widths import is_array, is_wide
from nprewrite.numpy_api.functions import array_function

# A loop may sum thousands of times; a sum that a function returns is one of the last.
_REMEMBERED = 64


ADDED = ("sum", "mean", "products")
"""The values of a record's ``error`` that mean a sum."""


@dataclass
class Sums:
    """The last sums of a run, each with its unit: log2(n) times the sum of absolute values."""

    found: deque[tuple[Any, Any]] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))

    def record(self, result: Any, size: Any) -> None:
        self.found.append((result, size))

    def size_of(self, value: Any) -> Any | None:
        """The unit of a value that is a remembered sum, None for any other value."""
        for result, size in reversed(self.found):
            if result is value or (np.shape(result) == np.shape(value) and np.array_equal(result, value)):
                return size
        return None


def error_of(function: Callable[..., Any], name: str) -> str:
    """What an error of a NumPy function is measured against: ``ArrayFunction.error``."""
    module = str(getattr(function, "__module__", None) or "")
    line = array_function(f"{module.removeprefix('numpy.')}.{name}") or array_function(name)
    if line is not None and line.error:
        return line.error
    return "normwise" if module.startswith(("numpy.fft", "numpy.linalg")) else ""


def size_of_rounding(
    function: Callable[..., Any], error: str, result: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """What a rounding of a reduction is measured against: an array like ``result``, or a number."""
    terms = max(2, _terms(error, args))
    match error:
        case "growing":
            return math.log2(terms) * np.abs(result)
        case "spread":
            return math.log2(terms) * _spread_size(function.__name__, result, args, kwargs)
        case "normwise":
            return np.max(np.abs(result), initial=0)
    sizes = {key: _size(value) for key, value in kwargs.items() if key != "out"}
    return math.log2(terms) * np.abs(function(*map(_size, args), **sizes))


def _spread_size(name: str, result: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The size of a variance or deviation times its condition number, the root of mean |x|^2 / variance."""
    axis = args[1] if len(args) > 1 else kwargs.get("axis")
    size = np.sqrt(np.nanmean(np.abs(args[0]) ** 2, axis=axis, keepdims=kwargs.get("keepdims", False)))
    return size if name.endswith("std") else size * np.sqrt(result)


def _terms(error: str, args: tuple[Any, ...]) -> int:
    arrays = [each for each in args if is_array(each)]
    if error == "products" and arrays and np.ndim(arrays[0]):
        return int(arrays[0].shape[-1])
    return max((int(np.size(each)) for each in arrays), default=1)


def _size(value: Any) -> Any:
    """The absolute value of what is summed; other arguments as they are."""
    return np.abs(value) if is_wide(value) else value
