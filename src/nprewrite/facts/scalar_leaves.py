"""The scalar parts of array expressions that Python computes, and the dtypes that NumPy converts them to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from nprewrite.facts.function import Function
from nprewrite.facts.values import Scalar, Value


def scalar_leaves(
    node: ast.expr, wanted: np.dtype[np.generic] | None, view: Function
) -> Iterator[tuple[ast.expr, np.dtype[np.generic]]]:
    """The largest scalar parts of an array expression, each with the dtype NumPy converts it to."""
    values, loops = view.facts.expressions.values, view.facts.expressions.loops
    value: Value | None = values.get(node)
    if isinstance(value, Scalar) and not value.of_array:
        if wanted is not None:
            yield node, wanted
        return
    dtypes = loops.get(node, ())
    for position, operand in enumerate(_operands(node, view)):
        yield from scalar_leaves(operand, dtypes[position] if position < len(dtypes) else None, view)


def _operands(node: ast.expr, view: Function) -> list[ast.expr]:
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Call(func=ast.Attribute() as method) if view.dotted(method) is None:
            return [method.value]
        case ast.Call():
            return node.args
        case ast.Subscript():
            return [node.value, node.slice]
        case ast.Attribute():
            return [node.value]
    return []
