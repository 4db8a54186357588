"""Arrays of the caller that a function stores into or returns, which must not be replaced by copies.

A name that may be a view of such memory counts too. Where the memory of one parameter changes, another
parameter may be a view of it, in which a copy would not show the change; so all parameters count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from nprewrite.analysis.memory import changed_by
from nprewrite.numpy_api.attributes import is_view
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import parameter_names, stored_names
from nprewrite.types.values import Array, Scalar, Unknown


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
    groups = _Groups()
    for statement, _ in function.statements():
        for target, value in _bindings(statement, function):
            groups.join([target, *_viewed(value, function)])
    parameters = frozenset(parameter_names(function.node.args))
    stored = {name for statement, _ in function.statements() for name in _stored(statement, function)}
    foreign = {name for name in groups.names | stored if not function.is_local(name)}
    if groups.of(stored) & (parameters | foreign):
        return frozenset(groups.of(parameters | foreign))
    returned = {name for each in _results(function) for name in _viewed(each, function)}
    # `u = u + du` in a loop makes new arrays; only a loop without iterations would return the caller's.
    given = parameters - {name for each in function.node.body for name in stored_names(each)}
    return frozenset(groups.of(groups.of(returned) & given))


class _Groups:
    """Names that may share memory."""

    def __init__(self) -> None:
        self._together: list[set[str]] = []

    @property
    def names(self) -> set[str]:
        return set().union(*self._together)

    def join(self, names: list[str]) -> None:
        if len(names) < 2:
            return
        met = [each for each in self._together if each & set(names)]
        self._together = [each for each in self._together if each not in met]
        self._together.append(set(names).union(*met))

    def of(self, names: set[str] | frozenset[str]) -> set[str]:
        """These names, and all that may share memory with one of them."""
        return set(names).union(*(each for each in self._together if each & names))


def _bindings(statement: ast.stmt, function: Function) -> Iterator[tuple[str, ast.expr]]:
    """Each name that a statement binds, with the value, or the tuple or array that holds it."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            pairs = [(target, value)]
        case ast.For(target=target, iter=value):
            pairs = [(target, value)]
        case _:
            return
    for target, value in pairs:
        parts = [(target, value)]
        if len(_parts(target)) == len(_parts(value)) > 0:
            parts = [*zip(_parts(target), _parts(value), strict=True)]
        yield from ((name, held) for each, held in parts for name in _names(each, function))


def _names(target: ast.expr, function: Function) -> Iterator[str]:
    """The names that a target binds, and those of the lists and dictionaries that it stores into."""
    for each in ast.walk(target):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif keeps_arrays(each, function) and isinstance(name := root(each), ast.Name):
            yield name.id


def keeps_arrays(target: ast.AST, function: Function) -> TypeGuard[ast.Subscript]:
    """Whether a target is an item of a list or dictionary; an array copies what is stored into it."""
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return False
    return not isinstance(function.facts.value(target.value), Array)


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else []


def _viewed(value: ast.expr, function: Function) -> list[str]:
    """The arrays whose memory a value may be."""
    known = function.facts.value(value)
    if isinstance(known, Scalar) or (isinstance(known, Array) and known.fresh):
        return []
    names = [each for each in ast.walk(value) if isinstance(each, ast.Name)]
    arrays = (each for each in names if isinstance(function.facts.value(each), Array | Unknown))
    return [each.id for each in arrays if function.dotted(each) is None]


def _results(function: Function) -> Iterator[ast.expr]:
    """The values that the function returns, those in tuples and dictionaries one by one."""
    returns = (each for each, _ in function.statements() if isinstance(each, ast.Return))
    returns = (each for each, _ in function.statements() if isinstance(each, ast.Return))
    waiting: list[ast.expr] = [each.value for each in returns if each.value is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Tuple | ast.List):
            waiting += node.elts
        elif isinstance(node, ast.Dict):
            waiting += node.values
        else:
            yield node


def _stored(statement: ast.stmt, function: Function) -> Iterator[str]:
    """The names whose memory a statement may change."""
    for node in _own_expressions(statement):
        target: ast.expr | None = None
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Call):
            yield from _stored_by_call(node, function)
        if target is not None and isinstance(name := root(target), ast.Name):
            yield name.id
    if isinstance(statement, ast.AugAssign) and isinstance(name := root(statement.target), ast.Name):
        if not isinstance(function.facts.value(statement.target), Array | Unknown):
            return
        yield name.id


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement without those of the statements inside it."""
    stack: list[ast.AST] = [
        each for each in ast.iter_child_nodes(statement) if not isinstance(each, ast.stmt)
    ]
    while stack:
        node = stack.pop()
        yield node
        stack += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)]


def _stored_by_call(call: ast.Call, function: Function) -> Iterator[str]:
    dotted = function.dotted(call.func) or ""
    changed = changed_by(call, dotted or None)
    if dotted.startswith("."):
        changed += [*call.args, *(each.value for each in call.keywords)]
    yield from (name.id for each in changed if isinstance(name := root(each), ast.Name))
