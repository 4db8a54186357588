"""Names of slices, and of tuples of them, that a function uses as indices alone.

inner = slice(1, -1)      u[inner, 0]                is  u[1:-1, 0]
whole = np.s_[1:-1, :]    u[whole] += v[whole]       is  u[1:-1, :] += v[1:-1, :]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.analysis.constant_names import is_bound_here_only
from nprewrite.analysis.liveness import block_of, surely_set
from nprewrite.base.syntax import children, is_none, items_of, name_nodes, parts_of, walk
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import own_expressions
from nprewrite.types.values import Scalar

_WRITERS = ("numpy.s_", "numpy.index_exp")
Index = ast.expr


@dataclass(frozen=True)
class WrittenIndex:
    """A name for an index: the statement that binds it, and what is written where it is used."""

    statement: ast.Assign
    name: str
    index: Index
    uses: tuple[ast.Subscript, ...]


def written_indices(function: Function) -> Iterator[WrittenIndex]:
    """The names of indices that are used as such alone, below the statement that binds them."""
    if not isinstance(function.node, Definition):
        return
    for statement in function.statements():
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_bound_here_only(name, function):
                index = _index(value, statement, function)
                uses = _uses(name, statement, function) if index is not None else ()
                if index is None or not uses or (isinstance(index, ast.Tuple) and _is_part(uses)):
                    continue
                yield WrittenIndex(statement, name, index, uses)


def with_index(use: ast.Subscript, name: str, index: Index) -> Index:
    """The index of a subscript with what a name stands for in its place."""
    if isinstance(use.slice, ast.Name):
        return index
    named = [*_names_in_index(name, use)]
    return ast.Tuple([index if each in named else each for each in items_of(use)], ast.Load())


def _index(node: ast.expr, statement: ast.stmt, function: Function) -> Index | None:
    """What an expression is as written between brackets; None where it is no slice or tuple of them."""
    match node:
        case ast.Call(ast.Name(id="slice") as called, [_, *_] as bounds, []):
            fixed = len(bounds) < 4 and all(_is_fixed(each, statement, function) for each in bounds)
            return _slice(bounds) if fixed and function.dotted(called) == "builtins.slice" else None
        case ast.Subscript(value=writer, slice=index) if function.dotted(writer) in _WRITERS:
            parts = [part for part in walk(index) if isinstance(part, ast.Slice)]
            bounds = [each for part in parts for each in (part.lower, part.upper, part.step) if each]
            bounds += [each for each in parts_of(index) if not isinstance(each, ast.Slice)]
            return index if parts and all(_is_fixed(each, statement, function) for each in bounds) else None
        case ast.Tuple(elts=parts) if any(isinstance(each, ast.Name | ast.Call) for each in parts):
            return _tuple(parts, statement, function)
    return None


def _tuple(parts: list[ast.expr], statement: ast.stmt, function: Function) -> Index | None:
    """A tuple in which names stand for slices: they are written out in its place later."""
    made = [
        (_index(each, statement, function) if isinstance(each, ast.Call) else None) or each for each in parts
    ]
    items = [each for each in made if isinstance(each, ast.Slice) or _is_fixed(each, statement, function)]
    sliced = any(isinstance(each, ast.Slice) or _is_slice(each, statement, function) for each in items)
    return ast.Tuple(items, ast.Load()) if sliced and len(items) == len(parts) else None


def _is_slice(node: ast.expr, statement: ast.stmt, function: Function) -> bool:
    """Whether it is a name that is bound to a slice once, before a statement."""
    if not isinstance(node, ast.Name) or not _is_fixed(node, statement, function):
        return False
    for each in function.statements():
        match each:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == node.id:
                return isinstance(_index(value, each, function), ast.Slice)
    return False


def _slice(bounds: list[ast.expr]) -> ast.Slice:
    parts = [None if is_none(each) else each for each in bounds]
    if len(parts) == 1:
        return ast.Slice(None, parts[0])
    return ast.Slice(*parts)


def _is_fixed(node: ast.expr, statement: ast.stmt, function: Function) -> bool:
    """Whether an expression raises nowhere, and is the same wherever the name of the index is used."""
    match node:
        case ast.Constant(value=value):
            return value is None or value is Ellipsis or isinstance(value, int)
        case ast.Name(id=name):
            return is_bound_here_only(name, function) and surely_set(name, statement, function)
        case ast.UnaryOp(ast.USub(), operand):
            return _is_number(operand, statement, function)
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return all(_is_number(each, statement, function) for each in (left, right))
        case ast.BinOp(left, ast.FloorDiv(), ast.Constant(value=int() as divisor)):
            return bool(divisor) and _is_number(left, statement, function)
    return False


def _is_number(node: ast.expr, statement: ast.stmt, function: Function) -> bool:
    known = isinstance(node, ast.Constant) or isinstance(function.facts.value(node), Scalar)
    return known and not is_none(node) and _is_fixed(node, statement, function)


def _uses(name: str, statement: ast.stmt, function: Function) -> tuple[ast.Subscript, ...]:
    """The outermost subscripts with the name; none where one comes before it, or it is used otherwise."""
    found: list[ast.Subscript] = []
    for each in function.statements():
        if each is statement:
            continue
        used = [*_subscripts_with(name, each)]
        if used and not _follows(each, statement, function):
            return ()
        found += used
    own = [each for each in name_nodes(function.node) if each.id == name]
    indexing = sum(len([*_names_in_index(name, each)]) for each in found)
    return tuple(found) if indexing == len(own) - 1 else ()


def _subscripts_with(name: str, statement: ast.stmt) -> Iterator[ast.Subscript]:
    pending: list[ast.AST] = [*own_expressions(statement)]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Subscript) and [*_names_in_index(name, each)]:
            yield each
        else:
            pending += children(each)


def _names_in_index(name: str, node: ast.Subscript) -> Iterator[ast.expr]:
    return (each for each in items_of(node) if isinstance(each, ast.Name) and each.id == name)


def _is_part(uses: Sequence[ast.Subscript]) -> bool:
    """Whether the name is one of several items of an index, where a tuple would be something else."""
    return any(isinstance(each.slice, ast.Tuple) for each in uses)


def _follows(use: ast.stmt, statement: ast.stmt, function: Function) -> bool:
    """Whether a statement, or one around it, stands below another in the same block."""
    block = block_of(statement, function.around(statement))
    later = block[block.index(statement) + 1 :]
    return any(each in later for each in (*function.outer(use), use))
