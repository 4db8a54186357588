"""Expressions that differ only in sign: ``a - b`` and ``b - a``, ``np.sin(-x)`` and ``np.sin(x)``."""

from __future__ import annotations

import ast

from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.program.function import Function
from nprewrite.types.values import Array, Scalar


def signed(node: ast.expr, function: Function) -> tuple[int, str]:
    """A sign, and the text of the value without it; equal texts mean equal floats."""
    if not _is_of_floats(node, function):
        return 1, ast.unparse(node)
    match node:
        case ast.UnaryOp(op=ast.USub()):
            sign, text = signed(node.operand, function)
            return -sign, text
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            left, right = signed(node.left, function), signed(node.right, function)
            return left[0] * right[0], f"({left[1]}) {type(node.op).__name__} ({right[1]})"
        case ast.BinOp(op=ast.Sub()):
            left_text, right_text = ast.unparse(node.left), ast.unparse(node.right)
            if left_text > right_text:
                return -1, f"({right_text}) - ({left_text})"
            return 1, f"({left_text}) - ({right_text})"
        case ast.Call(args=[argument], keywords=[]) if _is_odd(node, function):
            sign, text = signed(argument, function)
            return sign, f"{ast.unparse(node.func)}({text})"
    return 1, ast.unparse(node)


def _is_odd(node: ast.Call, function: Function) -> bool:
    found = elementwise(function.dotted(node.func))
    return found is not None and found[1].odd


def _is_of_floats(node: ast.expr, function: Function) -> bool:
    """Whether the value consists of floats: unsigned integers have no sign to take out."""
    value = function.facts.value(node)
    if isinstance(value, Scalar) and value.dtype is None:
        return value.kind == "float"
    return isinstance(value, Array | Scalar) and value.dtype is not None and value.dtype.kind == "f"
