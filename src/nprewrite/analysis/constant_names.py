"""Names of a function that stand for one literal, and the branches that these decide."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nprewrite.program.constant_branches import Branches, Constant, constant
from nprewrite.program.function import Definition, Function


@dataclass(frozen=True)
class ConstantBranch:
    """An ``if`` that always takes the same arm."""

    statement: ast.If
    taken: list[ast.stmt]


def constant_branches(function: Function) -> Iterator[ConstantBranch]:
    """The branches of a function that literals, and names for them, decide; not those inside another."""
    if not isinstance(function.node, Definition):
        return
    branches, found = Branches(function.node), set[ast.stmt]()
    for statement in function.statements():
        if not isinstance(statement, ast.If) or not found.isdisjoint(function.outer(statement)):
            continue
        taken = branches.taken(statement, constants_at(statement, function))
        if taken is not None:
            found.add(statement)
            yield ConstantBranch(statement, taken)


def constants_at(statement: ast.stmt, function: Function) -> Mapping[str, Constant]:
    """The names that certainly have one value at a statement, whatever the arguments are."""
    known: dict[str, Constant] = {}
    if not isinstance(function.node, Definition):
        return known
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
                if found is not None and _is_bound_here_only(name, function):
                    known[name] = found
    return known


def _is_bound_here_only(name: str, function: Function) -> bool:
    assert isinstance(function.node, Definition)
    once = function.names.is_bound_once(name, function.node)
    return once and function.is_local(name) and not function.is_shared(name)
