"""How many axes an expression has in lowered code: 0 for a number, and where the parts do not tell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from nprewrite.lowering import array_reductions

if TYPE_CHECKING:
    from nprewrite.lowering.array_expressions import ArrayExpressions

_METHODS = {"copy", "astype", "dot", "round", "clip", "trace", *array_reductions.NAMES}
_FILLED = {"zeros", "empty", "ones", "full"}
_DISPLAYS = {"array", "asarray"}
_PRODUCTS = {"dot", "matmul", "inner", "vdot"}
_FIXED = {"arange": 1, "eye": 2, "identity": 2, "outer": 2, "trace": 0, "linalg.norm": 0, "linalg.det": 0}


def named(walk: ArrayExpressions, node: ast.Call) -> tuple[str | None, list[ast.expr]]:
    """The name of a function of NumPy, and its arguments; a method's object is the first."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in _METHODS and rank(walk, function.value):
        return function.attr, [function.value, *node.args]
    dotted = walk.resolve(function) or ""
    known = dotted.startswith("numpy.") or dotted == "builtins.abs"
    return (dotted.partition(".")[2] if known else None), [*node.args]


def rank(walk: ArrayExpressions, node: ast.expr) -> int:
    """The number of axes of an expression."""
    match node:
        case ast.Name():
            held = walk.held(node.id)
            return len(held.lengths or ()) if held is not None else 0
        case ast.Attribute(attr="T"):
            return rank(walk, node.value)
        case ast.Subscript():
            return _of_part(walk, node)
        case ast.Call():
            return _of_call(walk, node)
        case ast.BinOp(op=ast.MatMult()):
            return _of_product(rank(walk, node.left), rank(walk, node.right))
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            parts = (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
            return max(rank(walk, each) for each in parts)
    return 0


def items_of(node: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets."""
    return [*node.slice.elts] if isinstance(node.slice, ast.Tuple) else [node.slice]


def is_new_axis(node: ast.expr) -> bool:
    """Whether an item of a subscript adds an axis."""
    return isinstance(node, ast.Constant) and node.value is None


def _of_part(walk: ArrayExpressions, node: ast.Subscript) -> int:
    """The axes of an array that numbers do not pick, and new ones."""
    whole = rank(walk, node.value)
    if not whole:
        return 0
    found = items_of(node)
    plain = [each for each in found if not isinstance(each, ast.Slice) and not is_new_axis(each)]
    gone = sum(not rank(walk, each) for each in plain)
    return max(whole - gone + sum(map(is_new_axis, found)), 0)


def _of_product(left: int, right: int) -> int:
    return left + right - 2 if left and right else 0


def _of_call(walk: ArrayExpressions, node: ast.Call) -> int:
    name, arguments = named(walk, node)
    if name is None:
        return 0
    if name in _FIXED:
        return _FIXED[name]
    if name in _FILLED and arguments:
        return _of_shape(walk, arguments[0])
    if name in _DISPLAYS and arguments and isinstance(arguments[0], ast.List | ast.Tuple):
        return _depth(arguments[0])
    ranks = [rank(walk, each) for each in arguments]
    if name in array_reductions.NAMES:
        along = array_reductions.axis_of(arguments, node) is not None
        return ranks[0] - 1 if along and ranks[0] else 0
    if name in _PRODUCTS and len(ranks) == 2:
        return _of_product(*ranks)
    if name == "linalg.solve" and len(ranks) == 2:
        return ranks[1]
    return max(ranks, default=0)


def _of_shape(walk: ArrayExpressions, node: ast.expr) -> int:
    lengths = walk.shape(node)
    if lengths is not None:
        return len(lengths)
    return len(node.elts) if isinstance(node, ast.Tuple | ast.List) else 1


def _depth(node: ast.expr) -> int:
    """How deep the displays of numbers are nested."""
    if not isinstance(node, ast.List | ast.Tuple):
        return 0
    return 1 + max((_depth(each) for each in node.elts), default=0)
