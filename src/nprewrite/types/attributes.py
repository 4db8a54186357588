"""Attributes of the objects that a function gets, and entries of dictionaries and tuples, as local names.

``self.u`` is a variable like any other where the object keeps it as plain data and no other argument is the
same object, and so are ``p["u"]`` and ``p[0]``. The tree then has names where the text has those, at the same
positions.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nprewrite.base.syntax import stored_names
from nprewrite.source.document import Document
from nprewrite.source.names import find_definition, parameter_names, statements_of
from nprewrite.types.values import Instance, Unknown, Value, suggested


@dataclass(frozen=True)
class AttributeNames:
    """The document whose tree has names for attributes, with the spelling and the value of each."""

    document: Document
    spelling: Mapping[str, str]
    values: Mapping[str, Value]


def attributes_as_names(
    document: Document, qualname: str, given: Mapping[str, Value]
) -> AttributeNames | None:
    """The document with names for the attributes of a function's arguments; None where there are none."""
    owners = {name: value for name, value in given.items() if isinstance(value, Instance)}
    node = find_definition(document.tree, qualname) if owners else None
    if node is None:
        return None
    stored = stored_names(node)
    owners = {name: value for name, value in owners.items() if name not in stored}
    known = dict(_known(node, owners))
    if not known:
        return None
    names = {path: document.names.fresh(_as_name(*path)) for path in known}
    tree = copy.deepcopy(document.tree)
    renamed = find_definition(tree, qualname)
    assert renamed is not None
    _Renaming(names).generic_visit(renamed)
    values = {name: suggested(known[path]) for path, name in names.items()}
    spelling = {name: _spelled(*path) for path, name in names.items()}
    return AttributeNames(document.with_tree(tree), spelling, values)


def awaited_object(
    loop: ast.stmt, values: Mapping[ast.expr, Value], before: Mapping[str, Value]
) -> str | None:
    """The parameter whose attributes a loop uses, if a run or its class shows that they are arrays."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = values.get(node.value) or before.get(node.value.id)
            if isinstance(value, Unknown) and value.array and value.parameter == node.value.id:
                return node.value.id
    return None


Path = tuple[str, str]
"""The name of an argument, and that of its attribute, or the literal for its entry as ``repr`` has it."""


def _known(
    node: ast.FunctionDef | ast.AsyncFunctionDef, owners: Mapping[str, Instance]
) -> Iterator[tuple[Path, Value]]:
    """The attributes that the function uses and that can be reached under one name only."""
    used = [each for each in statements_of(node) if isinstance(each, ast.Attribute | ast.Subscript)]
    paths = {
        (path, type(each.ctx)) for each in used if (path := _path(each)) is not None and path[0] in owners
    }
    kinds = Counter(value.kind for value in owners.values())
    changed = {(owners[owner].kind, name) for (owner, name), ctx in paths if ctx is not ast.Load}
    deleted = {path for path, ctx in paths if ctx is ast.Del}
    parameters = set(parameter_names(node.args))
    for path in sorted({path for path, _ in paths} - deleted):
        owner, name = path
        value = dict(owners[owner].attributes).get(name)
        shared = kinds[owners[owner].kind] > 1 and (owners[owner].kind, name) in changed
        if value is not None and not shared and owner in parameters:
            yield path, value


def _path(node: ast.expr) -> Path | None:
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return owner, name
        case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str() | int() as key)):
            return owner, repr(key)
        case ast.Subscript(
            value=ast.Name(id=owner),
            slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as key)),
        ):
            return owner, repr(-key)
    return None


def _as_name(owner: str, name: str) -> str:
    """``p_dt`` for ``p.dt`` and for ``p["dt"]``."""
    key = name.strip("'")
    return re.sub(r"\W+", "_", f"{owner}_{key}")


def _spelled(owner: str, name: str) -> str:
    return f"{owner}.{name}" if name.isidentifier() else f"{owner}[{name}]"


class _Renaming(ast.NodeTransformer):
    """Names for attributes, in one scope."""

    def __init__(self, names: Mapping[Path, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._named(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._named(node)

    def _named(self, node: ast.Attribute | ast.Subscript) -> ast.expr:
        path = _path(node)
        if path is None or path not in self._names:
            self.generic_visit(node)
            return node
        return ast.copy_location(ast.Name(self._names[path], node.ctx), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node
