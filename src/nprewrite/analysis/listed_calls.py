"""Comprehensions that call functions of the file, which can be inlined in a loop that appends.

    d = [distance(x, c) for c in C]        d = []
                                           for c in C:
                                               d.append(distance(x, c))

The items are made in the same order, and nobody looks at the list before it is whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.analysis.inlining import can_be_inlined
from nprewrite.base.syntax import names_in, walk
from nprewrite.program.function import Function
from nprewrite.source.names import SCOPES

_APART = (ast.NamedExpr, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class ListedCall:
    """The statement, the name of the list, and how its items are made."""

    statement: ast.Assign
    name: str
    item: ast.expr
    over: ast.comprehension


def listed_calls(function: Function) -> Iterator[ListedCall]:
    """The statements of a function that make such lists."""
    if isinstance(function.node, ast.Module) or function.dynamic_call is not None:
        return
    for statement in function.statements():
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.ListComp(elt=item, generators=[ast.comprehension(is_async=0) as over]) as made,
            ) if _can_be_loop(name, made, function) and not _is_guarded(statement, function):
                called = [can_be_inlined(each, function) for each in walk(item)]
                others = (
                    can_be_inlined(each, function) for part in (over.iter, *over.ifs) for each in walk(part)
                )
                if any(called) and not any(others):
                    yield ListedCall(statement, name, item, over)


def _can_be_loop(name: str, made: ast.ListComp, function: Function) -> bool:
    """Whether a list that grows before the name's eyes is no other than one that is made at once."""
    apart = any(isinstance(each, _APART) for each in walk(made) if each is not made)
    inner = (each for each in walk(function.node) if isinstance(each, SCOPES) and each is not function.node)
    if any(name in names_in(each) for each in inner):
        return False
    return (
        not apart and function.is_local(name) and not function.is_shared(name) and name not in names_in(made)
    )


def _is_guarded(statement: ast.stmt, function: Function) -> bool:
    """Whether the function goes on where an item raises, and may look at the name."""
    return any(isinstance(each, ast.Try | ast.With) for each in function.outer(statement))
