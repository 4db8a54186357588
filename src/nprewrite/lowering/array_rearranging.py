"""Arrays in lowered code that are moved, joined, repeated, sorted and added up, and places that are found.

Axes are followed as far as numbers that are written out name them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.lowering import operators
from nprewrite.lowering.array_making import displayed, listed, number_of
from nprewrite.lowering.array_ranks import is_first_positions, named
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import LONGEST, ArrayValue, array_value
from nprewrite.lowering.elements import (
    ONE,
    Elements,
    Length,
    check_equal,
    elements_of,
    flattened,
    fresh_array,
    materialised,
    over,
    strong,
    subscript,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import INT, NUMPY, Number
from nprewrite.lowering.problems import Event, not_followed
from nprewrite.lowering.values import Value, cast_to, converted, truth

_INT64, _FLOAT64 = NUMPY["int64"], NUMPY["float64"]
_COUNTED = _INT64 if isinstance(np.count_nonzero(()), np.integer) else INT
"""What a count is: an integer of Python's in earlier versions of NumPy."""


def _given(names: str, arguments: Sequence[ast.expr], node: ast.Call) -> dict[str, ast.expr]:
    """The arguments by their names, as far as they are among ``names``."""
    known = names.split()
    given = dict(zip(known, arguments, strict=False))
    given |= {each.arg or "": each.value for each in node.keywords}
    if len(arguments) > len(known) or not given.keys() <= {*known}:
        raise not_followed(node)
    return given


def _axis(given: ast.expr | None, rank: int, node: ast.Call, default: int | None) -> int | None:
    """The axis that is written out, counted from the first one."""
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return default
    try:
        axis = ast.literal_eval(given)
    except ValueError:
        raise not_followed(node) from None
    if type(axis) is not int or not -rank <= axis < rank:
        raise not_followed(node)
    return axis % rank


def _whole_number(walk: ArrayWalk, given: ast.expr, node: ast.Call) -> str:
    """The code of an integer."""
    value = walk.value(given)
    if value.only is None or not value.only.is_integer:
        raise not_followed(node)
    return walk.code.temporary(walk.integer(value))


def _with(indices: Sequence[str], axis: int, index: str) -> list[str]:
    return [*indices[:axis], index, *indices[axis + 1 :]]


