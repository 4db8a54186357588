"""Expressions that compute the same from the same operands and do nothing else, and what they cost."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from nprewrite.analysis.memory import outputs
from nprewrite.base.syntax import children, name_nodes, parts_of, walk
from nprewrite.numpy_api import shapes
from nprewrite.numpy_api.attributes import ATTRIBUTES
from nprewrite.numpy_api.effects import changes_its_first
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS, elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import only_reads
from nprewrite.numpy_api.python import number_of, python_function
from nprewrite.program.function import Function
from nprewrite.types import array_functions
from nprewrite.types.expressions import RUNTIME_PRODUCT
from nprewrite.types.values import Array, Scalar, Value

_CHEAP_POWERS = (2, 1, 0.5, -1)
_PARTS = (
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp),
    *(ast.Subscript, ast.Slice, ast.Tuple, ast.List),
)


def is_pure(node: ast.expr, function: Function) -> bool:
    """Whether evaluating an expression has no effects, and gives the same as long as its names do."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value, attr=attr):
            known = function.dotted(node) is not None
            followed = attr in ATTRIBUTES and ATTRIBUTES[attr].gives != "iterator"
            return known or (followed and is_pure(value, function))
        case ast.Call():
            return is_pure_call(node, function)
    parts = (each for each in children(node) if isinstance(each, ast.expr))
    return isinstance(node, _PARTS) and all(is_pure(each, function) for each in parts)


def is_pure_call(call: ast.Call, function: Function) -> bool:
    """The same for a call of NumPy's functions, of an array's methods, or of Python's on numbers."""
    given = [*call.args, *(each.value for each in call.keywords)]
    options = {each.arg for each in call.keywords}
    dotted = function.dotted(call.func)
    if (
        options & {"where", None}
        or outputs(call, dotted)
        or not all(is_pure(each, function) for each in given)
    ):
        return False
    if dotted is None:
        method = call.func
        if not isinstance(method, ast.Attribute) or not isinstance(function.facts.value(method.value), Array):
            return False
        return only_reads(method.attr) and is_pure(method.value, function)
    found = elementwise(dotted)
    if found is not None:
        return len(call.args) <= found[1].ufunc.nin
    owner, _, name = dotted.partition(".")
    if owner == "math":
        return number_of(dotted) is not None
    known = owner == "numpy" and not changes_its_first(name) and array_function(name) is not None
    python = python_function(dotted)
    return known or (python is not None and python.pure) or dotted == RUNTIME_PRODUCT


def never_raises(node: ast.expr, function: Function) -> bool:
    """Whether evaluating an expression raises nothing, apart from floating-point errors, which guards watch.

    This holds if its names have the types that they are said to have.
    """
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
        case ast.Call(func=called, args=arguments, keywords=[]) if elementwise(function.dotted(called)):
            return _fit(arguments, value, function)
        case ast.Subscript(value=inner, slice=index):
            items = parts_of(index)
            array = function.facts.value(inner)
            axes = array.rank if isinstance(array, Array) and array.rank is not None else 0
            sliced = len(items) <= axes and all(_is_plain_slice(each, function) for each in items)
            return sliced and never_raises(inner, function)
    return False


def _is_plain_slice(node: ast.expr, function: Function) -> bool:
    """Whether a slice has integers for its bounds, and a literal one for its step: a step of 0 raises."""
    if not isinstance(node, ast.Slice) or (node.step is not None and not array_functions.literal(node.step)):
        return False
    parts = [each for each in (node.lower, node.upper, node.step) if each is not None]
    values = [function.facts.value(each) for each in parts]
    integers = all(isinstance(each, Scalar) and each.kind == "int" for each in values)
    return integers and all(never_raises(each, function) for each in parts)


def _fit(operands: Sequence[ast.expr], result: Value, function: Function) -> bool:
    """Whether an operation on floats broadcasts because its arrays have the same shape."""
    floats = isinstance(result, Scalar) or (isinstance(result, Array) and result.dtype.kind in "fc")
    arrays = [each for each in map(function.facts.value, operands) if isinstance(each, Array)]
    shapes = {each.shape for each in arrays if each.rank != 0}
    alike = len(shapes) < 2 and (None not in shapes or len(arrays) == 1)
    return floats and alike and all(never_raises(each, function) for each in operands)


def believed(nodes: Iterable[ast.expr], function: Function) -> dict[str, Array | Scalar]:
    """What an annotation, a default or a call says about the names in expressions.

    Numbers of a call that are Python integers may be too large for an array.
    """
    given = function.name == function.module.jitted
    values = ((each.id, function.facts.value(each)) for each in name_nodes(*nodes))
    return {
        name: value
        for name, value in values
        if (isinstance(value, Array) and value.assumed)
        or (isinstance(value, Scalar) and value.constant is None and not (given and value.dtype))
    }


def costly_operations(node: ast.expr, function: Function) -> Iterator[ast.expr]:
    """The operations on arrays in an expression that cost more than to read their result."""
    for each in walk(node):
        if isinstance(each, ast.expr) and _is_costly(each, function):
            yield each


def is_costly_elementwise(node: ast.expr, function: Function) -> bool:
    """Whether a single function of elements takes NumPy longer than to read and write them."""
    match node:
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _is_array(left, function) and array_functions.literal(right) not in _CHEAP_POWERS
        case ast.BinOp(op=operator):
            record = ELEMENTWISE.get(OPERATORS.get(type(operator).__name__, ""))
            return record is not None and record.costly and _is_array(node, function)
        case ast.Call(func=called):
            found = elementwise(function.dotted(called))
            return found is not None and found[1].costly and any(_is_array(x, function) for x in node.args)
    return False


def _is_costly(node: ast.expr, function: Function) -> bool:
    if is_costly_elementwise(node, function):
        return True
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.Call(func=called):
            dotted = function.dotted(called)
            if elementwise(dotted) is not None:
                return False
            name = (dotted or "").removeprefix("numpy.")
            if dotted is None and isinstance(called, ast.Attribute) and _is_array(called.value, function):
                name = called.attr
            return name not in shapes.TABLE and array_function(name) is not None
    return False


def _is_array(node: ast.expr, function: Function) -> bool:
    value = function.facts.value(node)
    return isinstance(value, Array) and value.rank != 0
