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

from nprewrite.analysis.fixed_tables import Tables, number_of, truth, with_numbers
from nprewrite.analysis.liveness import live_after
from nprewrite.analysis.memory import Memory
from nprewrite.base.syntax import is_everything, items_of, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.types.array_functions import literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array

MOST_TRIPS = 32
"""Longer loops should not be unrolled, by a compiler either."""

MOST_STATEMENTS = 120
"""More statements take seconds to compile."""

Simple = ast.Assign | ast.AugAssign
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
    """A loop, what replaces its variables in each iteration, and which arrays can be stacked at the end.

    ``bodies`` are the statements of each iteration, and what replaces their variables, in which the tests and
    the loops inside the loop have been decided.
    """

    loop: ast.For
    trips: tuple[Trip, ...]
    bodies: tuple[tuple[tuple[Simple, Trip], ...], ...]
    stacks: tuple[Stack, ...]
    tables: Tables


def unrolling(loop: ast.For, function: Function) -> Unrolling | Problem | None:
    """The iterations of a loop inside another, or over values that are written out.

    None where they are unknown, or do not compute with arrays.
    """
    written = isinstance(loop.iter, ast.Tuple | ast.List | ast.Name)
    if not (written or function.loops_around(loop)):
        return None
    if not any(_computes_arrays(each, function) for each in loop.body):
        return None
    tables = Tables(loop, function)
    trips = trips_of(loop.target, loop.iter, tables, function)
    if trips is None:
        return None
    if not 0 < len(trips) <= MOST_TRIPS or len(trips) * len(loop.body) > MOST_STATEMENTS:
        text = f"unrolled, the loop would be {len(trips) * len(loop.body)} statements"
        return Problem("too-many-statements", text, loop)
    problem = _problem(loop, function)
    if problem is not None:
        return problem
    bodies = []
    for trip in trips:
        run = _Iteration(tables, function)
        run.goes_on(loop.body, trip)
        if run.other is not None:
            text = f"`{ast.unparse(run.other).splitlines()[0]}` is neither an assignment nor a store"
            return Problem("not-array-code", text, run.other)
        bodies.append(tuple(run.body))
    if sum(map(len, bodies)) > MOST_STATEMENTS:
        text = f"unrolled, the loop would be {sum(map(len, bodies))} statements"
        return Problem("too-many-statements", text, loop)
    plain = all(isinstance(each, Simple) for each in loop.body)
    stacks = tuple(_stacks(loop, trips, tables, function)) if plain else ()
    return Unrolling(loop, tuple(trips), tuple(bodies), stacks, tables)


class _Iteration:
    """What one iteration of a loop runs: its statements, and what replaces the variables in each.

    ``other`` is a statement of which that cannot be told.
    """

    def __init__(self, tables: Tables, function: Function) -> None:
        self.body: list[tuple[Simple, Trip]] = []
        self.other: ast.stmt | None = None
        self._tables, self._function = tables, function

    def goes_on(self, statements: Sequence[ast.stmt], trip: Trip) -> bool:
        """Whether the iteration goes on behind some statements, which are added to it."""
        return all(self._goes_on_behind(each, trip) for each in statements)

    def _goes_on_behind(self, statement: ast.stmt, trip: Trip) -> bool:
        match statement:
            case ast.Assign() | ast.AugAssign():
                self.body.append((statement, trip))
                return True
            case ast.If(test=test, body=then, orelse=otherwise):
                holds = truth(with_numbers(test, trip, self._tables, self._function), self._function)
                if holds is not None:
                    return self.goes_on(then if holds else otherwise, trip)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                trips = trips_of(target, over, self._tables, self._function)
                if trips is not None and len(trips) <= MOST_TRIPS:
                    for each in trips:
                        self.goes_on(body, {**trip, **each})
                    return self.other is None
            case ast.Pass():
                return True
            case ast.Continue():
                return False
        self.other = statement
        return False


def _problem(loop: ast.For, function: Function) -> Problem | None:
    """Why the iterations cannot be written one after the other."""
    if loop.orelse:
        return Problem("loop-control", "the loop has an `else`", loop)
    loops = [each for each in walk(loop) if isinstance(each, ast.For)]
    names = stored_names(*(each.target for each in loops))
    scopes = [each for each in walk(loop) if isinstance(each, ast.Lambda | ast.comprehension)]
    if scopes:
        return Problem("closure", "the loop defines a function or comprehension", loop)
    simple = (each for each in walk(loop) if isinstance(each, Simple))
    bound = names & stored_names(*simple)
    if bound:
        return Problem("loop-variable-rebound", f"`{min(bound)}` is bound in the loop", loop)
    live = next((each for each in sorted(names) if live_after(each, loop, function)), None)
    if live is not None:
        return Problem("loop-variable-live", f"`{live}` is used after the loop", loop)
    return None


def _computes_arrays(statement: ast.stmt, function: Function) -> bool:
    """Whether an operation of a statement takes a whole array."""
    operands: list[ast.expr] = []
    for node in walk(statement):
        match node:
            case ast.BinOp(left=left, right=right):
                operands += [left, right]
            case ast.Call(args=arguments):
                operands += arguments
            case ast.AugAssign(value=value):
                operands.append(value)
    return any(isinstance(function.facts.value(each), Array) for each in operands)


def trips_of(target: ast.expr, over: ast.expr, tables: Tables, function: Function) -> list[Trip] | None:
    """What replaces the names of ``target`` in each iteration over an expression, if that is known."""
    elements = _elements(over, tables, function)
    return None if elements is None else trips_over(target, elements)


def trips_over(target: ast.expr, elements: Sequence[ast.expr]) -> list[Trip] | None:
    """What replaces the names of ``target`` for each of some expressions; None where one does not fit."""
    trips: list[Trip] = [dict(_bound(target, each)) for each in elements]
    names = stored_names(target)
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
    number = literal(node)
    if type(number) is not int:
        number = tables.constant(node)
    return number if type(number) is int else None


def _stacks(loop: ast.For, trips: Sequence[Trip], tables: Tables, function: Function) -> Iterator[Stack]:
    """The arrays that iterations store into, part by part, and that nobody sees before the last has ended."""
    stored = [
        each.value.id
        for statement in loop.body
        for each in walk(statement)
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
    nodes = [each for statement in loop.body for each in walk(statement)]
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
    if len(array.shape) == 1:
        # The parts are numbers.
        return None
    axis, variable = axes[0], items[axes[0]]
    known = isinstance(variable, ast.Name) and variable.id in trips[0]
    places = [trip[variable.id] for trip in trips] if isinstance(variable, ast.Name) and known else []
    numbers = [literal(tables.number(each, of_arrays=True) or each) for each in places]
    every = numbers == [*range(len(trips))] and array.shape[axis] == len(trips)
    return Stack(name, texts.pop(), axis) if every else None
