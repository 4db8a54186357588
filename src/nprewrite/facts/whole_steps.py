"""What a step may hold whose elements depend on each other: slices, reductions, shifts, matrix products."""

from __future__ import annotations

import ast

from nprewrite.facts import whole
from nprewrite.facts.function import Function
from nprewrite.facts.problems import Problem
from nprewrite.facts.values import Array, Scalar

MASKED_REDUCTIONS = frozenset(["sum", "mean", "any", "all"])
"""Reductions over a selection that a step computes; the smallest of no elements would have to raise."""

_LIKE = frozenset(["zeros_like", "ones_like", "empty_like"])


def takes_whole_arrays(call: ast.Call, function: Function) -> bool:
    """Whether a call is one of a function that takes other elements than those at a place."""
    name = function_name(call, function)
    return name in whole.NAMES or name in _LIKE


def operands(call: ast.Call, function: Function) -> list[ast.expr]:
    """The arrays that such a function takes."""
    every = [*call.args]
    if isinstance(call.func, ast.Attribute) and _is_method(call, function):
        every = [call.func.value, *every]
    return every[:2] if function_name(call, function) in ("dot", "matmul") else every[:1]


def keeps_shape(call: ast.Call, function: Function) -> bool:
    """Whether the result of such a function has the shape of the array that it takes."""
    return function_name(call, function) in _LIKE | {"roll"}


def call_problem(call: ast.Call, function: Function) -> Problem | None:
    """Why a call of such a function does not become part of a step."""
    name, text = function_name(call, function), ast.unparse(call)
    taken = operands(call, function)
    if name in _LIKE:
        plain = len(call.args) == 1 and not call.keywords
        return None if plain else Problem("unsupported-operation", f"`{text}` has arguments", call)
    if name in ("dot", "matmul"):
        return product_problem(call, taken, function)
    value, result = function.facts.value(taken[0]), function.facts.value(call)
    number = isinstance(result, Scalar) and result.dtype is None
    if number or not whole.compiled(name, value):
        dtype = getattr(value, "dtype", "unknown")
        text = f"`{text}` of dtype {dtype} means something else when compiled"
        return Problem("unsupported-operation", text, call)
    if not isinstance(value, Array) or value.under is None:
        return None
    if not isinstance(taken[0], ast.Subscript):
        return Problem(
            "selection-escapes", f"`{ast.unparse(taken[0])}` holds the selected elements only", call
        )
    if name not in MASKED_REDUCTIONS:
        return Problem("may-raise", f"`{text}` raises where nothing is selected", call)
    return None


def product_problem(node: ast.expr, taken: list[ast.expr], function: Function) -> Problem | None:
    """Why a matrix product does not become part of a step: only floats have fast ones."""
    values = [function.facts.value(each) for each in taken]
    if all(isinstance(each, Array) and each.dtype.kind == "f" for each in values):
        return None
    return Problem("unsupported-operation", f"`{ast.unparse(node)}` is not a product of float arrays", node)


def is_reversed(node: ast.Slice) -> bool:
    """Whether a slice may run backwards."""
    step = None if node.step is None else whole.literal(node.step)
    return node.step is not None and not (isinstance(step, int) and step > 0)


def index_problem(node: ast.Subscript) -> Problem | None:
    """Why an index is not made of literal numbers, slices between such, ``None`` and ``...``."""
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    backwards = any(is_reversed(each) for each in items if isinstance(each, ast.Slice))
    if backwards and isinstance(node.ctx, ast.Store):
        text = f"`{ast.unparse(node)}` stores backwards, which means something else when compiled"
        return Problem("unsupported-operation", text, node)
    if all(_is_literal_index(each) for each in items):
        return None
    text = f"`{ast.unparse(node.slice)}` in `{ast.unparse(node)}` is not made of literal numbers"
    return Problem("index-not-literal", text, node)


def needs_rank(node: ast.AST, function: Function) -> bool:
    """Whether what a node gives, an array or a number, depends on how many dimensions its operands have."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=items)):
            return any(type(whole.literal(each)) is int for each in items)
        case ast.Subscript(slice=index):
            return type(whole.literal(index)) is int
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.AugAssign(target=target):
            value = function.facts.value(target)
            return isinstance(value, Array | Scalar) and value.dtype is not None and value.dtype.kind == "c"
        case ast.Call():
            return takes_whole_arrays(node, function) and len(node.args) + len(node.keywords) > 0
    return False


def _is_literal_index(node: ast.expr) -> bool:
    if isinstance(node, ast.Slice):
        bounds = [each for each in (node.lower, node.upper, node.step) if each is not None]
        return all(type(whole.literal(each)) is int for each in bounds)
    if isinstance(node, ast.Attribute):
        return node.attr == "newaxis"
    value = whole.literal(node)
    return type(value) is int or (isinstance(node, ast.Constant) and value in (None, Ellipsis))


def _is_method(call: ast.Call, function: Function) -> bool:
    return isinstance(call.func, ast.Attribute) and function.dotted(call.func) is None


def function_name(call: ast.Call, function: Function) -> str:
    """``sum`` of ``x.sum()`` and ``np.sum(x)``; empty for a function that is not NumPy's."""
    if _is_method(call, function) and isinstance(call.func, ast.Attribute):
        return call.func.attr
    dotted = function.dotted(call.func) or ""
    return dotted.removeprefix("numpy.") if dotted.startswith("numpy.") else ""
