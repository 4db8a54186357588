"""Arrays of the caller that a function stores into or returns, which must not be replaced by copies.

A name that may be a view of such memory counts too. Where the memory of one parameter changes, another
parameter may be a view of it, in which a copy would not show the change; so all parameters count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from nprewrite.analysis.memory import FOREIGN, Memory
from nprewrite.base.syntax import stored_names
from nprewrite.numpy_api.attributes import is_view
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import parameter_names
from nprewrite.types.values import Array


def root(node: ast.expr) -> ast.expr:
    """``u`` of ``u``, ``u[1:-1]``, ``u.T`` and ``u.real[0]``."""
    while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and is_view(node.attr)):
        node = node.value
    return node


def caller_arrays(function: Function) -> frozenset[str]:
    """The names that may stand for memory of the caller's that the function stores into or returns.

    A parameter that is bound again and not stored into is a local name.
    """
    if not isinstance(function.node, Definition):
        return frozenset()
    memory = Memory(function, parameters_apart=True)
    changed = memory.changed_in(function.node.body)
    parameters = frozenset(parameter_names(function.node.args))
    if memory.of(changed.by_stores | changed.by_calls - {FOREIGN}) & {FOREIGN, *parameters}:
        return frozenset(memory.of([FOREIGN, *parameters]))
    returned = memory.of(name for each in _results(function) for name in memory.sources(each))
    # `u = u + du` in a loop makes new arrays; only a loop without iterations would return the caller's.
    given = parameters - {name for each in function.node.body for name in stored_names(each)}
    return frozenset(memory.of(returned & given))


def keeps_arrays(target: ast.AST, function: Function) -> TypeGuard[ast.Subscript]:
    """Whether a target is an item of a list or dictionary; an array copies what is stored into it."""
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return False
    return not isinstance(function.facts.value(target.value), Array)


def _results(function: Function) -> Iterator[ast.expr]:
    """The values that the function returns, those in tuples and dictionaries one by one."""
    returns = (each for each in function.statements() if isinstance(each, ast.Return))
    waiting: list[ast.expr] = [each.value for each in returns if each.value is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Tuple | ast.List):
            waiting += node.elts
        elif isinstance(node, ast.Dict):
            waiting += node.values
        else:
            yield node
