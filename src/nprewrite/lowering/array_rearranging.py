"""Arrays in lowered code that are moved, joined, repeated, sorted and added up.

Axes are followed as far as numbers that are written out name them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from nprewrite.lowering import operators
from nprewrite.lowering.array_making import displayed, listed, named_arguments, number_of
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import ArrayValue, array_value
from nprewrite.lowering.elements import (
    ONE,
    Elements,
    Length,
    check_equal,
    elements_of,
    flattened,
    fresh_array,
    in_memory,
    materialised,
    over,
    strong,
    subscript,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import NUMPY, Number
from nprewrite.lowering.problems import Event, not_followed
from nprewrite.lowering.values import Value, cast_to, converted


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
    given = named_arguments(["a", "shift", "axis"], arguments, node)
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
    given = named_arguments(["m", *(["axis"] if name == "flip" else [])], arguments, node)
    whole = walk.elements(given["m"])
    if name == "flip":
        axis = _axis(given.get("axis"), whole.rank, node, 0 if whole.rank == 1 else None)
    else:
        axis = 0 if name == "flipud" else 1
    if axis is None or axis >= whole.rank:
        raise not_followed(node)
    slices = ", ".join("::-1" if each == axis else ":" for each in range(whole.rank))
    held = in_memory(walk.code, whole)
    assert held.lengths is not None
    view = walk.code.temporary(f"{held.text}[{slices}]")
    return elements_of(walk.code, array_value(view, held.array.element, held.lengths, held.roots))


def _differences(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.diff`` along one axis, once."""
    given = named_arguments(["a", "n", "axis"], arguments, node)
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
    """``np.concatenate``, ``np.hstack``, ``np.column_stack``, ``np.append``: arrays one after the other."""
    code = walk.code
    given = named_arguments(["parts", "values" if name == "append" else "axis"], arguments, node)
    if name == "append":
        written = [given["parts"], given["values"]]
    elif isinstance(given["parts"], ast.Tuple | ast.List):
        written = given["parts"].elts
    else:
        raise not_followed(node)
    held = [_part(walk, each, name, node) for each in written]
    parts = [elements_of(code, each) for each in held]
    rank = max(each.rank for each in parts)
    if name in ("stack", "vstack"):
        parts = [_row(each) if name == "stack" or each.rank == 1 else each for each in parts]
        if name == "stack" and _axis(given.get("axis"), rank + 1, node, 0) != 0:
            raise not_followed(node)
        rank = max(each.rank for each in parts)
    if name == "column_stack":
        parts = [_column(each) if each.rank == 1 else each for each in parts]
        rank = max(each.rank for each in parts)
    if len({each.rank for each in parts}) != 1 or (name == "append" and rank > 1):
        raise not_followed(node)
    axis = int(name in ("hstack", "column_stack") and rank > 1)
    if name == "concatenate":
        found = _axis(given.get("axis"), rank, node, 0)
        assert found is not None
        axis = found
    for each in (each for each in range(rank) if each != axis):
        for other in parts[1:]:
            check_equal(code, parts[0].lengths[each], other.lengths[each])
    whole = _sum_of(walk, [each.lengths[axis] for each in parts])
    number = number_of(np.result_type(*(each.array.element.dtype for each in held)), node)
    lengths = (*parts[0].lengths[:axis], whole, *parts[0].lengths[axis + 1 :])
    walk.account(lengths, 0.3)
    made, position, offset = code.fresh(), len(code.lines), code.temporary("np.int64(0)")
    for part in parts:
        _copy_behind(walk, part, made, axis, offset, number)
        code.line(f"{offset} += {part.lengths[axis].text}")
    return elements_of(code, fresh_array(code, lengths, position, number, made))


def _copy_behind(walk: ArrayWalk, part: Elements, made: str, axis: int, offset: str, number: Number) -> None:
    """Store a part behind what is there."""
    code = walk.code

    def one(indices: list[str]) -> None:
        text = cast_to(code, part.at(indices), number.dtype)
        place = _with(indices, axis, f"{offset} + {indices[axis]}")
        code.line(f"{made}[{subscript(place)}] = {text}")

    over(code, part.lengths, one)


def _part(walk: ArrayWalk, written: ast.expr, name: str, node: ast.Call) -> ArrayValue:
    """An array, a display of numbers, or a number, in memory."""
    if isinstance(written, ast.List | ast.Tuple):
        return displayed(walk, written, None, node)
    value = walk.evaluate(written)
    if isinstance(value, Elements):
        return in_memory(walk.code, value)
    if name not in ("append", "hstack"):
        raise not_followed(node)
    return listed(walk, [value], (1,), strong(value))


def _row(part: Elements) -> Elements:
    return Elements((Length("np.int64(1)", ONE), *part.lengths), lambda indices: part.at(indices[1:]))


def _column(part: Elements) -> Elements:
    return Elements((*part.lengths, Length("np.int64(1)", ONE)), lambda indices: part.at(indices[:1]))


def _sum_of(walk: ArrayWalk, lengths: Sequence[Length]) -> Length:
    form = lengths[0].form
    for each in lengths[1:]:
        form = form.plus(each.form)
    return Length(walk.code.temporary(" + ".join(f"np.int64({each.text})" for each in lengths)), form)


def _running(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.cumsum`` and ``np.cumprod`` of all elements, one after the other as in NumPy."""
    given = named_arguments(["a", "axis"], arguments, node)
    whole = walk.elements(given["a"])
    axis = _axis(given.get("axis"), whole.rank, node, None)
    if axis is not None and whole.rank > 1:
        raise not_followed(node)
    code = walk.code
    held = flattened(code, whole) if whole.rank > 1 else in_memory(code, whole)
    row, element = elements_of(code, held), held.array.element
    number = NUMPY[element.kept] if element.dtype.kind == "f" else NUMPY["int64"]
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


REARRANGERS: dict[str, Callable[..., Value | Elements]] = {
    "rolled": _rolled,
    "turned": _turned,
    "differences": _differences,
    "joined": _joined,
    "running": _running,
    "sorted": _sorted,
    "repeated": _repeated,
}
