"""A function whose names that are bound together are bound by statements of their own.

h, dx = self.h, self.dx            h = self.h
                                   dx = self.dx

Arrays are then apart from numbers, which stand elsewhere than in steps.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from nprewrite.base.syntax import names_in, stored_names, with_body


def with_names_apart(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function with one statement for each name, where that gives the same."""
    return with_body(function, _apart(function.body))


def _apart(block: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [part for statement in block for part in _parts(statement)]


def _parts(statement: ast.stmt) -> list[ast.stmt]:
    match statement:
        case ast.If() | ast.For() | ast.While():
            made = copy.copy(statement)
            made.body, made.orelse = _apart(statement.body), _apart(statement.orelse)
            return [made]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if _one_by_one(
            targets, values
        ):
            pairs = zip(targets, values, strict=True)
            return [ast.copy_location(ast.Assign([target], value), statement) for target, value in pairs]
    return [statement]


def _one_by_one(targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> bool:
    """Whether each name may be bound before the next value is read, unlike in ``a, b = b, a``."""
    if len(targets) != len(values) or not all(isinstance(each, ast.Name) for each in targets):
        return False
    if any(isinstance(each, ast.Starred) for each in values):
        return False
    return not any(stored_names(*targets[:place]) & names_in(each) for place, each in enumerate(values))
