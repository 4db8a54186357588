"""Statements in two versions: ``if npr.quiet() and ...: whole arrays, else: the loop as written``."""

from __future__ import annotations

import ast

from nprewrite.program.steps import RUNTIME
from nprewrite.source.names import ModuleNames, Scope


def is_guarded(statement: ast.stmt, names: ModuleNames, scope: Scope) -> bool:
    """Whether the ``else`` of a statement is the original of its body, to be left as it is."""
    if not isinstance(statement, ast.If):
        return False
    test = statement.test
    first = test.values[0] if isinstance(test, ast.BoolOp) else test
    return isinstance(first, ast.Call) and names.dotted(first.func, scope) == f"{RUNTIME}.quiet"
