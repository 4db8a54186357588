"""Functions of whole arrays in lowered code: which of them a call means, and the elementwise ones."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nprewrite.lowering import array_ranks, array_reductions, functions, operators
from nprewrite.lowering.array_making import MAKERS, number_of
from nprewrite.lowering.array_products import PRODUCTS
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.problems import not_followed
from nprewrite.lowering.values import Value, converted

if TYPE_CHECKING:
    from nprewrite.lowering.array_expressions import ArrayExpressions

_QUICK = {
    "abs",
    "absolute",
    "sqrt",
    "minimum",
    "maximum",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "isnan",
    "sin",
    "cos",
}
"""Elementwise functions in which NumPy is no faster an element."""


def call(walk: ArrayExpressions, node: ast.Call) -> Value | Elements | None:
    """The value of a call that takes or makes arrays; None for a function of numbers."""
    name, arguments = array_ranks.named(walk, node)
    if name is None or not (walk.is_array(node) or any(map(walk.is_array, arguments))):
        return None
    if any(isinstance(each, ast.Starred) for each in arguments):
        raise not_followed(node)
    if name in array_reductions.NAMES:
        return array_reductions.reduction(walk, name, arguments, node)
    making = MAKERS.get(name) or PRODUCTS.get(name)
    if making is not None:
        return making(walk, name, arguments, node)
    if node.keywords or "." in name:
        raise not_followed(node)
    values = [walk.evaluate(each) for each in arguments]
    return _elementwise(walk, name, values, node)


def _elementwise(
    walk: ArrayExpressions, name: str, values: Sequence[Value | Elements], node: ast.Call
) -> Elements:
    code = walk.code
    if name == "where" and len(values) == 3:
        return walk.elementwise(values, lambda *each: _where(walk, each, node), node)
    if name in ("clip", "round", "around", "square"):
        return walk.elementwise(values, lambda *each: _composed(walk, name, each, node), node)
    slower = 0.0 if name in _QUICK else 3.0
    return walk.elementwise(
        values, lambda *each: functions.call(code, f"numpy.{name}", each, node), node, slower=slower
    )


def _composed(walk: ArrayExpressions, name: str, values: Sequence[Value], node: ast.Call) -> Value:
    """Functions that are others put together."""
    code, count = walk.code, len(values)
    if name == "square" and count == 1:
        return operators.binary(code, ast.Mult(), values[0], values[0], node)
    if name == "clip" and count == 3:
        raised = functions.call(code, "numpy.maximum", values[:2], node)
        return functions.call(code, "numpy.minimum", [raised, values[2]], node)
    if name in ("round", "around") and count == 1:
        whole = values[0].only is not None and values[0].only.dtype.kind != "f"
        return values[0] if whole else functions.call(code, "numpy.rint", values, node)
    raise not_followed(node)


def _where(walk: ArrayExpressions, values: Sequence[Value], node: ast.Call) -> Value:
    """One of two elements, in the dtype that both promote to."""
    condition, *chosen = values
    kinds = [each.only for each in chosen]
    if None in kinds:
        raise not_followed(node)
    operands = [each.dtype.type(0).item() if each.weak else each.dtype for each in kinds if each]
    number = number_of(np.result_type(*operands), node)
    first, second = (converted(walk.code, each, number.dtype) for each in chosen)
    test = functions.truth(walk.code, condition)
    return Value({number: walk.code.temporary(f"{first} if {test} else {second}")})
