"""What an iteration starts with: the types and ranges of the names that the loop sets."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from dataclasses import dataclass

from nprewrite.base.syntax import names_bound
from nprewrite.lowering.arrays import UNCLEAR, ArrayValue, MaybeArray, Unclear, array_value
from nprewrite.lowering.environment import (
    Environment,
    Memory,
    Range,
    alike,
    joined,
    unknown_length,
    variable,
)
from nprewrite.lowering.forms import Bound, Form
from nprewrite.lowering.numbers import UNSET, Number
from nprewrite.lowering.values import Code, Value

MOST_TRIPS = 2**50
"""No loop makes more trips: they would take more than ten days."""


@dataclass
class Head:
    """A loop being walked: its number, what held before it, and what each iteration starts with."""

    number: int
    entry: Environment
    start: Environment
    trips: int
    modified: tuple[str, ...]
    continued: list[Environment]
    broken: list[Environment]


def enter(
    loop: ast.For | ast.While, number: int, entry: Environment, trips: Bound, code: Code, memory: Memory
) -> Head:
    """The head of a loop before its first iteration; ``trips`` bounds their number."""
    most = min(int(trips) if math.isfinite(trips) else MOST_TRIPS, MOST_TRIPS)
    modified = names_bound(loop)
    start = dict(entry)
    for name in modified:
        before = entry.get(name)
        if isinstance(before, MaybeArray) or (number, name) in memory.optional:
            memory.make_optional(number, name, [before], code)
        if (number, name) in memory.optional and (number, name) not in memory.mixed:
            start[name] = memory.optional[number, name]
            continue
        if isinstance(before, ArrayValue | Unclear) or (number, name) in memory.mixed:
            start[name] = UNCLEAR
            if isinstance(before, ArrayValue) and (number, name) not in memory.mixed:
                start[name] = _carried(number, name, before, code, memory)
            continue
        memory.add_types(number, name, before.codes if before is not None else (UNSET,))
        known = memory.ranges.get((number, name))
        form = None if before is None or before.form is None else _ranged(before.form, known, most - 1, code)
        start[name] = variable(name, sorted(memory.types[number, name], key=str), form, code, memory)
    return Head(number, entry, start, most, modified, [], [])


def _carried(loop: int, name: str, before: ArrayValue, code: Code, memory: Memory) -> ArrayValue:
    """The array that a name has at the start of any iteration, if it has ``before`` in the first."""
    if (loop, name) not in memory.views or before.lengths is None:
        return before
    lengths = [
        unknown_length(code) if (loop, name, axis) in memory.varying else each
        for axis, each in enumerate(before.lengths)
    ]
    roots = before.roots | memory.views[loop, name]
    return array_value(before.text, before.array.element, tuple(lengths), roots)


def _ranged(entry: Form, known: Range | None, trips: int, code: Code) -> Form:
    """What a name can be after at most ``trips`` iterations, if possible relative to what it was before."""
    symbols = code.symbols
    if known is None:
        return symbols.between(-math.inf, math.inf)
    low, high = min(symbols.lower(entry), known.low), max(symbols.upper(entry), known.high)
    floor = _moved(entry, min(0, known.least_step), trips)
    ceiling = _moved(entry, max(0, known.greatest_step), trips)
    if floor is None or symbols.lower(floor) < low:
        floor = Form(int(low)) if math.isfinite(low) else None
    if ceiling is None or symbols.upper(ceiling) > high:
        ceiling = Form(int(high)) if math.isfinite(high) else None
    return symbols.new(floor, ceiling)


def _moved(entry: Form, step: Bound, trips: int) -> Form | None:
    return entry.plus(Form(int(step) * trips)) if math.isfinite(step) else None


def leave_iteration(
    head: Head, ends: list[Environment], code: Code, memory: Memory, *, ranges: dict[tuple[int, str], Range]
) -> None:
    """Note what the ways to end an iteration leave for the next."""
    for name in head.modified:
        for end in ends:
            value, start = end.get(name), head.start[name]
            if isinstance(value, ArrayValue) and isinstance(start, ArrayValue) and alike(value, start):
                if value != start:
                    memory.hand_on(head.number, name, start, value, code)
                continue
            if isinstance(value, ArrayValue | Unclear) or isinstance(start, ArrayValue | Unclear):
                memory.make_optional(head.number, name, [start, value], code)
                continue
            if value is None:
                memory.add_types(head.number, name, (UNSET,))
                continue
            memory.add_types(head.number, name, value.codes)
            _note(ranges.setdefault((head.number, name), Range()), value, start, code)


def _note(found: Range, value: Value, start: Value, code: Code) -> None:
    symbols = code.symbols
    if value.form is None or start.form is None:
        found.include((-math.inf, math.inf), (-math.inf, math.inf))
        return
    moved = value.form.minus(start.form)
    bounds = symbols.lower(value.form), symbols.upper(value.form)
    found.include(bounds, (symbols.lower(moved), symbols.upper(moved)))


def _arrays(name: str, ends: list[Environment]) -> list[ArrayValue]:
    """The arrays of a name at the ends of an iteration; none if it may hold something else."""
    found = [each for end in ends if isinstance(each := end.get(name), ArrayValue)]
    return found if len(found) == len(ends) else []


def after(head: Head, ends: list[Environment], code: Code, memory: Memory, *, surely: bool) -> Environment:
    """What holds when a counted loop has made all its trips; ``surely`` says that there is at least one."""
    found = dict(head.start)
    for name in head.modified:
        before, known = head.entry.get(name), memory.ranges.get((head.number, name))
        start = head.start[name]
        if isinstance(start, ArrayValue | Unclear):
            only = joined([{name: each} for each in _arrays(name, ends)], code, memory) if surely else None
            found.update(only or {})
            continue
        form = (
            None if before is None or before.form is None else _ranged(before.form, known, head.trips, code)
        )
        numbers: Iterable[Number] = start.codes
        if surely and ends:
            last = [end[name].codes if name in end else (UNSET,) for end in ends]
            numbers = dict.fromkeys(number for each in last for number in each)
            if before is None and known is not None:
                form = code.symbols.between(known.low, known.high)
        found[name] = variable(name, numbers, form, code, memory)
    return found
