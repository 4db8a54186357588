"""Functions of whole arrays in lowered code: which of them a call means, and the elementwise ones."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.lowering import array_ranks, array_reductions, functions
from nprewrite.lowering.array_making import MAKERS, number_of
from nprewrite.lowering.array_products import PRODUCTS
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.problems import not_followed
from nprewrite.lowering.values import Value, converted, truth
from nprewrite.numpy_api.elementwise import elementwise


def call(walk: ArrayWalk, node: ast.Call) -> Value | Elements | None:
    """The value of a call that takes or makes arrays; None for a function of numbers."""
    name, arguments = array_ranks.named(walk, node)
    if name is None or not (walk.is_array(node) or any(map(walk.is_array, arguments))):
        return None
    if any(isinstance(each, ast.Starred) for each in arguments):
        raise not_followed(node)
    kind = array_ranks.native(name)
    if kind in array_ranks.REDUCTIONS:
        return array_reductions.reduction(walk, kind, name, arguments, node)
    making = MAKERS.get(kind) or PRODUCTS.get(kind)
    if making is not None:
        return making(walk, name, arguments, node)
    if node.keywords or "." in name:
        raise not_followed(node)
    values = [walk.evaluate(each) for each in arguments]
    if kind == "chosen" and len(values) == 3:
        return walk.elementwise(values, lambda *each: _where(walk, each, node), node)
    if kind == "nearest" and len(values) == 1:
        return walk.elementwise(values, lambda each: functions.nearest(walk.code, each, node), node)
    found = elementwise(f"numpy.{name}")
    return walk.elementwise(
        values,
        lambda *each: functions.call(walk.code, f"numpy.{name}", each, node),
        node,
        slower=0.0 if found is not None and found[1].quick else 3.0,
    )


def _where(walk: ArrayWalk, values: Sequence[Value], node: ast.Call) -> Value:
    """One of two elements, in the dtype that both promote to."""
    condition, *chosen = values
    kinds = [each.only for each in chosen]
    if None in kinds:
        raise not_followed(node)
    operands = [each.dtype.type(0).item() if each.weak else each.dtype for each in kinds if each]
    number = number_of(np.result_type(*operands), node)
    first, second = (converted(walk.code, each, number.dtype) for each in chosen)
    test = truth(walk.code, condition)
    return Value({number: walk.code.temporary(f"{first} if {test} else {second}")})
