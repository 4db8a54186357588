"""What a NumPy function gives for operands of known types, asked of NumPy itself.

The function runs on small arrays of the same dtypes and numbers of dimensions. Each axis of unknown length
gets a length of its own, and the function runs again with lengths in the opposite order: where a length of
the result is that of the same axis both times, it is that axis, even if the function takes the smaller of
two. A third run with short axes shows lengths that a number in the text bounds. Any other length gets a new
symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nprewrite.base.errors import unheard
from nprewrite.types.arithmetic import first_unknown
from nprewrite.types.values import (
    Array,
    DtypeValue,
    Items,
    Scalar,
    ShapeOf,
    Unknown,
    Value,
    kind_of,
    python_kind,
)

_DIFFERENT = (5, 6, 8, 9, 11, 12), (14, 11, 10, 7, 6, 5)
"""Small, because products of six axes are tried; no two lengths have the same difference in both rows."""
_EQUAL = (6,) * 6, (8,) * 6
_SHORT = (2,) * 6
_LARGEST = 100
"""Larger numbers are not tried: they may be lengths, counts or widths."""
_LONGEST_KEPT = 4
"""Longer axes of known length get a stand-in as well, because they might need any amount of memory."""
_RANKS = (1, 2, 3)
"""The numbers of dimensions tried where none is known."""
_RAISED = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)


@dataclass(frozen=True)
class Literal:
    """A literal argument that is not a number: ``None``, ``"same"``."""

    value: str | None


Given = Value | Literal
Function = Callable[..., Any]


def called(
    function: Function,
    arguments: Sequence[Given],
    keywords: Mapping[str, Given],
    place: str,
    *,
    by_data: bool,
) -> Value:
    """What ``function`` gives; ``by_data`` says that the lengths of the result depend on elements.

    ``place`` names the lengths of which nothing is known.
    """
    found = _called(function, tuple(arguments), tuple(keywords.items()))
    if isinstance(found, Unknown):
        return found
    return _placed(found, place, forget=by_data)


@lru_cache(maxsize=4096)
def _called(
    function: Function, arguments: tuple[Given, ...], keywords: tuple[tuple[str, Given], ...]
) -> Value:
    everything = (*arguments, *(each for _, each in keywords))
    if all(_ranks_known(each) for each in everything):
        return _result(function, arguments, keywords)
    found = []
    for rank in _RANKS:
        ranked = [_of_rank(each, rank) for each in arguments]
        options = tuple((name, _of_rank(each, rank)) for name, each in keywords)
        found.append(_result(function, tuple(ranked), options))
    known = [each for each in found if not isinstance(each, Unknown)]
    if not known:
        return found[0]
    symbols = [each.shape for each in everything if isinstance(each, Array) and isinstance(each.shape, str)]
    return _of_any_rank(known, symbols)


def _result(
    function: Function, arguments: tuple[Given, ...], keywords: tuple[tuple[str, Given], ...]
) -> Value:
    """The result for operands of known numbers of dimensions, its unknown lengths None."""
    for lengths in (_DIFFERENT, _EQUAL):
        # Different symbols may be lengths that must be equal, as the inner ones of a product.
        runs = [_run(function, arguments, keywords, each) for each in lengths]
        result = _agreed(*runs)
        if not isinstance(result, Unknown):
            break
    short = _run(function, arguments, keywords, _SHORT)
    result = result if isinstance(short, Unknown) else _bounded(result, short)
    assumed = any(isinstance(each, Array) and each.assumed for each in arguments)
    return _assumed(result) if assumed else result


def _run(
    function: Function,
    arguments: tuple[Given, ...],
    keywords: tuple[tuple[str, Given], ...],
    lengths: tuple[int, ...],
) -> Value:
    """What one run gives; a length is that of an operand's axis where it can be no other."""
    axes = _Axes(lengths)
    try:
        taken = [axes.sample(each) for each in arguments]
        options = {name: axes.sample(each) for name, each in keywords}
        with unheard(Warning), np.errstate(all="ignore"):
            return axes.value(function(*taken, **options))
    except _RAISED as error:
        return Unknown(f"it raises {type(error).__name__} for these types")


