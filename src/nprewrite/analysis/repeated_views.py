"""Views that statements of a block take repeatedly: the same memory, for which one name can stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.analysis.liveness import block_of
from nprewrite.analysis.operands import calls_unknown
from nprewrite.base.syntax import items_of, names_in, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.types.indexing import is_basic
from nprewrite.types.values import Array

Simple = ast.Assign | ast.AugAssign


def taken_before(view: ast.expr, statement: ast.stmt, function: Function) -> str | None:
    """The name that has had the view (``A[:, k]``) since an earlier statement."""
    bound: set[str] = set()
    for earlier in _run_before(view, statement, function):
        match earlier:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _same(value, view):
                return name if function.is_local(name) and name not in bound else None
        bound |= stored_names(earlier)
    return None


def first_taken(view: ast.expr, statement: ast.stmt, function: Function) -> ast.stmt:
    """The first statement, up to this one, that takes the view; if taking it raises, it raises there."""
    run = [statement, *_run_before(view, statement, function)]
    return next(each for each in reversed(run) if each is statement or _takes(each, view, function))


def first_computing(view: ast.expr, statement: ast.stmt, function: Function) -> ast.stmt:
    """The first of the computing statements, up to this one, before which the view can be taken as well.

    Bound there, a view of slices, which cannot raise, does not interrupt array code.
    """
    first = statement
    if not isinstance(view, ast.Subscript) or not all(map(_cannot_raise, items_of(view))):
        return first
    for earlier in _run_before(view, statement, function):
        computes = isinstance(earlier.value, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Call)
        if not computes:
            return first
        first = earlier
    return first


def _cannot_raise(item: ast.expr) -> bool:
    return isinstance(item, ast.Slice) or (isinstance(item, ast.Constant) and item.value in (None, ...))


def _is_view(node: ast.Subscript, function: Function) -> bool:
    """Whether it is a view of a named array: not an element, nor what an array of positions picks."""
    plain = isinstance(node.value, ast.Name) and node not in function.facts.expressions.masked
    arrays = (function.facts.value(each) for each in (node.value, node))
    if not plain or not all(isinstance(each, Array) for each in arrays):
        return False
    pure = not any(isinstance(each, ast.Call | ast.NamedExpr) for each in walk(node.slice))
    return pure and all(is_basic(each, function.facts.expressions.values) for each in items_of(node))


def _run_before(view: ast.expr, statement: ast.stmt, function: Function) -> Iterator[Simple]:
    """The stores and assignments before a statement, last first, at which the view is the same memory."""
    if not isinstance(view, ast.Subscript) or not _is_view(view, function):
        return
    block = block_of(statement, function.around(statement))
    for earlier in reversed(block[: block.index(statement)]):
        if not isinstance(earlier, Simple) or calls_unknown(earlier.value, function):
            return
        if _stores_attribute(earlier) or stored_names(earlier) & names_in(view):
            return
        yield earlier


def _takes(statement: ast.stmt, view: ast.expr, function: Function) -> bool:
    """Whether a statement takes the view."""
    nodes = (each for each in walk(statement) if isinstance(each, ast.Subscript))
    return any(_same(each, view) for each in nodes)


def _same(node: ast.expr, view: ast.expr) -> bool:
    return ast.unparse(node) == ast.unparse(view)


def _stores_attribute(statement: ast.stmt) -> bool:
    """Whether a statement may give an array another shape."""
    nodes = (each for each in walk(statement) if isinstance(each, ast.Attribute))
    return any(isinstance(each.ctx, ast.Store) for each in nodes)
