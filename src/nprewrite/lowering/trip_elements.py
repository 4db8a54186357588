"""What the trips of a ``for`` loop take: numbers of a range or of the text, elements and rows of arrays."""

from __future__ import annotations

import ast
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

from nprewrite.base.syntax import names_bound
from nprewrite.lowering import iterables, list_rows, lists, map_keys, maps, operators
from nprewrite.lowering.array_expressions import ArrayExpressions
from nprewrite.lowering.arrays import LONGEST, ArrayValue, array_value
from nprewrite.lowering.elements import Elements, elements_of
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Bound, Form, Symbols
from nprewrite.lowering.held_lists import HeldList, held_by, is_empty
from nprewrite.lowering.interrupts import Span
from nprewrite.lowering.numbers import INT, limits
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.row_uses import numbered
from nprewrite.lowering.values import Ending, Value, one_of


class Trips(ArrayExpressions, ABC):
    """A walk that writes the trips of loops."""

    @abstractmethod
    def take(self, target: ast.expr, value: Value | Elements | Sequence[Value]) -> None:
        """Store what a trip of a loop takes; a row, or an item of several numbers, is unpacked into names."""

    @abstractmethod
    def counted(
        self, node: ast.For, counter: str, span: Span, trips: Bound, least: Bound, count: Callable[[], None]
    ) -> None:
        """A loop of ``counter`` over a range, whose body begins with what ``count`` writes."""


def over_arrays(walk: Trips, node: ast.For, taken: iterables.Elements) -> None:
    """``for x in a``, ``for x, y in zip(a, b)``: elements are read when their trip begins."""
    arrays = [_list(walk, each, node) or _array(walk, each, node) for each in taken.arrays]
    lists_in = [each for each in arrays if isinstance(each, HeldList)]
    if any(_has_no_trips(is_empty(walk, each), node, "a list") for each in lists_in):
        return
    first = walk.value(taken.first) if taken.first is not None else None
    if first is not None and not all(number.is_integer for number in first.codes):
        raise NotNative("not-a-range", f"`{ast.unparse(node.iter)}` does not count from an integer", node)
    # The counter is Python's own integer, whatever the type of the first number.
    start = Value({INT: walk.integer(first)}, form=first.form) if first is not None else None
    counter = walk.code.fresh()
    shapes = [None if isinstance(each, HeldList) else each.array.shape for each in arrays]
    lengths = [None if each is None else each[0] for each in shapes]
    most = min((each for each in lengths if each is not None), default=math.inf)
    least = most if None not in lengths else 0
    formed = [each.lengths[0] for each in arrays if not isinstance(each, HeldList) and each.lengths]
    most = min([most, *map(walk.code.symbols.upper, formed)])

    def count() -> None:
        number = Value({INT: counter}, form=walk.code.symbols.between(0, most - 1))
        if taken.counter is not None:
            counted = operators.binary(walk.code, ast.Add(), start, number, node) if start else number
            walk.take(taken.counter, counted)
        parts = zip(taken.arrays, arrays, taken.targets, strict=True)
        values = [_taken(walk, *each, number) for each in parts]
        for target, value in zip(taken.targets, values, strict=True):
            walk.take(target, value)

    sizes = [_size(each) for each in arrays]
    trips = sizes[0] if len(sizes) == 1 else f"min({', '.join(sizes)})"
    walk.counted(node, counter, ("np.int64(0)", walk.code.temporary(trips), "1"), most, least, count)


def _has_no_trips(is_empty: bool, loop: ast.For, what: str) -> bool:
    """Whether a loop runs over nothing: what it runs over ``is_empty`` as far as this walk knows."""
    if is_empty and loop.orelse:
        raise NotNative("not-a-range", f"a loop over {what} that may be empty has an `else`", loop)
    return is_empty


def over_map(walk: Trips, node: ast.For, held: HeldList, part: str) -> None:
    """``for k in d``, ``for k, x in d.items()``: none of the trips puts anything into the dictionary."""
    if maps.changes(held.name, node, part):
        raise NotNative("not-a-range", f"the loop changes `{held.name}`", node)
    pair = isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2
    if part == "items" and not pair:
        raise NotNative("not-scalar", f"`{ast.unparse(node.target)}` is a key and what stands under it", node)
    targets = node.target.elts if part == "items" and isinstance(node.target, ast.Tuple) else [node.target]
    if part != "values":
        map_keys.guess_keys(walk, held, len(getattr(targets[0], "elts", "k")))
    if _has_no_trips(is_empty(walk, held), node, "a dictionary"):
        return
    takes_rows = walk.memory.lists[held.name].rows is not None and part != "keys"
    if takes_rows and not lists.is_name_of_row(walk, held, targets[-1]):
        raise NotNative("not-scalar", f"`{ast.unparse(targets[-1])}` is a list", node)
    counter = walk.code.fresh()

    def count() -> None:
        for target, value in zip(targets, maps.item_at(walk, held, counter, part), strict=True):
            walk.take(target, value)

    size = walk.code.temporary(f"{held.text}[1]")
    held.run_over += 1
    walk.counted(node, counter, ("np.int64(0)", size, "1"), math.inf, 0, count)
    held.run_over -= 1


