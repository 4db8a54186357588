"""The dictionaries and sets of numbers in a loop for Numba: which names they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from nprewrite.base.syntax import bindings, name_nodes, walk
from nprewrite.lowering.made_maps import made_by
from nprewrite.program.function import Function
from nprewrite.source.kept import kept
from nprewrite.types.values import Instance, Unknown, Value


def maps_of(loop: ast.stmt, function: Function) -> Mapping[str, str]:
    """The names whose items a loop looks up where the function makes or is given dictionaries or sets.

    Each with what is made: a "dict", a "set", a "counter", or a dictionary of "int" or "float".
    """
    used = {*_used(loop)}
    made = {name: each for name, each in _made(function.node).items() if name in used}
    kinds = {name: {made_by(value, function.dotted) for value in values} for name, values in made.items()}
    found = {name: each.pop() for name, each in kinds.items() if len(each) == 1}
    before, values = function.facts.before(loop), function.facts.expressions.values
    shown = {each.id for each in name_nodes(loop) if _is_given(before.get(each.id) or values.get(each))}
    found = {name: kind for name, kind in found.items() if kind}
    return {**{name: _given_as(loop, name) for name in used & shown}, **found}


def _used(loop: ast.stmt) -> Iterator[str]:
    """Names that a loop uses as a dictionary or a set may be used."""
    for each in walk(loop):
        match each:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if not isinstance(index, ast.Slice):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get" | "setdefault" | "add")):
                yield name
            case (
                ast.For(iter=ast.Name(id=name))
                | ast.For(
                    iter=ast.Call(
                        func=ast.Attribute(value=ast.Name(id=name), attr="keys" | "values" | "items"), args=[]
                    )
                )
            ):
                yield name
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                yield name


@kept
def _made(scope: ast.AST) -> Mapping[str, list[ast.expr]]:
    """The names that a function, or a module, binds, with what it binds them to."""
    found: dict[str, list[ast.expr]] = {}
    nodes = [*walk(scope)]
    annotated = [
        (each.target, each.value)
        for each in nodes
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None
    ]
    for target, value in (*bindings(nodes), *annotated):
        found.setdefault(target.id, []).append(value)
    return found


def _is_given(value: Value | None) -> bool:
    """Whether a call has shown a dictionary or a set of numbers."""
    if isinstance(value, Instance):
        return value.kind is dict and not any(name.startswith(("'", '"')) for name, _ in value.attributes)
    return isinstance(value, Unknown) and value.mapped


def _given_as(loop: ast.stmt, name: str) -> str:
    """What a loop takes it for that a call has shown; what is looked up may be in neither."""
    methods = {each.attr for each in walk(loop) if isinstance(each, ast.Attribute) and _names(each, name)}
    picks = any(isinstance(each, ast.Subscript) and _names(each, name) for each in walk(loop))
    return "dict" if picks or methods & {"get", "setdefault", "keys", "values", "items"} else "set"


def _names(node: ast.Attribute | ast.Subscript, name: str) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == name
