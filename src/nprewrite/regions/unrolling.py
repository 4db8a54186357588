"""Loops of few known iterations over array code: what replaces the loop's variables in each of them.

    for i, cx in zip(range(9), cxs):
        F[:, :, i] = np.roll(F[:, :, i], cx, axis=1)

The directions of a lattice, the stages of a scheme and the colours of a board are written down in the
function, so that the iterations can be written as statements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.analysis.fixed_tables import Tables, number_of
from nprewrite.analysis.lanewise import is_everything
from nprewrite.analysis.liveness import live_after
from nprewrite.analysis.memory import Memory
from nprewrite.base.syntax import items_of, stored_names
from nprewrite.program.function import Function
from nprewrite.types.array_functions import literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

MOST_TRIPS = 32
"""Longer loops should not be unrolled, by a compiler either."""

MOST_STATEMENTS = 120
"""More statements take seconds to compile."""

Trip = Mapping[str, ast.expr]
"""What replaces each of the loop's variables."""


@dataclass(frozen=True)
class Stack:
    """An array of which each iteration uses a part, ``target``, and all of them all parts along ``axis``."""

    array: str
    target: str
    axis: int


@dataclass(frozen=True)
class Unrolling:
    """A loop, what replaces its variables in each iteration, and which arrays can be stacked at the end."""

    loop: ast.For
    trips: tuple[Trip, ...]
    stacks: tuple[Stack, ...]
    tables: Tables


def unrolling(loop: ast.For, function: Function) -> Unrolling | Problem | None:
    """The iterations of a loop inside another; None where they are unknown, or do not compute with arrays."""
    if not function.loops_around(loop) or not any(_computes_arrays(each, function) for each in loop.body):
        return None
    tables = Tables(loop, function)
    trips = _trips(loop, tables, function)
    if trips is None:
        return None
    if not 0 < len(trips) <= MOST_TRIPS or len(trips) * len(loop.body) > MOST_STATEMENTS:
        text = f"unrolled, the loop would be {len(trips) * len(loop.body)} statements"
        return Problem("too-many-statements", text, loop)
    problem = _problem(loop, function)
    return problem or Unrolling(loop, tuple(trips), tuple(_stacks(loop, trips, tables, function)), tables)


def _problem(loop: ast.For, function: Function) -> Problem | None:
    """Why the iterations cannot be written one after the other."""
    if loop.orelse:
        return Problem("loop-control", "the loop has an `else`", loop)
    other = next((each for each in loop.body if not isinstance(each, ast.Assign | ast.AugAssign)), None)
    if other is not None:
        text = f"`{ast.unparse(other).splitlines()[0]}` is neither an assignment nor a store"
        return Problem("not-array-code", text, other)
    names = stored_names(loop.target)
    scopes = [each for each in ast.walk(loop) if isinstance(each, ast.Lambda | ast.comprehension)]
    if scopes:
        return Problem("closure", "the loop defines a function or comprehension", loop)
    bound = names & stored_names(*loop.body)
    if bound:
        return Problem("loop-variable-rebound", f"`{min(bound)}` is bound in the loop", loop)
    live = next((each for each in sorted(names) if live_after(each, loop, function)), None)
    if live is not None:
        return Problem("loop-variable-live", f"`{live}` is used after the loop", loop)
    return None


def _computes_arrays(statement: ast.stmt, function: Function) -> bool:
    """Whether an operation of a statement takes a whole array."""
    nodes = (each for each in ast.walk(statement) if isinstance(each, ast.BinOp | ast.Call))
    operands = (
        operand
        for each in nodes
        for operand in ([each.left, each.right] if isinstance(each, ast.BinOp) else each.args)
    )
    return any(isinstance(function.facts.value(each), Array) for each in operands)


def _trips(loop: ast.For, tables: Tables, function: Function) -> list[Trip] | None:
    elements = _elements(loop.iter, tables, function)
    if elements is None:
        return None
    trips: list[Trip] = [dict(_bound(loop.target, each)) for each in elements]
    names = stored_names(loop.target)
    return trips if all(trip.keys() == names for trip in trips) else None


