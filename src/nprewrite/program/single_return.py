"""A function that returns in several places, written so that it returns at its end only.

if abs(r) <= d:            if abs(r) <= d:
    return r * r               result = r * r
return d * abs(r)          else:
                               result = d * abs(r)
                           return result

if p.done:                 if not p.done:
    return                     p.x += 1
p.x += 1

A ``return`` out of a loop is a ``break``; what follows the loop stands in its ``else``.

for k in range(n):         for k in range(n):
    if x[k] > d:               if x[k] > d:
        return k                   result = k
return n                           break
                           else:
                               result = n
                           return result
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from nprewrite.base.syntax import is_none, stored_names, walk, with_body
from nprewrite.source.names import parameter_names


def with_single_return(function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function with one ``return``, at its end, or with none; None where that cannot be written."""
    nodes = [each for statement in function.body for each in walk(statement)]
    returns = [each for each in nodes if isinstance(each, ast.Return)]
    if all(each is function.body[-1] for each in returns):
        return function
    if all(each.value is None or is_none(each.value) for each in returns):
        branches = _falling(function.body)
        return with_body(function, branches or [ast.Pass()]) if branches is not None else None
    if any(each.value is None for each in returns):
        return None
    name = "result"
    while name in stored_names(*function.body) | set(parameter_names(function.args)):
        name += "_"
    body = _assigned(function.body, name)
    if body is None:
        return None
    last = ast.copy_location(ast.Return(ast.Name(name, ast.Load())), function.body[-1])
    return with_body(function, [*body, ast.fix_missing_locations(last)])


def _assigned(statements: Sequence[ast.stmt], name: str) -> list[ast.stmt] | None:
    """The statements with ``name = value`` for ``return value``; None where a path returns no value."""
    done: list[ast.stmt] = []
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Return):
            return [*done, *_bound(statement, name)]
        if isinstance(statement, ast.Raise):
            return [*done, statement]
        if not _returns(statement):
            done.append(statement)
            continue
        rest = statements[number + 1 :]
        if isinstance(statement, ast.For | ast.While):
            loop = _left(statement, rest, name)
            return [*done, loop] if loop is not None else None
        if not isinstance(statement, ast.If):
            return None
        arms = (statement.body, statement.orelse)
        # What follows is written once, in the only arm that does not return.
        if rest and sum(_ends(arm) for arm in arms) != 1:
            return None
        whole = [_assigned(arm if _ends(arm) else [*arm, *rest], name) for arm in arms]
        if whole[0] is None or whole[1] is None:
            return None
        chosen = ast.If(statement.test, whole[0], whole[1])
        return [*done, ast.copy_location(chosen, statement)]
    return None


def _falling(statements: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    """The statements without each ``return`` of nothing: what follows it stands in the other arm."""
    done: list[ast.stmt] = []
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Return):
            return done
        if not _returns(statement):
            done.append(statement)
            continue
        rest = statements[number + 1 :]
        if not isinstance(statement, ast.If):
            return None
        arms = (statement.body, statement.orelse)
        # What follows is written once.
        if rest and all(not _ends(arm) for arm in arms):
            return None
        first, other = (_falling(arm if _ends(arm) else [*arm, *rest]) for arm in arms)
        if first is None or other is None:
            return None
        test = statement.test if first else ast.UnaryOp(ast.Not(), statement.test)
        chosen = ast.If(test, first or other or [ast.Pass()], other if first else [])
        return [*done, ast.fix_missing_locations(ast.copy_location(chosen, statement))]
    return done


def _left(loop: ast.For | ast.While, rest: Sequence[ast.stmt], name: str) -> ast.stmt | None:
    """A loop that is left where it returned, with ``rest`` in its ``else``."""
    body = _broken(loop.body, name)
    otherwise = [] if _is_endless(loop) else _assigned([*loop.orelse, *rest], name)
    if body is None or otherwise is None or _breaks(loop.body):
        return None
    return _with(loop, body, otherwise)


def _broken(statements: Sequence[ast.stmt], name: str, *, last: bool = True) -> list[ast.stmt] | None:
    """The statements of a loop with ``name = value`` and ``break`` for ``return value``.

    ``last`` means that the iteration ends after them.
    """
    done: list[ast.stmt] = []
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Return):
            return [*done, *_bound(statement, name), ast.copy_location(ast.Break(), statement)]
        if not _returns(statement):
            done.append(statement)
            continue
        if isinstance(statement, ast.If):
            ends = last and number == len(statements) - 1
            arms = [_broken(arm, name, last=ends) for arm in (statement.body, statement.orelse)]
            if arms[0] is None or arms[1] is None:
                return None
            done.append(ast.copy_location(ast.If(statement.test, arms[0], arms[1]), statement))
            continue
        if not last or not isinstance(statement, ast.For | ast.While) or _breaks(statement.body):
            return None
        body = _broken(statement.body, name)
        after = _broken([*statement.orelse, *statements[number + 1 :]], name)
        if body is None or after is None:
            return None
        # After the inner loop the iteration around it ends, or the outer loop is left as well.
        goes_on, leaves = (ast.copy_location(each, statement) for each in (ast.Continue(), ast.Break()))
        otherwise = [] if _is_endless(statement) else [*after, goes_on]
        return [*done, _with(statement, body, otherwise), leaves]
    return done


def _with(loop: ast.For | ast.While, body: list[ast.stmt], otherwise: list[ast.stmt]) -> ast.stmt:
    made = copy.copy(loop)
    made.body, made.orelse = body, otherwise
    return made


def _bound(statement: ast.Return, name: str) -> list[ast.stmt]:
    """``name = value`` for ``return value``."""
    assert statement.value is not None
    bound = ast.Assign([ast.Name(name, ast.Store())], statement.value)
    return [ast.fix_missing_locations(ast.copy_location(bound, statement))]


def _is_endless(loop: ast.For | ast.While) -> bool:
    return isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and bool(loop.test.value)


def _breaks(statements: Sequence[ast.stmt]) -> bool:
    """Whether a ``break`` ends the loop whose body these are, without its ``else``."""
    for statement in statements:
        if isinstance(statement, ast.Break):
            return True
        parts = [statement.orelse] if isinstance(statement, ast.For | ast.While) else []
        if isinstance(statement, ast.If):
            parts = [statement.body, statement.orelse]
        if any(map(_breaks, parts)):
            return True
    return False


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.Return) for each in walk(statement))


def _ends(statements: Sequence[ast.stmt]) -> bool:
    """Whether every path through the statements comes to a ``return``, or raises."""
    for statement in statements:
        if isinstance(statement, ast.Return | ast.Raise):
            return True
        if isinstance(statement, ast.If) and _ends(statement.body) and _ends(statement.orelse):
            return True
    return False
