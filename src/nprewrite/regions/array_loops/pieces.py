"""The statements of a loop in pieces: what a step computes of each, and which of them can run together."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.analysis.lanewise import expression_problem
from nprewrite.analysis.operands import LEAST_OPERATIONS, OPERATIONS, SOMETIMES, is_of_arrays
from nprewrite.base.syntax import children, names_in, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.regions.array_loops.leading_numbers import free_names
from nprewrite.regions.array_loops.loop import follow_whole
from nprewrite.regions.array_loops.number_code import NumberCode
from nprewrite.source.names import read_names
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

Loop = ast.For | ast.While
_JUMPS = (ast.Break, ast.Continue, ast.Return)


@dataclass(frozen=True)
class Piece:
    """A ``statement`` of the loop; ``array`` is what a step can compute of it, if anything."""

    statement: ast.stmt
    array: ast.stmt | None
    number: bool = False


def pieces_of(loop: Loop, code: NumberCode, function: Function) -> list[Piece]:
    """The pieces of a loop's body, in order."""
    names = free_names(function)
    return [piece for each in loop.body for piece in _pieces(each, names, code, function)]


def _pieces(
    statement: ast.stmt, names: Iterator[str], code: NumberCode, function: Function
) -> Iterator[Piece]:
    """A statement, preceded by the numbers that it records and a step computes from arrays."""
    view = function.starting_at(statement)
    view.facts.extend(statement)
    flow = follow_whole(LoopBody(view, [statement], None))
    if not isinstance(flow, Problem):
        number = not (flow.read or flow.rebound or flow.changed)
        yield Piece(statement, statement, number)
        return
    for node in _recorded(statement, code, view):
        bound = ast.Assign([ast.Name(next(names), ast.Store())], node)
        yield Piece(statement, ast.fix_missing_locations(ast.copy_location(bound, node)))
    yield Piece(statement, None)


def _recorded(statement: ast.stmt, code: NumberCode, view: Function) -> list[ast.expr]:
    """The numbers computed from arrays in a statement that reads no other arrays."""
    if not isinstance(statement, ast.Assign | ast.Expr):
        return []
    found = [*_numbers_of_arrays(statement.value, view)]
    return found if code.is_blind(statement, found) else []


def _numbers_of_arrays(node: ast.expr, view: Function) -> Iterator[ast.expr]:
    value = view.facts.value(node)
    if isinstance(node, (*SOMETIMES, ast.Name)):
        return
    inside = (each for each in walk(node) if isinstance(each, ast.expr))
    arrays = any(isinstance(view.facts.value(each), Array) for each in inside)
    number = isinstance(value, Scalar) and value.of_array and arrays
    if number and expression_problem(node, view, None, whole=True) is None:
        yield node
        return
    for child in children(node):
        inner = child.value if isinstance(child, ast.keyword) else child
        if isinstance(inner, ast.expr):
            yield from _numbers_of_arrays(inner, view)


@dataclass(frozen=True)
class Group:
    """Consecutive pieces, and the other statements in an order in which they can run."""

    arrays: tuple[Piece, ...]
    before: tuple[ast.stmt, ...]
    after: tuple[ast.stmt, ...]

    @property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statements of the step."""
        return tuple(each.array for each in self.arrays if each.array is not None)


def groups(pieces: Sequence[Piece], code: NumberCode) -> Iterator[Group]:
    """The ways to take one run of array statements out of a loop's pieces, starting at each of them."""
    for start, piece in enumerate(pieces):
        if piece.array is None or piece.number:
            continue
        taken, waiting = [piece], []
        end = start + 1
        for number, each in enumerate(pieces[start + 1 :], start=start + 1):
            if each.array is None or (each.number and not _is_needed(each, pieces[number + 1 :])):
                waiting.append(each)
            elif all(_may_wait(other.statement, each.array, taken, code) for other in waiting):
                taken.append(each)
                end = number + 1
            else:
                break
        moved = [each for each in pieces[start:end] if all(each is not other for other in taken)]
        before = _statements(pieces[:start])
        after = _statements([*moved, *pieces[end:]])
        if len({*map(id, (*before, *after))}) == len(before) + len(after):
            yield Group(tuple(taken), before, after)


def _statements(pieces: Sequence[Piece]) -> tuple[ast.stmt, ...]:
    """The statements of pieces, without those that stand for part of one."""
    return tuple(each.statement for each in pieces if each.array in (None, each.statement))


def _is_needed(number: Piece, later: Sequence[Piece]) -> bool:
    """Whether later array statements read what a statement sets."""
    bound = stored_names(number.statement)
    return any(bound & names_in(each.array) for each in later if each.array is not None and not each.number)


def _may_wait(statement: ast.stmt, array: ast.stmt, taken: Sequence[Piece], code: NumberCode) -> bool:
    """Whether a statement before ``array`` may run after it, with the parts ``taken`` out of it."""
    parts = [each.array.value for each in taken if isinstance(each.array, ast.Assign)]
    if any(isinstance(each, _JUMPS) for each in walk(statement)) or not code.is_blind(statement, parts):
        return False
    # A store out of range raises, and the statements after it would have changed arrays by then.
    targets = (each for target in getattr(array, "targets", ()) for each in walk(target))
    in_place = not isinstance(array, ast.Assign) or any(isinstance(each, ast.Subscript) for each in targets)
    if in_place and not (isinstance(statement, ast.Expr) or code.raises_nothing(statement)):
        return False
    read = read_names(statement, but=parts)
    return not (stored_names(statement) & names_in(array) or stored_names(array) & read)


def weight_of(pieces: Sequence[Piece], function: Function) -> int:
    return sum(_operations(each.array, function) for each in pieces if each.array is not None)


def _operations(node: ast.AST, function: Function) -> int:
    """How many operations on arrays a part of the loop contains."""
    values = function.facts.expressions.values
    nodes = [each for each in walk(node) if isinstance(each, OPERATIONS)]
    computed = sum(is_of_arrays(values.get(each)) for each in nodes)
    stored = isinstance(node, ast.AugAssign) and isinstance(values.get(node.target), Array)
    return computed + stored


def is_most(group: Group, loop: Loop, function: Function) -> bool:
    """Whether a group contains most of the operations of every iteration."""
    weight = weight_of(group.arrays, function)
    every = sum(_operations(each, function) for each in loop.body if not isinstance(each, ast.If))
    return weight >= LEAST_OPERATIONS and 3 * weight >= 2 * every