def _bound(target: ast.expr, element: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, element:
        case ast.Name(id=name), _:
            yield name, element
        case ast.Tuple(elts=targets), ast.Tuple(elts=elements) | ast.List(elts=elements) if len(
            targets
        ) == len(elements):
            for inner, each in zip(targets, elements, strict=True):
                yield from _bound(inner, each)


def _elements(node: ast.expr, tables: Tables, function: Function) -> list[ast.expr] | None:
    """The expressions that a loop over ``node`` takes."""
    match node:
        case ast.Tuple() | ast.List() | ast.Name():
            return tables.elements(node)
        case ast.Call(func=called, args=arguments, keywords=[]):
            name = function.dotted(called)
        case _:
            return None
    if name == "builtins.range":
        return _numbers(arguments, tables, function)
    found = [_elements(each, tables, function) for each in arguments]
    known = [each for each in found if each is not None]
    if len(known) < len(found) or not known:
        return None
    if name == "builtins.enumerate" and len(known) == 1:
        known.insert(0, [number_of(each) for each in range(len(known[0]))])
    elif name != "builtins.zip":
        return None
    return [ast.Tuple([*each], ast.Load()) for each in zip(*known, strict=False)]


def _numbers(arguments: Sequence[ast.expr], tables: Tables, function: Function) -> list[ast.expr] | None:
    bounds = [_bound_of_range(each, tables, function) for each in arguments]
    whole = [each for each in bounds if each is not None]
    if len(whole) < len(bounds) or not 1 <= len(whole) <= 3 or whole[2:] == [0]:
        return None
    trips = range(*whole)
    return [number_of(each) for each in trips] if len(trips) <= 10 * MOST_TRIPS else None


def _bound_of_range(node: ast.expr, tables: Tables, function: Function) -> int | None:
    match node:
        case ast.Call(func=called, args=[ast.Name() as table]) if function.dotted(called) == "builtins.len":
            elements = tables.elements(table)
            return None if elements is None else len(elements)
    value = function.facts.value(node)
    number = value.constant if isinstance(value, Scalar) and value.proven else None
    return number if type(number) is int else None


def _stacks(loop: ast.For, trips: Sequence[Trip], tables: Tables, function: Function) -> Iterator[Stack]:
    """The arrays that iterations store into, part by part, and that nobody sees before the last has ended."""
    stored = [
        each.value.id
        for statement in loop.body
        for each in ast.walk(statement)
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
    ]
    for name in dict.fromkeys(stored):
        found = _stack(name, loop, trips, tables, function)
        # Otherwise an exception halfway would leave an array of the caller's half stored.
        if found is not None and Memory(function).of([name]) == {name}:
            yield found


def _stack(
    name: str, loop: ast.For, trips: Sequence[Trip], tables: Tables, function: Function
) -> Stack | None:
    nodes = [each for statement in loop.body for each in ast.walk(statement)]
    parts = [each for each in nodes if isinstance(each, ast.Subscript) and ast.unparse(each.value) == name]
    texts = {ast.unparse(each) for each in parts}
    named = [each for each in nodes if isinstance(each, ast.Name) and each.id == name]
    array = function.facts.at(loop).get(name)
    if len(texts) != 1 or len(named) != len(parts) or not isinstance(array, Array):
        return None
    items = items_of(parts[0])
    axes = [
        axis for axis, item in enumerate(items) if not (isinstance(item, ast.Slice) and is_everything(item))
    ]
    if len(axes) != 1 or not isinstance(array.shape, tuple) or len(items) > len(array.shape):
        return None
    axis, variable = axes[0], items[axes[0]]
    known = isinstance(variable, ast.Name) and variable.id in trips[0]
    places = [trip[variable.id] for trip in trips] if isinstance(variable, ast.Name) and known else []
    numbers = [literal(tables.number(each, of_arrays=True) or each) for each in places]
    every = numbers == [*range(len(trips))] and array.shape[axis] == len(trips)
    return Stack(name, texts.pop(), axis) if every else None
