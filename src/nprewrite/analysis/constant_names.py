"""Names of a function that stand for one literal, and the branches that these decide."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nprewrite.base.syntax import children, walk
from nprewrite.program.constant_branches import Branches, Constant, NoneOf, chosen_value, constant
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import EXPRESSION_SCOPES, own_expressions
from nprewrite.types.values import Scalar, Unknown


@dataclass(frozen=True)
class ConstantBranch:
    """An ``if``, or a ``a if flag else b``, that always takes the same arm."""

    node: ast.If | ast.IfExp
    taken: list[ast.stmt] | ast.expr


def constant_branches(function: Function) -> Iterator[ConstantBranch]:
    """The branches of a function that literals, and names for them, decide; not those inside another."""
    if not isinstance(function.node, Definition):
        return
    branches, found = Branches(function.node), set[ast.stmt]()
    for statement in function.statements():
        if not found.isdisjoint(function.outer(statement)):
            continue
        if isinstance(statement, ast.If):
            taken = branches.taken(statement, constants_at(statement, function))
            if taken is not None:
                found.add(statement)
                yield ConstantBranch(statement, taken)
                continue
        yield from _choices(statement, function)


def _choices(statement: ast.stmt, function: Function) -> Iterator[ConstantBranch]:
    """The ``a if flag else b`` in a statement of which one part is always the value, the outermost."""
    stack: list[ast.AST] = [*own_expressions(statement)]
    if not any(isinstance(each, ast.IfExp) for part in stack for each in walk(part)):
        return
    known = constants_at(statement, function)
    while stack:
        node = stack.pop()
        if isinstance(node, EXPRESSION_SCOPES):
            continue
        if isinstance(node, ast.IfExp) and not _binds(node):
            value = chosen_value(node, known)
            if value is not None:
                yield ConstantBranch(node, value)
                continue
        stack.extend(children(node))


def constants_at(statement: ast.stmt, function: Function) -> Mapping[str, Constant]:
    """The names that certainly have one value at a statement, at every call or at those of one signature."""
    if not isinstance(function.node, Definition):
        return {}
    known = _flags(function)
    around = (*function.outer(statement), statement)
    for each in function.node.body:
        if each is around[0]:
            break
        match each:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                found = constant(value, known)
                if found is not None and is_bound_here_only(name, function):
                    known[name] = found
    return known


def _flags(function: Function) -> dict[str, Constant]:
    """The parameters of which calls have shown what they are, among what they are compared with."""
    given = function.module.given.get(function.name, {}).items()
    shown = {name: value.flag for name, value in given if isinstance(value, Scalar | Unknown)}
    return {
        name: Constant(NoneOf(flag.of) if flag.value is None else flag.value)
        for name, flag in shown.items()
        if flag is not None and function.names.is_bound_once(name, function.node)
    }


def is_bound_here_only(name: str, function: Function) -> bool:
    """Whether one statement binds a variable of the function, which nothing else sees."""
    assert isinstance(function.node, Definition)
    once = function.names.is_bound_once(name, function.node)
    return once and function.is_local(name) and not function.is_shared(name)


def _binds(node: ast.expr) -> bool:
    return any(isinstance(each, ast.NamedExpr) for each in walk(node))
