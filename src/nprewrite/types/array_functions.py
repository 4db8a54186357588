"""Functions of whole arrays: what they give, and which of them torch.compile computes as NumPy does.

They compute an element from elements at other places: reductions, cumulative sums, shifts, matrix products.
Everything else that a loop of array code may contain is elementwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import attrgetter
from typing import Any

import numpy as np

from nprewrite.numpy_api import reductions
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.types.arithmetic import first_unknown
from nprewrite.types.probing import Given, Literal, called
from nprewrite.types.values import Array, Items, Scalar, Shape, ShapeOf, Unknown, Value, kind_of


def call(
    name: str, operands: Sequence[Value], keywords: Mapping[str, Value], node: ast.Call, *, method: bool
) -> Value:
    """The value of a function that has a record; ``operands`` begins with a method's array."""
    line, place = array_function(name), f"@{node.lineno}:{node.col_offset}"
    unknown = first_unknown([*operands[: max(1, line.arrays if line else 1)]])
    if unknown is not None and not _is_text(node, name):
        return unknown
    if line is None or "out" in keywords or "where" in keywords:
        return Unknown(f"`{name}` is not analysed with these arguments")
    selected = isinstance(operands[0], Array) and operands[0].under is not None
    if selected and (len(operands) > 1 or keywords or name not in reductions.REDUCTIONS):
        return Unknown(f"`{name}` mixes the selected elements")
    if name in MATRIX_PRODUCTS and len(operands) == 2 and _matrices(operands):
        return product(operands[0], operands[1], place)
    if name in ("reshape", "broadcast_to") and not keywords:
        shape = operands[1] if len(operands) == 2 else Items(tuple(operands[1:]))
        result = reshaped(operands[0], shape, place)
        # Nobody else sees the memory of an array that is made for this call.
        new = isinstance(operands[0], Array) and operands[0].fresh and name == "reshape"
        return _fresh(result) if new else result
    if name == "squeeze":
        return _squeezed(operands, keywords, place)
    nodes = [*([None] if method else []), *node.args]
    given = [_given(each, value) for each, value in zip(nodes, operands, strict=True)]
    named = {each.arg: _given(each.value, keywords[each.arg]) for each in node.keywords if each.arg}
    missing = first_unknown([*_parts(given), *_parts(named.values())])
    if missing is not None:
        return missing
    try:
        function = _method(name) if method else attrgetter(name)(np)
    except AttributeError:
        return Unknown(f"this NumPy has no `{name}`")
    result = called(function, given, named, place, by_data=line.by_data)
    return result if line.view else _fresh(result)


def _is_text(node: ast.Call, name: str) -> bool:
    """Whether a call begins with its subscripts: ``np.einsum("ij,jk", a, b)``."""
    first = node.args[0] if node.args else None
    return name == "einsum" and isinstance(first, ast.Constant) and isinstance(first.value, str)


def _parts(values: Iterable[Given]) -> Iterator[Value]:
    """The values themselves, and those inside displays."""
    for each in values:
        if isinstance(each, Items):
            yield from _parts(each.values)
        elif not isinstance(each, Literal):
            yield each


def _given(node: ast.expr | None, value: Value) -> Given:
    match node:
        case ast.Constant(value=str() | None as literal):
            return Literal(literal)
    return value


def _method(name: str) -> Any:
    """A function that calls the method of its first argument; one object for each name."""
    if name not in _METHODS:
        _METHODS[name] = lambda array, *arguments, **options: getattr(array, name)(*arguments, **options)
    return _METHODS[name]


_METHODS: dict[str, Any] = {}


def _fresh(value: Value) -> Value:
    if isinstance(value, Items):
        return Items(tuple(map(_fresh, value.values)))
    return replace(value, fresh=True) if isinstance(value, Array) else value


def _matrices(operands: Sequence[Value]) -> bool:
    return all(isinstance(each, Array) and each.rank in (1, 2) for each in operands)


def _squeezed(operands: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    """An array without the given axis; if none is given, without all axes of length 1 at run time."""
    array, axis = operands[0], operands[1] if len(operands) > 1 else keywords.get("axis")
    if not isinstance(array, Array):
        return Unknown("`squeeze` of something not an array")
    known = isinstance(axis, Scalar) and type(axis.constant) is int and isinstance(array.shape, tuple)
    if not known or not isinstance(axis, Scalar) or not isinstance(array.shape, tuple):
        return replace(array, shape=f"squeezed{place}", fresh=False)
    assert isinstance(axis.constant, int)
    if not -len(array.shape) <= axis.constant < len(array.shape):
        return Unknown("`squeeze` of an axis that is not there")
    number = axis.constant % len(array.shape)
    return replace(array, shape=(*array.shape[:number], *array.shape[number + 1 :]), fresh=False)


def reshaped(value: Value, asked: Value, place: str) -> Value:
    """The value of ``x.reshape(shape)`` and ``np.broadcast_to(x, shape)``; -1 is a length of its own."""
    if not isinstance(value, Array):
        return Unknown("`reshape` of something not an array")
    match asked:
        case ShapeOf():
            shape: Shape = asked.shape
        case Scalar():
            shape = (_length(asked, f"rest{place}"),)
        case Items():
            shape = tuple(_length(each, f"rest{place}.{axis}") for axis, each in enumerate(asked.values))
        case _:
            shape = f"shape{place}"
    return replace(value, shape=shape, fresh=False)


def _length(value: Value, rest: str) -> Any:
    if not isinstance(value, Scalar) or value.constant == -1:
        return rest
    return value.constant if value.constant is not None else value.symbol or rest


def product(left: Value, right: Value, place: str) -> Value:
    """The value of ``left @ right``."""
    if not isinstance(left, Array) or not isinstance(right, Array):
        unknown = [each for each in (left, right) if isinstance(each, Unknown)]
        return unknown[0] if unknown else Unknown("a matrix product of something not an array")
    if left.under or right.under:
        return Unknown("a matrix product of selected elements")
    if not _matrices([left, right]):
        return _fresh(called(np.matmul, [left, right], {}, place, by_data=False))
    dtype = np.result_type(left.dtype, right.dtype)
    kind = kind_of(dtype)
    assert isinstance(left.shape, tuple)
    assert isinstance(right.shape, tuple)
    shape = (*left.shape[:-1], *(right.shape[:-2] + right.shape[-1:] if len(right.shape) > 1 else ()))
    if kind is None:
        return Unknown("a matrix product of a dtype that is not numeric")
    if not shape:
        return Scalar(kind, dtype, of_array=True)
    return Array(dtype, shape, fresh=True, assumed=left.assumed or right.assumed)


def products(factors: Sequence[Value], place: str) -> Value:
    """The value of ``factors[0] @ factors[1] @ ...``."""
    return reduce(lambda left, right: product(left, right, place), factors)


def literal(node: ast.expr) -> object:
    """The number that a literal such as ``-1`` spells; None for anything else."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None
