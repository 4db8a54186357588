"""What the functions of ``numpy.random`` and the methods of its generators give.

This is exact for arrays whose size is given: ``rng.random((n, n))`` is a new array of float64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nprewrite.numpy_api.random import drawing, native_drawing
from nprewrite.types.constructors import dtype_of, shape_of, shown_shape
from nprewrite.types.values import (
    Array,
    Generator,
    Items,
    Scalar,
    Shape,
    ShapeOf,
    Unknown,
    Value,
    broadcast,
)

_FLOAT, _INT = np.dtype(np.float64), np.dtype(np.int64)
# RandomState draws C longs, which have 32 bits on Windows.
_LONG = np.dtype("l")
_NO_SIZE = Unknown("random numbers without a size")


def of_module(name: str, arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    """The value of ``np.random.name(...)``."""
    if name in ("default_rng", "Generator"):
        return Generator()
    state = Generator("state")
    return state if name == "RandomState" else drawn(state, name, arguments, keywords, place)


def drawn(
    generator: Generator, name: str, arguments: Sequence[Value], keywords: Mapping[str, Value], place: str
) -> Value:
    """The value of a method of a generator, where it is a new array of a known dtype."""
    if generator.of == "python":
        return _by_python(name)
    whole = _LONG if generator.of == "state" else _INT
    if name == "permutation" and len(arguments) == 1 and not keywords:
        return _permuted(arguments[0], whole, place)
    if name == "choice" and arguments:
        return _chosen(arguments, keywords, whole, place)
    found = drawing(name, generator.of)
    if found is not None and found.size is None and arguments and not keywords:
        return _array(Items(tuple(arguments)), _FLOAT, place)
    if found is None or found.size is None or "out" in keywords or len(arguments) > found.size + 2:
        return Unknown(f"nothing is known of `{name}(...)` of a generator of random numbers")
    asked = keywords.get("dtype", arguments[found.size + 1] if len(arguments) > found.size + 1 else None)
    natural = whole if found.whole else _FLOAT
    dtype = dtype_of(asked) if found.takes_dtype and asked is not None else natural
    if dtype is None:
        return Unknown("the dtype is not written out")
    size = _size(arguments, keywords, found.size)
    if size is None and dtype == natural:
        return _for_parameters([*arguments, *keywords.values()], dtype)
    return _array(size, dtype, place)


def _by_python(name: str) -> Value:
    """The value of a method of ``random.Random``."""
    native, _ = native_drawing(name, "python")
    if native in ("", "pick"):
        return Unknown(f"nothing is known of `{name}(...)` of a generator of random numbers")
    return Scalar("int" if native.startswith("whole") else "float")


def _for_parameters(parameters: Sequence[Value], dtype: np.dtype[np.generic]) -> Value:
    """A new array of a number for each element of the parameters; of numbers alone it is a number."""
    shape: Shape | None = ()
    for each in parameters:
        if not isinstance(each, Scalar | Array) or (isinstance(each, Array) and each.assumed):
            return each if isinstance(each, Unknown) else _NO_SIZE
        shape = broadcast(shape, each.shape if isinstance(each, Array) else ())
    # An array of unknown rank may have no axes, which gives a number.
    return Array(dtype, shape, fresh=True) if shape and isinstance(shape, tuple) else _NO_SIZE


def _size(arguments: Sequence[Value], keywords: Mapping[str, Value], position: int) -> Value | None:
    return arguments[position] if len(arguments) > position else keywords.get("size")


def _array(size: Value | None, dtype: np.dtype[np.generic], place: str) -> Value:
    """A new array of that size; without one, or with one that may be None, it may be a number."""
    known = isinstance(size, ShapeOf) or (isinstance(size, Scalar) and size.kind == "int")
    if isinstance(size, Items):
        known = all(isinstance(each, Scalar) and each.kind == "int" for each in size.values)
    if size is None or not known:
        return size if isinstance(size, Unknown) else _NO_SIZE
    return Array(dtype, shape_of(size, place), fresh=True, shown=shown_shape(size))


def _permuted(given: Value, whole: np.dtype[np.generic], place: str) -> Value:
    """``permutation(n)`` permutes the numbers below n, ``permutation(x)`` the rows of an array."""
    if isinstance(given, Scalar) and given.kind == "int":
        return _array(given, whole, place)
    if isinstance(given, Array) and not given.assumed:
        return Array(given.dtype, given.shape, fresh=True)
    return given if isinstance(given, Unknown) else Unknown("a permutation of something else")


def _chosen(
    arguments: Sequence[Value], keywords: Mapping[str, Value], whole: np.dtype[np.generic], place: str
) -> Value:
    """``choice(n, size)`` draws numbers below n, ``choice(x, size)`` elements of an array or a list."""
    given, size = arguments[0], _size(arguments, keywords, 1)
    if isinstance(given, Scalar) and given.kind == "int":
        return _array(size, whole, place)
    if isinstance(given, Array) and given.rank == 1 and not given.assumed:
        return _array(size, given.dtype, place)
    if isinstance(given, Items) and given.values:
        numbers = [
            each for each in given.values if isinstance(each, Scalar) and each.kind in ("int", "float")
        ]
        if len(numbers) == len(given.values):
            return _array(size, np.result_type(*(each.own_dtype for each in numbers)), place)
    return given if isinstance(given, Unknown) else Unknown("a choice of something else")
