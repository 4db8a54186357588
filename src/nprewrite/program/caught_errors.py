"""What may run after an exception in a `try` or a `with`: names that a loop in it sets may be read there.

``resolve`` gives the full dotted name of an expression that names something in a module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from nprewrite.base.syntax import walk
from nprewrite.source.kept import names_read

Resolve = Callable[[ast.expr], str | None]


def may_catch(node: ast.AST, resolve: Resolve) -> bool:
    """Whether what follows a statement may run after an exception in it: a ``try``, many a ``with``."""
    if not isinstance(node, ast.With):
        return isinstance(node, ast.Try | ast.TryStar | ast.AsyncWith)
    calls = [each.context_expr for each in node.items]
    known = {"numpy.errstate", "numpy.printoptions", "builtins.open", "warnings.catch_warnings"}
    return not all(isinstance(each, ast.Call) and resolve(each.func) in known for each in calls)


def read_after_error(node: ast.stmt) -> frozenset[str]:
    """The names that a ``try`` itself may read after an exception in what it tries."""
    beside = (*node.handlers, *node.finalbody) if isinstance(node, ast.Try | ast.TryStar) else ()
    return frozenset[str]().union(*map(names_read, beside))


def goes_on(node: ast.stmt, resolve: Resolve) -> bool:
    """Whether what follows a statement that may catch an exception may run after one."""
    if not isinstance(node, ast.Try | ast.TryStar):
        return True
    jumps = (ast.Break, ast.Continue)
    beside = [statement for each in node.handlers for statement in each.body] + node.finalbody
    if any(isinstance(each, jumps) for statement in beside for each in walk(statement)):
        return True
    if any(isinstance(each, ast.Return) for statement in node.finalbody for each in walk(statement)):
        return True
    return not all(_leaves(each.body[-1], resolve) for each in node.handlers)


def _leaves(node: ast.stmt, resolve: Resolve) -> bool:
    """Whether the last statement of a handler ends the function."""
    match node:
        case ast.Expr(ast.Call(called)):
            return resolve(called) in ("sys.exit", "builtins.exit", "builtins.quit")
    return isinstance(node, ast.Return | ast.Raise)
