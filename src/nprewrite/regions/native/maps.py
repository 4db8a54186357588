"""The dictionaries and sets of numbers in a loop for Numba: which names they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from nprewrite.base.syntax import bindings, name_nodes, walk
from nprewrite.lowering.list_items import MOST_KEYS, Column, Items
from nprewrite.lowering.made_maps import made_by
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.row_uses import width_of, widths
from nprewrite.lowering.tuple_items import taken
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


def map_guessed(name: str, loop: ast.stmt, items: Items) -> Items:
    """What a dictionary or a set is taken to hold whose keys are tuples by how a loop uses them."""
    count = max(_key_widths(name, [*walk(loop)]), default=0)
    if not 1 < count <= MOST_KEYS or items.guess is None:
        return items
    under = () if items.made == "set" or items.rows is not None else (Column((items.guess,)),)
    return replace(items, columns=(*[Column((INT,))] * count, *under), keys=count)


def _key_widths(name: str, nodes: list[ast.AST]) -> Iterator[int]:
    """How many numbers keys have where they stand."""
    known = widths(nodes)
    for target, item in taken(nodes):
        match item:
            case ast.Call(ast.Attribute(ast.Name(owner))) | ast.Subscript(ast.Name(owner)) if owner == name:
                yield width_of(target, known)
    for each in nodes:
        match each:
            case (
                ast.Subscript(ast.Name(owner), key)
                | ast.Compare(key, [ast.In() | ast.NotIn()], [ast.Name(owner)])
                | ast.Call(ast.Attribute(ast.Name(owner), "get" | "setdefault" | "add"), [key, *_], [])
            ) if owner == name:
                yield width_of(key, known)


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
