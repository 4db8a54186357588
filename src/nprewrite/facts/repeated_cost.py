"""Expressions that compute the same from the same operands and do nothing else, and what they cost."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.facts import numpy_shapes, whole
from nprewrite.facts.expressions import RUNTIME_PRODUCT
from nprewrite.facts.function import Function
from nprewrite.facts.memory import outputs
from nprewrite.facts.numpy_table import MATH, elementwise
from nprewrite.facts.values import Array, Scalar, Value

_COSTLY = frozenset(
    [
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "power", "float_power"),
        *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "hypot", "cbrt"),
        *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"),
    ]
)
"""Elementwise functions that cost more than to read their result from memory."""

_CHEAP_POWERS = (2, 1, 0.5, -1)
_OF_NUMBERS = frozenset(
    f"builtins.{name}" for name in ("abs", "complex", "float", "int", "len", "max", "min")
)
_METHODS = frozenset(["astype", "conj", "conjugate", "copy", "clip"])
ATTRIBUTES = frozenset(["T", "real", "imag", "shape", "size", "ndim", "dtype"])
"""Attributes of arrays that may stand in such an expression."""

_PARTS = (
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp),
    *(ast.Subscript, ast.Slice, ast.Tuple, ast.List),
)


def is_pure(node: ast.expr, function: Function) -> bool:
    """Whether evaluating an expression does nothing else, and gives the same as long as its names do."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value, attr=attr):
            known = function.dotted(node) is not None
            return known or (attr in ATTRIBUTES and is_pure(value, function))
        case ast.Call():
            return is_pure_call(node, function)
    parts = (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
    return isinstance(node, _PARTS) and all(is_pure(each, function) for each in parts)


def is_pure_call(call: ast.Call, function: Function) -> bool:
    """The same of a call of NumPy's functions, of an array's methods, and of Python's for numbers."""
    given = [*call.args, *(each.value for each in call.keywords)]
    options = {each.arg for each in call.keywords}
    if (
        options & {"where", None}
        or outputs(call, function)
        or not all(is_pure(each, function) for each in given)
    ):
        return False
    dotted = function.dotted(call.func)
    if dotted is None:
        return _is_pure_method(call, function)
    found = elementwise(dotted)
    if found is not None:
        return len(call.args) <= found[1].ufunc.nin
    owner, _, name = dotted.partition(".")
    if owner == "math":
        return name in MATH
    known = owner == "numpy" and name not in whole.CHANGES_FIRST and whole.known(name) is not None
    return known or dotted in _OF_NUMBERS or dotted == RUNTIME_PRODUCT


def _is_pure_method(call: ast.Call, function: Function) -> bool:
    match call.func:
        case ast.Attribute(value=value, attr=name):
            known = name in _METHODS or (name not in whole.IN_PLACE and whole.known(name) is not None)
            return known and isinstance(function.facts.value(value), Array) and is_pure(value, function)
    return False


def never_raises(node: ast.expr, function: Function) -> bool:
    """Whether evaluating an expression raises nothing, floating-point errors that are watched apart."""
    value = function.facts.value(node)
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=inner):
            return function.dotted(node) is not None or never_raises(inner, function)
        case ast.UnaryOp(operand=operand):
            return never_raises(operand, function)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow(), right=right):
            # Python's own numbers divide by zero, and overflow.
            plain = isinstance(value, Array) or isinstance(node.op, ast.Add | ast.Sub | ast.Mult)
            return plain and _fit([left, right], value, function)
        case ast.Call(func=called, args=arguments) if elementwise(function.dotted(called)) is not None:
            return _fit(arguments, value, function)
        case ast.Subscript(value=inner, slice=index):
            items = index.elts if isinstance(index, ast.Tuple) else [index]
            array = function.facts.value(inner)
            axes = array.rank if isinstance(array, Array) and array.rank is not None else 0
            sliced = all(isinstance(each, ast.Slice) for each in items) and len(items) <= axes
            return sliced and never_raises(inner, function)
    return False


def _fit(operands: Sequence[ast.expr], result: Value, function: Function) -> bool:
    """Whether an operation on floats broadcasts: its arrays have one shape."""
    floats = isinstance(result, Scalar) or (isinstance(result, Array) and result.dtype.kind in "fc")
    arrays = [each for each in map(function.facts.value, operands) if isinstance(each, Array)]
    shapes = {each.shape for each in arrays if each.rank != 0}
    alike = len(shapes) < 2 and (None not in shapes or len(arrays) == 1)
    return floats and alike and all(never_raises(each, function) for each in operands)


def costly_operations(node: ast.expr, function: Function) -> Iterator[ast.expr]:
    """The operations on arrays in an expression that cost more than to read their result."""
    for each in ast.walk(node):
        if isinstance(each, ast.expr) and _is_costly(each, function):
            yield each


def _is_costly(node: ast.expr, function: Function) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _is_array(left, function) and whole.literal(right) not in _CHEAP_POWERS
        case ast.Call(func=called):
            dotted = function.dotted(called)
            found = elementwise(dotted)
            if found is not None:
                return found[0] in _COSTLY and any(_is_array(each, function) for each in node.args)
            name = (dotted or "").removeprefix("numpy.")
            if dotted is None and isinstance(called, ast.Attribute) and _is_array(called.value, function):
                name = called.attr
            return name not in numpy_shapes.TABLE and whole.known(name) is not None
    return False


def _is_array(node: ast.expr, function: Function) -> bool:
    value = function.facts.value(node)
    return isinstance(value, Array) and value.rank != 0