def over_row(walk: Trips, node: ast.For, held: HeldList) -> None:
    """``for j in neighbours[i]``, ``for k, j in enumerate(neighbours[i])``, of a list in a list."""
    given, first = numbered(node.iter)
    row = list_rows.row_of(walk, held, given)
    size = walk.code.temporary(list_rows.length(walk, row).code)
    targets, start = [node.target], walk.value(first) if first is not None else None
    if first is not None:
        if not isinstance(node.target, ast.Tuple) or len(node.target.elts) != 2:
            raise NotNative("not-a-range", f"`{ast.unparse(node.target)}` is a number and an item", node)
        targets = node.target.elts
    counter = walk.code.fresh()

    def count() -> None:
        if start is not None:
            number = Value({INT: counter}, form=walk.code.symbols.between(0, LONGEST))
            walk.take(targets[0], operators.binary(walk.code, ast.Add(), start, number, node))
        values = list_rows.item_at(walk, row, counter)
        walk.take(targets[-1], values if len(values) > 1 else values[0])

    if _has_no_trips(list_rows.is_empty(walk, row), node, "a row"):
        return
    held.rows_run_over += 1
    walk.counted(node, counter, ("np.int64(0)", size, "1"), math.inf, 0, count)
    held.rows_run_over -= 1


def _list(walk: Trips, node: ast.expr, loop: ast.For) -> HeldList | None:
    """The list that a loop runs over, which grows or shrinks in none of its trips."""
    held = held_by(walk, node)
    if held is None:
        return None
    if held.name in lists.resized_in(loop, walk.resolve):
        raise NotNative("not-a-range", f"the loop changes the length of `{held.name}`", loop)
    held.reads = True
    return held


def _size(held: ArrayValue | HeldList) -> str:
    return f"{held.text}[1]" if isinstance(held, HeldList) else f"{held.text}.shape[0]"


def _array(walk: Trips, node: ast.expr, loop: ast.For) -> ArrayValue:
    """The array that a loop runs over, as it is when the loop begins."""
    named = walk.held(node.id) if isinstance(node, ast.Name) else None
    if named is None:
        held = _part(walk, node)
        if held is None:
            raise NotNative("not-a-range", f"the loop runs over `{ast.unparse(loop.iter)}`", loop)
        return replace(held, text=walk.code.temporary(held.text))
    assert isinstance(node, ast.Name)
    if node.id in names_bound(loop):
        text = f"`{node.id}` gets another array while the loop runs over it"
        raise NotNative("not-scalar", text, loop)
    return named


def _part(walk: Trips, node: ast.expr) -> ArrayValue | None:
    """A part of an array; one whose rank only a call tells is treated as having one axis."""
    if walk.is_array(node):
        return walk.solid(node)
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=low, upper=high, step=step)):
            held = walk.held(name)
            if held is None:
                return None
            for each in (low, high, step):
                if each is not None:
                    walk.value(each)
            lengths = (unknown_length(walk.code),)
            return array_value(held.text, held.array.element, lengths, held.roots)
    return None


def row_of(walk: Trips, node: ast.expr) -> Elements | None:
    """The row ``x[i]``, also if only a call tells the rank of ``x``; None for anything else."""
    if walk.is_array(node):
        return walk.elements(node)
    match node:
        case ast.Subscript(value=ast.Name(id=base)):
            held = walk.held(base)
            if held is not None and held.lengths is None:
                text = walk.code.temporary(f"{held.text}[{walk.positions(*walk.place(node), node)}]")
                row = array_value(text, held.array.element, (unknown_length(walk.code),), held.roots)
                return elements_of(walk.code, row)
    return None


def _taken(
    walk: Trips, node: ast.expr, held: ArrayValue | HeldList, target: ast.expr, number: Value
) -> Value | Elements | Sequence[Value]:
    """An element of an array of one axis or an item of a list, else a row; what is unpacked is a row."""
    if isinstance(held, HeldList):
        return lists.taken(walk, held, number.code, target)
    text = f"{held.text}[np.uint64({number.code})]"
    unpacks = isinstance(target, ast.Tuple | ast.List)
    if held.array.rank == 1 or (held.array.rank is None and not unpacks):
        element = held.array.element
        form = walk.element_form(node.id, [number]) if isinstance(node, ast.Name) else None
        if form is None and element.dtype.kind in "iub":
            form = walk.code.symbols.between(*limits(element))
        return Value({element: walk.code.temporary(text)}, form=form)
    lengths = held.lengths[1:] if held.lengths is not None else (unknown_length(walk.code),)
    row = array_value(walk.code.temporary(text), held.array.element, lengths, held.roots)
    return elements_of(walk.code, row)


