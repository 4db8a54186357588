"""Lists that a loop fills, and of which only an array is made after it: ``return np.array(xs)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from nprewrite.program.function import Function
from nprewrite.regions.native.lists import appended_in, made_as_lists
from nprewrite.source.names import ALL_SCOPES

_MAKERS = ("numpy.array", "numpy.asarray")


def spent_after(loop: ast.stmt, function: Function) -> Mapping[str, str]:
    """The lists of which only an array is made after the loop, and the functions that do it.

    Nobody can tell such a list from the array.
    """
    once = all(isinstance(each, ast.If) for each in function.outer(loop))
    leaves = any(isinstance(each, ast.Return) for each in ast.walk(loop))
    appended = appended_in(loop)
    if not appended or not isinstance(function.node, ast.FunctionDef) or not once or leaves:
        return {}
    makers = dict(_makers(loop, function))
    filled = appended & made_as_lists(function.node)
    return {name: made for name, made in makers.items() if name in filled and _is_spent(name, loop, function)}


def _makers(loop: ast.stmt, function: Function) -> Iterator[tuple[str, str]]:
    """The names of which arrays are made after a loop, and the functions that do it."""
    for each in ast.walk(function.node):
        match each:
            case ast.Call(func=called, args=[ast.Name(id=name)], keywords=[]) if each.lineno > (
                loop.end_lineno or loop.lineno
            ):
                if function.names.dotted(called, function.document.tree) in _MAKERS:
                    yield name, ast.unparse(called)


def _is_spent(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether a list has one name, is only filled before the loop, and makes one array after it."""
    inside, filled = {id(each) for each in ast.walk(loop)}, {*_filled(function)}
    after = 0
    for each in ast.walk(function.node):
        if isinstance(each, ALL_SCOPES) and each is not function.node and _mentions(each, name):
            return False
        if not isinstance(each, ast.Name) or each.id != name or id(each) in inside:
            continue
        is_before = each.lineno < loop.lineno
        if is_before and isinstance(each.ctx, ast.Load) and id(each) not in filled:
            return False
        after += not is_before
    return function.is_local(name) and not function.is_shared(name) and after == 1


def _filled(function: Function) -> Iterator[int]:
    """Where a list is filled, or asked for its length."""
    for each in ast.walk(function.node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() as used, attr="append" | "extend")):
                yield id(used)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as used]):
                yield id(used)


def _mentions(scope: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(scope))