class _Axes:
    """Stand-ins for the lengths of axes, handed out in the order in which axes occur."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._free = list(lengths)
        self._distinct = len(set(lengths)) == len(lengths)
        self._lengths: dict[Hashable, int] = {}

    def length(self, axis: Hashable) -> int:
        """The stand-in of one axis; a short known length stands for itself."""
        if isinstance(axis, int) and axis <= _LONGEST_KEPT:
            return axis
        if axis not in self._lengths:
            if not self._free:
                raise ValueError("more axes than stand-ins")
            self._lengths[axis] = self._free.pop(0)
        return self._lengths[axis]

    def sample(self, value: Given) -> Any:
        """An operand of this type; ``TypeError`` where nothing is known of it."""
        match value:
            case Literal():
                return value.value
            case Array(shape=tuple(shape)):
                return _filled(tuple(map(self.length, shape)), value.dtype)
            case Scalar(constant=None, dtype=None, kind="int", symbol=str(symbol)):
                return self.length(symbol)
            case Scalar(dtype=None, constant=int(number)) if abs(number) > _LARGEST:
                raise TypeError("a large number may ask for much memory")
            case Scalar(dtype=None):
                return (
                    {"bool": True, "int": 1, "float": 1.0, "complex": 1j}[value.kind]
                    if (value.constant is None)
                    else value.constant
                )
            case Scalar(dtype=np.dtype() as dtype):
                return dtype.type(1)
            case Items():
                return tuple(self.sample(each) for each in value.values)
            case ShapeOf(shape=tuple(shape)):
                return tuple(map(self.length, shape))
            case DtypeValue():
                return value.dtype
        raise TypeError("nothing is known of an operand")

    def value(self, given: Any) -> Value:
        """What is known of a result; lengths are None where they are not an operand's."""
        if type(given) is np.ndarray:
            axes = {length: axis for axis, length in self._lengths.items()}
            shape = tuple(axes.get(each, each) if self._distinct else each for each in given.shape)
            numeric = kind_of(given.dtype) is not None
            return Array(given.dtype, shape) if numeric else Unknown(f"dtype {given.dtype} is not numeric")
        if isinstance(given, np.generic):
            kind = kind_of(given.dtype)
            return Scalar(kind, given.dtype, of_array=True) if kind else Unknown("it gives no number")
        if isinstance(given, tuple | list):
            return Items(tuple(map(self.value, given)))
        kind = python_kind(given)
        return Scalar(kind, of_array=True) if kind else Unknown("it gives no array")