def _rolled(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.roll`` along one axis."""
    given = _given("a shift axis", arguments, node)
    whole = elements_of(walk.code, walk.solid(given["a"]))
    axis = _axis(given.get("axis"), whole.rank, node, 0 if whole.rank == 1 else None)
    if axis is None:
        raise not_followed(node)
    length = whole.lengths[axis].text
    shift = _whole_number(walk, given["shift"], node)
    by = walk.code.temporary(f"{shift} % {length} if {length} > 0 else np.int64(0)")
    walk.account(whole.lengths, 0.3)

    def at(indices: Sequence[str]) -> Value:
        place = walk.code.temporary(f"np.int64({indices[axis]}) - {by}")
        source = walk.code.temporary(f"{place} + {length} if {place} < 0 else {place}")
        return whole.at(_with(indices, axis, source))

    return Elements(whole.lengths, at)


def _turned(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.flip`` along one axis, a view."""
    given = _given("m axis" if name == "flip" else "m", arguments, node)
    whole = walk.elements(given["m"])
    if name == "flip":
        axis = _axis(given.get("axis"), whole.rank, node, 0 if whole.rank == 1 else None)
    else:
        axis = 0 if name == "flipud" else 1
    if axis is None or axis >= whole.rank:
        raise not_followed(node)
    slices = ", ".join("::-1" if each == axis else ":" for each in range(whole.rank))
    held = whole.kept or materialised(walk.code, whole)
    assert held.lengths is not None
    view = walk.code.temporary(f"{held.text}[{slices}]")
    return elements_of(walk.code, array_value(view, held.array.element, held.lengths, held.roots))


def _differences(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.diff`` along one axis, once."""
    given = _given("a n axis", arguments, node)
    if ast.unparse(given.get("n", ast.Constant(1))) != "1":
        raise not_followed(node)
    whole = elements_of(walk.code, walk.solid(given["a"]))
    axis = _axis(given.get("axis"), whole.rank, node, whole.rank - 1)
    assert axis is not None
    assert whole.kept is not None
    if whole.kept.array.element.dtype.kind == "b":
        raise not_followed(node)
    lengths = [*whole.lengths]
    long = walk.code.symbols.lower(lengths[axis].form) > 0
    text = walk.code.temporary(f"max({lengths[axis].text} - 1, 0)")
    lengths[axis] = Length(text, lengths[axis].form.plus(Form(-1)) if long else unknown_length(walk.code))
    walk.account(lengths, 0.3)

    def at(indices: Sequence[str]) -> Value:
        later = walk.code.temporary(f"np.int64({indices[axis]}) + 1")
        pair = whole.at(_with(indices, axis, later)), whole.at(indices)
        return operators.binary(walk.code, ast.Sub(), *pair, node)

    return Elements(tuple(lengths), at)


def _joined(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.concatenate``, ``np.hstack``, ``np.vstack``, ``np.append``: arrays one after the other."""
    code = walk.code
    given = _given("parts values" if name == "append" else "parts axis", arguments, node)
    if name == "append":
        written = [given["parts"], given["values"]]
    elif isinstance(given["parts"], ast.Tuple | ast.List):
        written = given["parts"].elts
    else:
        raise not_followed(node)
    held = [_part(walk, each, name, node) for each in written]
    parts = [elements_of(code, each) for each in held]
    rank = max(each.rank for each in parts)
    if name in ("concatenate", "stack") and _axis(given.get("axis"), rank, node, 0) != 0:
        raise not_followed(node)
    if name in ("stack", "vstack"):
        parts = [_row(each) if name == "stack" or each.rank == 1 else each for each in parts]
        rank = max(each.rank for each in parts)
    flat = (name == "append" or name == "hstack") and rank > 1
    if flat or len({each.rank for each in parts}) != 1:
        raise not_followed(node)
    for axis in range(1, rank):
        for other in parts[1:]:
            check_equal(code, parts[0].lengths[axis], other.lengths[axis])
    first = _sum_of(walk, [each.lengths[0] for each in parts])
    number = number_of(np.result_type(*(each.array.element.dtype for each in held)), node)
    lengths = (first, *parts[0].lengths[1:])
    walk.account(lengths, 0.3)
    made, position, offset = code.fresh(), len(code.lines), code.temporary("np.int64(0)")
    for each in parts:
        _copy_behind(walk, each, made, offset, number)
        code.line(f"{offset} += {each.lengths[0].text}")
    return elements_of(code, fresh_array(code, lengths, position, number, made))


def _copy_behind(walk: ArrayWalk, part: Elements, made: str, offset: str, number: Number) -> None:
    """Store a part behind what is there."""
    code = walk.code

    def one(indices: list[str]) -> None:
        text = cast_to(code, part.at(indices), number.dtype)
        code.line(f"{made}[{subscript([f'{offset} + {indices[0]}', *indices[1:]])}] = {text}")

    over(code, part.lengths, one)


def _part(walk: ArrayWalk, written: ast.expr, name: str, node: ast.Call) -> ArrayValue:
    """An array, a display of numbers, or a number, in memory."""
    if isinstance(written, ast.List | ast.Tuple):
        return displayed(walk, written, None, node)
    value = walk.evaluate(written)
    if isinstance(value, Elements):
        return value.kept or materialised(walk.code, value)
    if name not in ("append", "hstack"):
        raise not_followed(node)
    return listed(walk, [value], (1,), strong(value))


def _row(part: Elements) -> Elements:
    return Elements((Length("np.int64(1)", ONE), *part.lengths), lambda indices: part.at(indices[1:]))


def _sum_of(walk: ArrayWalk, lengths: Sequence[Length]) -> Length:
    form = lengths[0].form
    for each in lengths[1:]:
        form = form.plus(each.form)
    return Length(walk.code.temporary(" + ".join(f"np.int64({each.text})" for each in lengths)), form)


def _running(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.cumsum`` and ``np.cumprod`` of all elements, one after the other as in NumPy."""
    given = _given("a axis", arguments, node)
    whole = walk.elements(given["a"])
    axis = _axis(given.get("axis"), whole.rank, node, None)
    if axis is not None and whole.rank > 1:
        raise not_followed(node)
    code = walk.code
    held = flattened(code, whole) if whole.rank > 1 else whole.kept or materialised(code, whole)
    row, element = elements_of(code, held), held.array.element
    number = NUMPY[element.kept] if element.dtype.kind == "f" else _INT64
    if element.dtype.kind == "u":
        raise not_followed(node)
    operator: ast.operator = ast.Add() if name == "cumsum" else ast.Mult()
    walk.account(row.lengths, 0.3)
    made, position = code.fresh(), len(code.lines)
    total = code.temporary(f"np.{number.kept}({int(name == 'cumprod')})")

    def one(indices: list[str]) -> None:
        pair = Value({number: total}), Value({number: converted(code, row.at(indices), number.dtype)})
        code.line(f"{total} = {operators.binary(code, operator, *pair, node).code}")
        code.line(f"{made}[{subscript(indices)}] = {total}")

    over(code, row.lengths, one)
    return elements_of(code, fresh_array(code, row.lengths, position, number, made))


def _sorted(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.sort`` of a vector."""
    if len(arguments) != 1 or node.keywords:
        raise not_followed(node)
    whole = walk.elements(arguments[0])
    if whole.rank != 1:
        raise not_followed(node)
    walk.account(whole.lengths, 20.0)
    held = materialised(walk.code, whole)
    # Which of two zeros comes first depends on how it sorts.
    walk.code.rounds |= held.array.element.dtype.kind == "f"
    walk.code.line(f"sort_in_place({held.text})")
    return elements_of(walk.code, held)


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
    count, place, made = code.temporary("np.int64(0)"), code.temporary("np.int64(0)"), code.fresh()

    def counted(indices: list[str]) -> None:
        with code.block(f"if {truth(code, tests.at(indices))}:"):
            code.line(f"{count} += 1")

    def taken(indices: list[str]) -> None:
        with code.block(f"if {truth(code, tests.at(indices))}:"):
            code.line(f"{made}[np.uint64({place})] = {indices[axis]}")
            code.line(f"{place} += 1")

    over(code, tests.lengths, counted)
    position = len(code.lines)
    held = fresh_array(code, [Length(count, unknown_length(code))], position, _INT64, made)
    over(code, tests.lengths, taken)
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
    count = walk.code.temporary("np.int64(0)")

    def one(indices: list[str]) -> None:
        with walk.code.block(f"if {truth(walk.code, whole.at(indices))}:"):
            walk.code.line(f"{count} += 1")

    over(walk.code, whole.lengths, one)
    return Value({_COUNTED: count}, form=walk.code.symbols.between(0, LONGEST))


def _place(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Value | Elements:
    """``np.searchsorted``: the first place, or the last one, at which an element would keep the order."""
    given = _given("a v side", arguments, node)
    side = given.get("side", ast.Constant("left"))
    if not isinstance(side, ast.Constant) or side.value not in ("left", "right"):
        raise not_followed(node)
    order, wanted = walk.solid(given["a"]), _in_memory(walk, walk.evaluate(given["v"]))
    if order.array.rank != 1:
        raise not_followed(node)
    sought = wanted.array.element if isinstance(wanted, ArrayValue) else strong(wanted)
    kinds = order.array.element, sought
    common = np.result_type(*(each.dtype for each in kinds))
    if common not in (np.dtype("float64"), np.dtype("int64")):
        raise not_followed(node)
    number = number_of(common, node)
    held = _as_type(walk, order, number)
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
    known = [_as_type(walk, walk.solid(each), _FLOAT64) for each in arguments[1:]]
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


def _repeated(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.tile(x, n)`` and ``np.repeat(x, n)`` of a vector."""
    if len(arguments) != 2 or node.keywords or walk.rank(arguments[0]) != 1:
        raise not_followed(node)
    row = elements_of(walk.code, walk.solid(arguments[0]))
    times = _whole_number(walk, arguments[1], node)
    walk.code.end_if(f"{times} < 0", Event.REPLAY)
    count = row.lengths[0].text
    length = Length(walk.code.temporary(f"{count} * {times}"), unknown_length(walk.code))
    walk.account([length], 0.3)
    source = f"% {count}" if name == "tile" else f"// {times}"

    def at(indices: Sequence[str]) -> Value:
        return row.at([walk.code.temporary(f"np.int64({indices[0]}) {source}")])

    return Elements((length,), at)


def _in_memory(walk: ArrayWalk, value: Value | Elements) -> Value | ArrayValue:
    return (value.kept or materialised(walk.code, value)) if isinstance(value, Elements) else value


def _as_type(walk: ArrayWalk, held: ArrayValue, number: Number) -> ArrayValue:
    """The array, or a copy with elements of another type."""
    if held.array.element.kept == number.kept:
        return held
    elements = elements_of(walk.code, held)

    def at(indices: Sequence[str]) -> Value:
        return Value({number: converted(walk.code, elements.at(indices), number.dtype)})

    return materialised(walk.code, Elements(elements.lengths, at))


REARRANGERS: dict[str, Callable[..., Value | Elements]] = {
    "rolled": _rolled,
    "turned": _turned,
    "differences": _differences,
    "joined": _joined,
    "running": _running,
    "sorted": _sorted,
    "positions": _flat_positions,
    "trues": _trues,
    "insertion": _place,
    "interpolated": _interpolated,
    "repeated": _repeated,
}
