"""Stores that can be rewritten into a form that steps allow: into a view, one store per statement."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from nprewrite.analysis.array_steps import index_problem
from nprewrite.base.syntax import items_of, walk
from nprewrite.program.function import Function
from nprewrite.types.indexing import is_basic
from nprewrite.types.values import Array


@dataclass(frozen=True)
class ComputedStore:
    """``A[:, j] -= e`` or ``A[:, j] = e``, where ``j`` is computed: a store into the view ``A[:, j]``.

    ``target`` is the view; for ``Z[1:-1][m] = e`` that is ``Z[1:-1]``.
    """

    statement: ast.Assign | ast.AugAssign
    target: ast.Subscript


@dataclass(frozen=True)
class SeveralStores:
    """``h[0], h[-1] = h[1], h[-2]``: stores one after the other."""

    statement: ast.Assign
    targets: tuple[ast.expr, ...]
    values: tuple[ast.expr, ...]


def rewritable_store(statement: ast.stmt, function: Function) -> ComputedStore | SeveralStores | None:
    """The store of a statement that can be written in another form."""
    match statement:
        case (
            ast.Assign(targets=[ast.Subscript() as target]) | ast.AugAssign(target=ast.Subscript() as target)
        ):
            return _computed(statement, target, function)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return _several(statement, targets, values, function)
    return None


def _computed(
    statement: ast.Assign | ast.AugAssign, target: ast.Subscript, function: Function
) -> ComputedStore | None:
    if isinstance(target.value, ast.Subscript) and target in function.facts.expressions.masked:
        return _masked(statement, target.value, function)
    base, view = function.facts.value(target.value), function.facts.value(target)
    if not isinstance(target.value, ast.Name) or not isinstance(base, Array) or not isinstance(view, Array):
        return None
    if target in function.facts.expressions.masked or index_problem(target, function) is None:
        return None
    # `A[k]` with an array of positions k is a copy, and a store into it would be lost.
    if not all(is_basic(each, function.facts.expressions.values) for each in items_of(target)):
        return None
    if any(isinstance(each, ast.Call | ast.NamedExpr) for each in walk(target.slice)):
        return None
    # If the rank of A is unknown, `A[k]` may be an element, which is not a view.
    if view.rank is None and not any(isinstance(each, ast.Slice) for each in items_of(target)):
        return None
    computes = any(isinstance(each, ast.BinOp | ast.Call) for each in walk(statement.value))
    stored = function.facts.value(statement.value)
    return ComputedStore(statement, target) if computes and isinstance(stored, Array) else None


def _masked(
    statement: ast.Assign | ast.AugAssign, part: ast.Subscript, function: Function
) -> ComputedStore | None:
    """``Z[1:-1][m] = e``: a store through a mask into the view ``Z[1:-1]``."""
    plain = isinstance(part.value, ast.Name) and part not in function.facts.expressions.masked
    calls = any(isinstance(each, ast.Call | ast.NamedExpr) for each in walk(part.slice))
    view = function.facts.value(part)
    return ComputedStore(statement, part) if plain and not calls and isinstance(view, Array) else None


def _several(
    statement: ast.Assign, targets: list[ast.expr], values: list[ast.expr], function: Function
) -> SeveralStores | None:
    stores = [
        each for each in targets if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
    ]
    if len(targets) != len(values) or len(stores) != len(targets):
        return None
    if not all(isinstance(function.facts.value(each.value), Array) for each in stores):
        return None
    if any(index_problem(each, function) is not None for each in stores):
        return None
    # A view shows the earlier stores whenever it is taken; any other value does not.
    if not all(isinstance(each, ast.Constant) or _is_view(each, function) for each in values):
        return None
    return SeveralStores(statement, tuple(targets), tuple(values))


def _is_view(node: ast.expr, function: Function) -> bool:
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    view = function.facts.value(node)
    masked = node in function.facts.expressions.masked
    return isinstance(view, Array) and not masked and index_problem(node, function) is None
