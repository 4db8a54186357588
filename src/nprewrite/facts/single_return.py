"""A function that returns in several places, written so that it returns at its end only.

if abs(r) <= d:            if abs(r) <= d:
    return r * r               result = r * r
return d * abs(r)          else:
                               result = d * abs(r)
                           return result
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from nprewrite.syntax.names import parameter_names, stored_names


def with_single_return(function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function with one ``return``, at its end, or with none; None where it takes more than ifs."""
    nodes = [each for statement in function.body for each in ast.walk(statement)]
    returns = [each for each in nodes if isinstance(each, ast.Return)]
    if all(each is function.body[-1] for each in returns):
        return function
    if any(each.value is None for each in returns):
        return None
    name = "result"
    while name in stored_names(*function.body) | set(parameter_names(function.args)):
        name += "_"
    body = _assigned(function.body, name)
    if body is None:
        return None
    last = ast.Return(ast.Name(name, ast.Load()))
    made = copy.copy(function)
    made.body = [*body, ast.copy_location(last, function.body[-1])]
    ast.fix_missing_locations(last)
    return made


def _assigned(statements: Sequence[ast.stmt], name: str) -> list[ast.stmt] | None:
    """The statements with ``name = value`` for ``return value``; None where a path has no value to bind."""
    done: list[ast.stmt] = []
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Return):
            assert statement.value is not None
            bound = ast.Assign([ast.Name(name, ast.Store())], statement.value)
            return [*done, ast.fix_missing_locations(ast.copy_location(bound, statement))]
        if not _returns(statement):
            done.append(statement)
            continue
        if not isinstance(statement, ast.If):
            return None
        rest = statements[number + 1 :]
        arms = (statement.body, statement.orelse)
        # What follows is written once: it goes to the one arm that does not end.
        if rest and sum(_ends(arm) for arm in arms) != 1:
            return None
        whole = [_assigned(arm if _ends(arm) else [*arm, *rest], name) for arm in arms]
        if whole[0] is None or whole[1] is None:
            return None
        chosen = ast.If(statement.test, whole[0], whole[1])
        return [*done, ast.copy_location(chosen, statement)]
    return None


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.Return) for each in ast.walk(statement))


def _ends(statements: Sequence[ast.stmt]) -> bool:
    """Whether every path through the statements comes to a ``return``."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, ast.If) and _ends(statement.body) and _ends(statement.orelse):
            return True
    return False
