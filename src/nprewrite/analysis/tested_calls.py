"""Calls in tests, and of what loops run over, that can be inlined once they stand in their own statement.

    if near(x, i) < d:          near_value = near(x, i)
        n += 1                  if near_value < d:
                                    n += 1

Behind an ``and`` the call is made only where what comes before holds:

    if x[i] > 0 and near(x, i) < d:       if x[i] > 0:
        n += 1                                if near(x, i) < d:
                                                  n += 1

Behind an ``or``, and where there is an ``else``, a name stands for whether the test holds. An ``elif``
becomes an ``if`` in the ``else`` first. ``for i, j in near(i, j, n)`` runs over a name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from nprewrite.analysis.called_functions import called_function
from nprewrite.analysis.inlining import can_be_inlined
from nprewrite.analysis.operands import SOMETIMES, evaluated_before
from nprewrite.analysis.pure_functions import is_pure
from nprewrite.base.syntax import walk
from nprewrite.program.function import Function


@dataclass(frozen=True)
class TestedCall:
    """The call, and how many of the values that a test joins by ``and`` or ``or`` are tested before it.

    ``first`` is the ``if`` whose ``elif`` leads to the statement.
    """

    statement: ast.If | ast.For
    call: ast.Call
    behind: int
    first: ast.If | None


def tested_calls(function: Function) -> Iterator[TestedCall]:
    """The first such call of each test, and of what each loop runs over, in a loop."""
    for statement in function.statements():
        if not isinstance(statement, ast.If | ast.For) or not function.loops_around(statement):
            continue
        if isinstance(statement, ast.For):
            if isinstance(statement.iter, ast.Call) and can_be_inlined(statement.iter, function):
                yield TestedCall(statement, statement.iter, 0, None)
            continue
        test, first = statement.test, _first(statement, function)
        found = (
            TestedCall(statement, call, number, first)
            for number, value in enumerate(test.values if isinstance(test, ast.BoolOp) else [test])
            for call in walk(value)
            if isinstance(call, ast.Call) and _is_made(call, value) and _can_move(call, value, function)
        )
        yield from islice(found, 1)


def _first(statement: ast.If, function: Function) -> ast.If | None:
    """The ``if`` of which a statement is an ``elif``, where nothing can stand before it."""
    first, around = statement, function.around(statement)
    while isinstance(around, ast.If) and around.orelse == [first] and around.col_offset == first.col_offset:
        first, around = around, function.around(around)
    return first if first is not statement else None


def _is_made(call: ast.Call, value: ast.expr) -> bool:
    """Whether a call is made each time that the value is computed, and before that nothing is bound."""
    if any(isinstance(each, ast.NamedExpr) for each in walk(value)):
        return False
    sometimes = [part for each in walk(value) for part in _sometimes(each)]
    return not any(each is call for part in sometimes for each in walk(part))


def _sometimes(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BoolOp(values=[_, *others]) | ast.Compare(comparators=[_, *others]):
            return others
        case ast.expr() if isinstance(node, SOMETIMES):
            return [node]
    return []


def _can_move(call: ast.Call, value: ast.expr, function: Function) -> bool:
    callee = called_function(call, function)
    if callee is None or not is_pure(callee, function) or not can_be_inlined(call, function):
        return False
    return not [*evaluated_before(call, [value], False, function)]
