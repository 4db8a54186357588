"""What evaluating code may raise, and in which order: the program shows the first of two errors.

u[0] = n             an IndexError, where u is empty
u = u + x.max()      a ValueError, where x is empty
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from nprewrite.analysis.repeated_cost import is_pure_call, never_raises
from nprewrite.base.syntax import children, parts_of, walk
from nprewrite.program.function import Function
from nprewrite.types.values import Array

_Errors = Literal["none", "ValueError", "any"]
_EVALUATED = (ast.stmt, ast.expr, ast.keyword)
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def raised_first(node: ast.AST, before: Iterable[ast.AST], function: Function) -> ast.AST | None:
    """The first node, of those evaluated before, that may raise another error than ``node`` may."""
    own = _errors(node, function)
    for each in before if own != "none" else ():
        other = _errors(each, function)
        if other != "none" and "any" in (own, other):
            return each
    return None


def _errors(node: ast.AST, function: Function) -> _Errors:
    """The errors that a statement or an expression may raise, apart from floating-point errors.

    A ``ValueError`` means that shapes do not fit, or that there is nothing to reduce.
    """
    match node:
        case ast.Assign(targets=[ast.Name()], value=value) | ast.Expr(value=value):
            return _errors(value, function)
    if isinstance(node, ast.expr) and never_raises(node, function):
        return "none"
    return "any" if any(_raises_others(each, function) for each in walk(node)) else "ValueError"


def _raises_others(node: ast.AST, function: Function) -> bool:
    match node:
        case ast.Subscript(slice=index):
            items = parts_of(index)
            return not all(isinstance(each, ast.Slice) for each in items)
        case ast.Call(func=called):
            # A matrix may be singular.
            linear = (function.dotted(called) or "").startswith("numpy.linalg.")
            return linear or not is_pure_call(node, function)
        case ast.BinOp(op=op):
            return isinstance(op, _DIVISIONS) and not isinstance(function.facts.value(node), Array)
    return isinstance(node, ast.Raise | ast.Assert)


def evaluated_before(
    node: ast.AST, loop: ast.For | ast.While, around: Mapping[ast.AST, ast.AST]
) -> Iterator[ast.AST]:
    """What an iteration of a loop evaluates before a part of it; ``around`` says what each node is in."""
    while node is not loop:
        outer = around[node]
        parts: list[ast.AST] = [*children(outer)]
        if isinstance(outer, ast.For | ast.While):
            parts = [*outer.body]
        elif isinstance(outer, ast.Assign):
            parts = [outer.value, *outer.targets]
        yield from (each for each in parts[: parts.index(node)] if isinstance(each, _EVALUATED))
        node = outer