def _filled(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Ones, with more on the diagonal where the last two lengths are equal: an invertible matrix."""
    filled = np.ones(shape, dtype)
    if len(shape) > 1 and shape[-1] == shape[-2] and dtype.kind != "b":
        filled += np.eye(shape[-1], dtype=dtype)
    return filled


def _ranks_known(value: Given) -> bool:
    if isinstance(value, Items):
        return all(map(_ranks_known, value.values))
    return not isinstance(value, Array | ShapeOf) or isinstance(value.shape, tuple)


def _of_rank(value: Given, rank: int) -> Given:
    """The same with ``rank`` axes where their number is not known."""
    if isinstance(value, Items):
        inner = [_of_rank(each, rank) for each in value.values]
        return Items(tuple(each for each in inner if not isinstance(each, Literal)))
    if not isinstance(value, Array | ShapeOf) or isinstance(value.shape, tuple):
        return value
    shape: tuple[Any, ...] = tuple((value.shape, axis) for axis in range(rank))
    return ShapeOf(shape) if isinstance(value, ShapeOf) else Array(value.dtype, shape, assumed=value.assumed)


def _of_any_rank(found: Sequence[Value], symbols: Sequence[str]) -> Value:
    """What holds for all numbers of dimensions: the dtype, and an operand's shape where it is kept."""
    first = found[0]
    if isinstance(first, Items):
        lengths = {len(each.values) if isinstance(each, Items) else None for each in found}
        if len(lengths) > 1:
            return Unknown("how much it gives depends on the number of dimensions")
        columns = [
            [each.values[k] for each in found if isinstance(each, Items)] for k in range(len(first.values))
        ]
        return Items(tuple(_of_any_rank(each, symbols) for each in columns))
    if all(each == first for each in found) and isinstance(first, Scalar):
        return first
    numbers = [each for each in found if isinstance(each, Array | Scalar)]
    dtypes = {each.dtype for each in numbers}
    dtype = numbers[0].dtype if numbers else None
    if len(numbers) < len(found) or len(dtypes) > 1 or dtype is None:
        return Unknown("its type depends on the number of dimensions")
    arrays = [each for each in found if isinstance(each, Array)]
    assumed = any(each.assumed for each in arrays)
    for symbol in symbols:
        if len(arrays) == len(found) and all(_is_shape(each, symbol) for each in arrays):
            return Array(dtype, symbol, assumed=assumed)
    return Array(dtype, None, assumed=assumed)


def _is_shape(array: Array, symbol: str) -> bool:
    return array.shape == tuple((symbol, axis) for axis in range(array.rank or 0))


def _agreed(left: Value, right: Value) -> Value:
    """What two runs with different lengths agree on."""
    unknown = first_unknown([left, right])
    if unknown is not None:
        return unknown
    if isinstance(left, Array) and isinstance(right, Array):
        if left.dtype != right.dtype or left.rank != right.rank:
            return Unknown("its type depends on the sizes")
        assert isinstance(left.shape, tuple)
        assert isinstance(right.shape, tuple)
        shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
        return Array(left.dtype, shape)
    if isinstance(left, Items) and isinstance(right, Items) and len(left.values) == len(right.values):
        return Items(tuple(map(_agreed, left.values, right.values)))
    return left if left == right else Unknown("its type depends on the sizes")


def _bounded(value: Value, short: Value) -> Value:
    """The value without lengths that, as short axes show, a number in the text bounds."""
    if isinstance(value, Items) and isinstance(short, Items) and len(value.values) == len(short.values):
        return Items(tuple(map(_bounded, value.values, short.values)))
    if not isinstance(value, Array) or not isinstance(short, Array):
        return value
    assert isinstance(value.shape, tuple)
    assert isinstance(short.shape, tuple)
    if len(value.shape) != len(short.shape):
        return Unknown("its type depends on the sizes")
    expected = [
        _SHORT[0] if not isinstance(each, int) or each > _LONGEST_KEPT else each for each in value.shape
    ]
    lengths = zip(value.shape, expected, short.shape, strict=True)
    return Array(value.dtype, tuple(each if a == b else None for each, a, b in lengths))


def _assumed(value: Value) -> Value:
    if isinstance(value, Items):
        return Items(tuple(map(_assumed, value.values)))
    return Array(value.dtype, value.shape, assumed=True) if isinstance(value, Array) else value


def _placed(value: Value, place: str, *, forget: bool) -> Value:
    """The value with symbols of ``place`` for what is not known of its shape."""
    if isinstance(value, Items):
        inner = [
            _placed(each, f"{place}.{number}", forget=forget) for number, each in enumerate(value.values)
        ]
        return Items(tuple(inner))
    if not isinstance(value, Array):
        return value
    if not isinstance(value.shape, tuple):
        return Array(value.dtype, value.shape or f"result{place}", assumed=value.assumed)
    axes = [
        f"axis{place}.{number}" if each is None or forget or isinstance(each, tuple) else each
        for number, each in enumerate(value.shape)
    ]
    return Array(value.dtype, tuple(axes), assumed=value.assumed)
