"""What lowered code looks for in arrays: places of elements that are true, in order, and between points."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.lowering.array_making import named_arguments, number_of
from nprewrite.lowering.array_ranks import is_first_positions, named
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import LONGEST, ArrayValue
from nprewrite.lowering.elements import (
    Elements,
    check_equal,
    elements_of,
    in_dtype,
    in_memory,
    strong,
    true_count,
    where_true,
)
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import INT, NUMPY
from nprewrite.lowering.problems import Event, not_followed
from nprewrite.lowering.values import Value, converted

_INT64, _FLOAT64 = NUMPY["int64"], NUMPY["float64"]
_COUNTED = _INT64 if isinstance(np.count_nonzero(()), np.integer) else INT
"""What a count is: an integer of Python's in earlier versions of NumPy."""


def first_positions(walk: ArrayWalk, node: ast.Subscript) -> Elements:
    """``np.where(test)[0]``, ``np.nonzero(x)[1]``: where the elements that are true stand on an axis."""
    assert is_first_positions(walk, node)
    assert isinstance(node.value, ast.Call)
    axis = ast.literal_eval(node.slice)
    _, (tested,) = named(walk, node.value)
    return _positions(walk, tested, axis, node.value)


def _flat_positions(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.flatnonzero`` of a vector."""
    if len(arguments) != 1 or node.keywords or walk.rank(arguments[0]) != 1:
        raise not_followed(node)
    return _positions(walk, arguments[0], 0, node)


def _positions(walk: ArrayWalk, given: ast.expr, axis: int, node: ast.Call) -> Elements:
    code = walk.code
    tests = elements_of(code, walk.solid(given))
    if not 0 <= axis < tests.rank:
        raise not_followed(node)
    held = where_true(code, tests, _INT64, lambda indices: indices[axis])
    walk.account(tests.lengths, 0.3)
    view = elements_of(code, held)
    last = tests.lengths[axis].form.plus(Form(-1))

    def at(indices: Sequence[str]) -> Value:
        return Value({_INT64: view.at(indices).code}, form=code.symbols.new(Form(0), last))

    return Elements(view.lengths, at, held)


def _trues(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """``np.count_nonzero``."""
    if len(arguments) != 1 or node.keywords:
        raise not_followed(node)
    whole = walk.elements(arguments[0])
    walk.account(whole.lengths, 0.1)
    count = true_count(walk.code, whole)
    return Value({_COUNTED: count}, form=walk.code.symbols.between(0, LONGEST))


def _place(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value | Elements:
    """``np.searchsorted``: the first place, or the last one, at which an element would keep the order."""
    given = named_arguments(["a", "v", "side"], arguments, node)
    side = given.get("side", ast.Constant("left"))
    if not isinstance(side, ast.Constant) or side.value not in ("left", "right"):
        raise not_followed(node)
    order, found = walk.solid(given["a"]), walk.evaluate(given["v"])
    wanted = in_memory(walk.code, found) if isinstance(found, Elements) else found
    if order.array.rank != 1:
        raise not_followed(node)
    sought = wanted.array.element if isinstance(wanted, ArrayValue) else strong(wanted)
    kinds = order.array.element, sought
    common = np.result_type(*(each.dtype for each in kinds))
    if common not in (np.dtype("float64"), np.dtype("int64")):
        raise not_followed(node)
    number = number_of(common, node)
    held = in_dtype(walk.code, order, number)
    assert held.lengths is not None
    form = walk.code.symbols.new(Form(0), held.lengths[0])

    def place(value: Value) -> Value:
        element = converted(walk.code, value, number.dtype)
        text = f"place_of({held.text}, {element}, {side.value == 'right'})"
        return Value({_INT64: walk.code.temporary(text)}, form=form)

    if isinstance(wanted, ArrayValue):
        return walk.elementwise([elements_of(walk.code, wanted)], place, node)
    walk.account((), 0.0)
    return place(wanted)


def _interpolated(
    walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call
) -> Value | Elements:
    """``np.interp``, in the order of NumPy's operations."""
    if len(arguments) != 3 or node.keywords:
        raise not_followed(node)
    wanted = walk.evaluate(arguments[0])
    known = [in_dtype(walk.code, walk.solid(each), _FLOAT64) for each in arguments[1:]]
    if any(each.array.rank != 1 for each in known):
        raise not_followed(node)
    lengths = [elements_of(walk.code, each).lengths[0] for each in known]
    check_equal(walk.code, *lengths)
    # NumPy raises.
    walk.code.end_if(f"{lengths[0].text} < 1", Event.REPLAY)
    walk.code.rounds = True

    def one(value: Value) -> Value:
        sought = converted(walk.code, value, _FLOAT64.dtype)
        text = f"interpolated({sought}, {known[0].text}, {known[1].text})"
        return Value({_FLOAT64: walk.code.temporary(text)})

    if isinstance(wanted, Value):
        walk.account((), 0.0)
        return one(wanted)
    return walk.elementwise([wanted], one, node)


SEARCHES: dict[str, Callable[..., Value | Elements]] = {
    "positions": _flat_positions,
    "trues": _trues,
    "insertion": _place,
    "interpolated": _interpolated,
}
