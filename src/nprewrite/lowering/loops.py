"""What an iteration starts with: the types and the ranges of the names that the loop sets."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nprewrite.lowering.environment import Environment, Memory, Range, variable
from nprewrite.lowering.forms import Bound, Form
from nprewrite.lowering.numbers import UNSET, Number
from nprewrite.lowering.values import Code, Value

MOST_TRIPS = 2**50
"""No loop makes more trips: they would take more than ten days."""


@dataclass
class Head:
    """A loop that is being walked: its number, what held before it, and what each iteration starts with."""

    number: int
    entry: Environment
    start: Environment
    trips: int
    modified: tuple[str, ...]
    continued: list[Environment]
    broken: list[Environment]


def modified_names(loop: ast.For | ast.While) -> tuple[str, ...]:
    """The names that a loop may set."""
    return tuple(dict.fromkeys(_stored(loop)))


def _stored(loop: ast.AST) -> Iterator[str]:
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def enter(
    loop: ast.For | ast.While, number: int, entry: Environment, trips: Bound, code: Code, memory: Memory
) -> Head:
    """The head of a loop before its first iteration; ``trips`` bounds their number."""
    most = min(int(trips) if math.isfinite(trips) else MOST_TRIPS, MOST_TRIPS)
    modified = modified_names(loop)
    start = dict(entry)
    for name in modified:
        before = entry.get(name)
        memory.add_types(number, name, before.codes if before is not None else (UNSET,))
        known = memory.ranges.get((number, name))
        form = None if before is None or before.form is None else _ranged(before.form, known, most - 1, code)
        start[name] = variable(name, _in_order(memory.types[number, name]), form, code, memory)
    return Head(number, entry, start, most, modified, [], [])


def _in_order(numbers: frozenset[Number]) -> list[Number]:
    return sorted(numbers, key=str)


def _ranged(entry: Form, known: Range | None, trips: int, code: Code) -> Form:
    """What a name can be after at most ``trips`` iterations, relative to what it was before if possible."""
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
            value = end.get(name)
            if value is None:
                memory.add_types(head.number, name, (UNSET,))
                continue
            memory.add_types(head.number, name, value.codes)
            _note(ranges.setdefault((head.number, name), Range()), value, head.start[name], code)


def _note(found: Range, value: Value, start: Value, code: Code) -> None:
    symbols = code.symbols
    if value.form is None or start.form is None:
        found.include((-math.inf, math.inf), (-math.inf, math.inf))
        return
    moved = value.form.minus(start.form)
    bounds = symbols.lower(value.form), symbols.upper(value.form)
    found.include(bounds, (symbols.lower(moved), symbols.upper(moved)))


def after(head: Head, ends: list[Environment], code: Code, memory: Memory, *, surely: bool) -> Environment:
    """What holds when a counted loop has made all its trips; ``surely`` says that there is at least one."""
    found = dict(head.start)
    for name in head.modified:
        before, known = head.entry.get(name), memory.ranges.get((head.number, name))
        form = (
            None if before is None or before.form is None else _ranged(before.form, known, head.trips, code)
        )
        numbers: Iterable[Number] = head.start[name].codes
        if surely and ends:
            last = [end[name].codes if name in end else (UNSET,) for end in ends]
            numbers = dict.fromkeys(number for each in last for number in each)
            if before is None and known is not None:
                form = code.symbols.between(known.low, known.high)
        found[name] = variable(name, numbers, form, code, memory)
    return found
