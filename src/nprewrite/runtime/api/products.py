"""Products of several matrices in the cheapest order, with a factor applied to a vector, not to a matrix.

Both change nothing but the rounding, as long as nothing overflows or underflows on the way. Frobenius norms
tell whether it may: that of a product is at most the product of the norms, in whatever order it is computed.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nprewrite.runtime.api.nest_guards import quiet

Array = np.ndarray[Any, Any]

LEAST_WORK = 1 << 14
"""Multiplications below which the products take less time than the guards."""
_GAIN = 0.75
"""The fraction of the work as written that another order may take at most."""
_COPY = 4
"""What an element of a new array costs, in multiplications: its memory is not mapped yet."""
_ROOM = 2.0**-24
"""The fraction of the largest number that leaves room for rounding up and for complex products."""
_MOST_FACTORS = 32
_BLOCK = 1 << 22
"""Bytes of a matrix that stay in the cache until they are read again."""

Order = int | tuple["Order", "Order"]
"""The position of a factor, or the orders of the two sides of a product."""


@dataclass(frozen=True)
class _Number:
    """A number by which the product of the first ``at`` factors is multiplied or divided."""

    value: Any
    divides: bool
    at: int

    def applied(self, matrix: Any) -> Any:
        return matrix / self.value if self.divides else self.value * matrix

    def keeps(self, dtype: np.dtype[Any]) -> bool:
        """Whether it is a number that does not change the dtype of such arrays."""
        plain = type(self.value) in (int, float, complex) or isinstance(self.value, np.number)
        without_axes = type(self.value) is np.ndarray and self.value.ndim == 0
        if not plain and not (without_axes and self.value.dtype.kind in "iufc"):
            return False
        return np.result_type(self.value, dtype) == dtype and not (self.divides and dtype.kind in "iu")

    @property
    def magnitude(self) -> float:
        """Its absolute value, or that of its reciprocal; infinite where a float cannot hold it."""
        try:
            size: float = abs(complex(self.value))
        except OverflowError:
            return math.inf
        if self.divides:
            return 1 / size if size else math.inf
        return size


def matrix_product(*factors: Any, scale: Any = None, divisor: Any = None, scaled: int = 1) -> Any:
    """Return ``factors[0] @ factors[1] @ ...``, with the product of the first ``scaled`` times ``scale``.

    ``matrix_product(A, B, x, scale=c)`` is ``c * A @ B @ x``; ``divisor`` divides. The factors are
    multiplied in the order with the fewest multiplications (Cormen et al., Introduction to Algorithms, 14.2),
    and the number is applied to the smallest array. A product is computed as written, from left to right,
    where it is little work, where the factors are not exact arrays of one integer, float or complex dtype of
    which the first has two axes, where the norms do not exclude an overflow, and where ``np.geterr()``
    watches. Rows of the result that may have underflowed are computed again as written. Shape, dtype and
    exceptions are those of the product as written.
    """
    number = None
    if scale is None and divisor is None:
        if _are_small(factors):
            return functools.reduce(operator.matmul, factors)
    else:
        number = _Number(divisor if scale is None else scale, scale is None, scaled)
    order = _cheaper(factors, number)
    if order is None or not quiet():
        return _as_written(factors, number)
    if factors[0].dtype.kind in "iu":
        return _multiplied(factors, order, number)
    norms, product = _norms(factors)
    largest = math.prod(max(each, 1.0) for each in norms) * (max(number.magnitude, 1.0) if number else 1.0)
    info = np.finfo(factors[0].dtype)
    if not all(map(math.isfinite, norms)) or not largest < float(info.max) * _ROOM:
        return _as_written(factors, number)
    if product is None or number is None:
        result = _multiplied(factors, order, number)
    else:
        result = number.applied(product)
    lost = largest * float(info.tiny) * 4 * (len(factors) + sum(each.shape[-1] for each in factors))
    small: Array = ~(np.abs(result) > lost / float(info.eps))
    return _small_rows_as_written(result, small, factors, number) if small.any() else result


def _are_small(factors: Sequence[Any]) -> bool:
    """Whether the products are less work than a further look at their factors."""
    elements = 0
    for each in factors:
        if type(each) is not np.ndarray:
            return False
        elements += each.size
    return len(factors) * elements * elements < LEAST_WORK


def _as_written(factors: Sequence[Any], number: _Number | None) -> Any:
    """From left to right."""
    product = factors[0]
    if number is not None and number.at == 1:
        product = number.applied(product)
    for count, factor in enumerate(factors[1:], 2):
        product = product @ factor
        if number is not None and number.at == count:
            product = number.applied(product)
    return product


def _cheaper(factors: Sequence[Any], number: _Number | None) -> Order | None:
    """The order with the least work; None where the order as written is to be kept."""
    if not 1 < len(factors) <= _MOST_FACTORS or any(type(each) is not np.ndarray for each in factors):
        return None
    first, last = factors[0], factors[-1]
    dtype = first.dtype
    if dtype.char not in "fdFDbBhHiIlLqQ" or any(each.dtype != dtype for each in factors):
        return None
    if not dtype.isnative or any(each.ndim != 2 for each in factors[:-1]) or last.ndim not in (1, 2):
        return None
    fits = all(left.shape[1] == right.shape[0] for left, right in itertools.pairwise(factors))
    if not fits or (number is not None and not number.keeps(dtype)):
        return None
    work = _work_as_written(factors, number)
    if work < LEAST_WORK or not all(each.size for each in factors):
        return None
    cheapest, order = _cheapest(factors)
    if number is not None:
        cheapest += _COPY * min(_sizes(factors))
    if dtype.kind in "fc":
        cheapest += sum(each.size for each in factors)
    return order if cheapest < _GAIN * work else None


def _sizes(factors: Sequence[Array]) -> list[int]:
    """The sizes of the factors and of the result: the arrays that a number can be applied to."""
    return [factors[0].shape[0] * _columns(factors[-1]), *(each.size for each in factors)]


def _columns(matrix: Array) -> int:
    return matrix.shape[1] if matrix.ndim == 2 else 1


def _work_as_written(factors: Sequence[Array], number: _Number | None) -> float:
    """Multiplications from left to right, with those that the scaled matrix costs."""
    rows = factors[0].shape[0]
    work = 0.0
    for position, factor in enumerate(factors):
        if position == 1 and (number is None or number.at > 1):
            work += _single(factors[0], factor)
        elif position:
            work += rows * factor.size
        if number is not None and number.at == position + 1:
            work += _COPY * rows * _columns(factor)
    return work


def _single(left: Array, right: Array) -> float:
    """The multiplications of one product: half for ``A.T @ A``, which BLAS knows is symmetric."""
    work: float = left.shape[0] * right.size
    mirrored = left.shape[::-1] == right.shape and left.strides[::-1] == right.strides
    same = mirrored and left.__array_interface__["data"] == right.__array_interface__["data"]
    return work / 2 if same else work


def _cheapest(factors: Sequence[Array]) -> tuple[float, Order]:
    """The multiplications of the cheapest order, and the order, by dynamic programming over the gaps."""
    lengths = [*(each.shape[0] for each in factors), _columns(factors[-1])]
    count = len(factors)
    best: dict[tuple[int, int], tuple[float, Order]] = {(k, k): (0.0, k) for k in range(count)}
    for span in range(1, count):
        for first in range(count - span):
            last = first + span
            choices: list[tuple[float, Order]] = []
            for middle in range(first, last):
                left, right = best[first, middle], best[middle + 1, last]
                own: float = lengths[first] * lengths[middle + 1] * lengths[last + 1]
                if span == 1:
                    own = _single(factors[first], factors[last])
                choices.append((left[0] + right[0] + own, (left[1], right[1])))
            # Among equals the last is nearest to the order as written.
            best[first, last] = min(reversed(choices), key=lambda each: each[0])
    return best[0, count - 1]


def _multiplied(factors: Sequence[Array], order: Order, number: _Number | None) -> Any:
    """The product in this order, with the number applied to the smallest array."""
    if number is None:
        return _product(factors, order)
    sizes = _sizes(factors)
    smallest = sizes.index(min(sizes))
    if smallest == 0:
        return number.applied(_product(factors, order))
    changed = [*factors]
    changed[smallest - 1] = number.applied(changed[smallest - 1])
    return _product(changed, order)


def _product(factors: Sequence[Array], order: Order) -> Any:
    if isinstance(order, int):
        return factors[order]
    return _product(factors, order[0]) @ _product(factors, order[1])


def _norms(factors: Sequence[Array]) -> tuple[list[float], Array | None]:
    """The Frobenius norms of the factors, and their product where one pass over the memory gives both."""
    first, last = factors[0], factors[-1]
    # The product as written would not warn of what may overflow or underflow here.
    with np.errstate(all="ignore"):
        if len(factors) > 2 or last.ndim > 1 or not first.flags.c_contiguous:
            return [_norm(each) for each in factors], None
        rows = max(1, _BLOCK // first[0].nbytes)
        blocks = [first[start : start + rows] for start in range(0, len(first), rows)]
        pairs = [(_norm(each), each @ last) for each in blocks]
        norm = math.hypot(*(each for each, _ in pairs))
        return [norm, _norm(last)], np.concatenate([each for _, each in pairs])


def _norm(array: Array) -> float:
    if array.flags.forc:
        elements = array.ravel(order="K")
        square: Any = np.vdot(elements, elements)
    else:
        axes = "ij"[: array.ndim]
        square = np.einsum(f"{axes},{axes}->", array.conj() if array.dtype.kind == "c" else array, array)
    return math.sqrt(float(square.real))


def _small_rows_as_written(
    result: Array, small: Array, factors: Sequence[Array], number: _Number | None
) -> Any:
    """The result with rows of small numbers computed as written, each from its row of the first factor."""
    if not factors[-1].any():
        return result
    rows: Any = small if small.ndim == 1 else small.any(axis=1)
    if 2 * np.count_nonzero(rows) > len(rows):
        return _as_written(factors, number)
    result[rows] = _as_written((factors[0][rows], *factors[1:]), number)
    return result