def unpacked(walk: Trips, row: Elements, count: int, node: ast.AST) -> list[Value]:
    """The elements of a row for ``count`` names; a row of another length raises."""
    if row.rank != 1:
        raise NotNative("not-scalar", "the rows of an array are unpacked", node)
    walk.code.node = node
    check_count(walk, row, count, f"{'_, ' * count}= np.empty(_0)")
    return [row.at([str(position)]) for position in range(count)]


def check_count(walk: Trips, row: Elements, count: int, raising: str | None = None) -> None:
    """End the loop if a row does not have ``count`` elements; ``raising`` is an operation on their number."""
    (length,) = row.lengths
    if length.form != Form(count):
        ending: Ending = Operation(raising, ((INT, length.text),)) if raising is not None else Event.REPLAY
        walk.code.end_if(f"{length.text} != {count}", ending)


def over_numbers(walk: Trips, node: ast.For, given: Sequence[ast.expr]) -> None:
    """``for dx, dy in ((0, 1), (1, 0))``: all are computed before the first trip."""
    targets = [*node.target.elts] if isinstance(node.target, ast.Tuple) else [node.target]
    rows = [_numbers(walk, each, node) for each in given]
    if any(len(each) != len(targets) for each in rows):
        raise NotNative("not-a-range", f"the loop runs over `{ast.unparse(node.iter)}`", node)
    counter = walk.code.fresh()

    def count() -> None:
        for target, column in zip(targets, zip(*rows, strict=True), strict=True):
            walk.take(target, _picked(walk, counter, column))

    walk.counted(node, counter, ("0", str(len(rows)), "1"), len(rows), len(rows), count)


def _numbers(walk: Trips, node: ast.expr, loop: ast.For) -> list[Value]:
    parts = [node]
    if isinstance(loop.target, ast.Tuple) and isinstance(node, ast.Tuple | ast.List):
        parts = node.elts
    return [walk.kept_number(walk.value(each)) for each in parts]


def _picked(walk: Trips, counter: str, values: Sequence[Value]) -> Value:
    """The number at position ``counter`` among some numbers."""
    symbols = walk.code.symbols
    if all(each == values[0] for each in values):
        return values[0]
    forms = [each.form for each in values if each.form is not None]
    if len(forms) < len(values):
        return one_of(walk.code, counter, values, None)
    form = symbols.between(min(map(symbols.lower, forms)), max(map(symbols.upper, forms)))
    return one_of(walk.code, counter, values, form)


def over_range(walk: Trips, node: ast.For, arguments: list[Value]) -> None:
    """``for i in range(*arguments)``."""
    call, target = node.iter, node.target
    if not isinstance(target, ast.Name) or not 1 <= len(arguments) <= 3:
        raise NotNative("not-a-range", f"`{ast.unparse(call)}` with this loop variable", node)
    zero, one = (Value({INT: f"np.int64({each})"}, form=Form(each)) for each in (0, 1))
    start, stop, step = [zero, *arguments, one] if len(arguments) == 1 else [*arguments, one][:3]
    if not all(number.dtype.kind in "iub" for each in (start, stop, step) for number in each.codes):
        raise NotNative("not-a-range", f"`{ast.unparse(call)}` is not a range of integers", node)
    texts = [walk.code.temporary(walk.integer(each)) for each in (start, stop)]
    low, high, trips, least = _span(start, stop, step, walk.code.symbols)
    if step.form is None or step.form.terms:
        texts.append(walk.code.temporary(walk.integer(step)))
        walk.code.node = call
        walk.code.end_if(f"{texts[-1]} == 0", Operation("range(0, 1, _0)", ((INT, texts[-1]),)))
    else:
        if step.form.constant == 0:
            raise NotNative("not-a-range", f"`{ast.unparse(call)}` has a step of 0", node)
        texts.append(str(step.form.constant))
    counter = walk.code.fresh()

    def count() -> None:
        walk.take(target, Value({INT: counter}, form=walk.code.symbols.new(low, high)))

    walk.counted(node, counter, (texts[0], texts[1], texts[2]), trips, least, count)


def _span(
    start: Value, stop: Value, step: Value, symbols: Symbols
) -> tuple[Form | None, Form | None, Bound, Bound]:
    """The least and greatest value of the loop variable, and the most and fewest trips."""
    first, last = start.form, stop.form
    if first is None or last is None or step.form is None:
        return None, None, math.inf, 0
    if step.form.terms or not step.form.constant:
        low = symbols.between(min(symbols.lower(first), symbols.lower(last)), math.inf)
        high = symbols.between(-math.inf, max(symbols.upper(first), symbols.upper(last)))
        return low, high, max(symbols.upper(last.minus(first)), symbols.upper(first.minus(last)), 0), 0
    by = step.form.constant
    distance = last.minus(first) if by > 0 else first.minus(last)
    most, least = (_ceiling(each, abs(by)) for each in (symbols.upper(distance), symbols.lower(distance)))
    if by > 0:
        return first, last.plus(Form(-1)), max(0, most), least
    return last.plus(Form(1)), first, max(0, most), least


def _ceiling(length: Bound, step: int) -> Bound:
    return -(-int(length) // step) if math.isfinite(length) else length
