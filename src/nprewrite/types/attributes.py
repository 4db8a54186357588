"""Attributes of the objects that a function gets, and entries of dictionaries and tuples, as local names.

``self.u`` is a variable like any other where the object keeps it as plain data and no other argument is the
same object, and so are ``p["u"]`` and ``p[0]``. The tree then has names where the text has those, at the same
positions.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from nprewrite.base.syntax import bindings, name_nodes, parts_of, stored_names, twin, walk
from nprewrite.source.document import Document
from nprewrite.source.kept import kept
from nprewrite.source.names import find_definition, statements_of
from nprewrite.types.array_functions import literal
from nprewrite.types.object_names import ObjectNames, Path
from nprewrite.types.values import Callee, Instance, Items, Unknown, Value, suggested
from nprewrite.types.variables import spelled


@dataclass(frozen=True)
class AttributeNames:
    """The document whose tree has names for attributes, with the spelling and the value of each."""

    document: Document
    spelling: Mapping[str, str]
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Chains:
    """The attributes and literal entries that a text takes: of each name, and of each other such step."""

    of_names: Mapping[str, frozenset[str]]
    of_steps: Mapping[str, frozenset[str]]


NO_CHAINS = Chains({}, {})


@kept
def chains(tree: ast.Module) -> Chains:
    """The chains of attributes and entries in a module."""
    of_names: dict[str, set[str]] = defaultdict(set)
    of_steps: dict[str, set[str]] = defaultdict(set)
    for node in walk(tree):
        path = _path(node) if isinstance(node, ast.Attribute | ast.Subscript) else None
        if path is None:
            continue
        *before, last = path
        (of_names if len(before) == 1 else of_steps)[before[-1]].add(last)
    for target, value in bindings(walk(tree)):
        named = _path(value)
        if named is not None and len(named) > 1:
            of_steps[named[-1]] |= of_names.get(target.id, set())
    return Chains(*({key: frozenset(each) for key, each in held.items()} for held in (of_names, of_steps)))


def attributes_as_names(
    document: Document, qualname: str, given: Mapping[str, Value]
) -> AttributeNames | None:
    """The document with names for the attributes of what a function uses; None where there are none."""
    owners = {name: value for name, value in given.items() if isinstance(value, Instance | Callee)}
    node = find_definition(document.tree, qualname) if owners else None
    if node is None:
        return None
    stored = stored_names(node)
    owners = {name: value for name, value in owners.items() if name not in stored}
    objects = dict(_owners(owners))
    further = ObjectNames(
        node, _path, objects.__contains__, lambda called: document.names.dotted(called, node)
    )
    known = dict(_known(node, objects, further))
    if not known:
        return None
    names = {path: document.names.fresh(_as_name(path)) for path in known}
    tree = twin(document.tree)
    renamed = find_definition(tree, qualname)
    assert renamed is not None
    _Renaming(names, further).generic_visit(renamed)
    read = {each.id for each in name_nodes(renamed) if isinstance(each.ctx, ast.Load)}
    _Unbinding(further.paths.keys() - read).generic_visit(renamed)
    values = {name: suggested(known[path]) for path, name in names.items()}
    spelling = {name: spelled(path) for path, name in names.items()}
    return AttributeNames(document.with_tree(tree), spelling, values)


def awaited_object(
    loop: ast.stmt, values: Mapping[ast.expr, Value], before: Mapping[str, Value]
) -> str | None:
    """The parameter whose attributes a loop uses, if a run or its class shows that they are arrays."""
    for node in walk(loop):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = values.get(node.value) or before.get(node.value.id)
            if isinstance(value, Unknown) and value.array and value.parameter == node.value.id:
                return node.value.id
    return None


_OF_FUNCTIONS = ("__self__", "__closure__", "cell_contents")


def _known(
    node: ast.FunctionDef | ast.AsyncFunctionDef, owners: Mapping[Path, Instance], further: ObjectNames
) -> Iterator[tuple[Path, Value]]:
    """The attributes that the function uses and that can be reached under one name only."""
    used = [each for each in statements_of(node) if isinstance(each, ast.Attribute | ast.Subscript)]
    spelt = [(path, type(each.ctx)) for each in used if (path := _path(each)) is not None]
    paths = [(further.canonical(path), ctx) for path, ctx in spelt]
    stored = {path for path, ctx in paths if ctx is not ast.Load}
    deleted = {path for path, ctx in paths if ctx is ast.Del}
    taken = {path for path, _ in paths}
    tuples = set[Path]()
    whole = {further.canonical(path) for each in _wholes(node) if (path := _path(each)) is not None}
    for path in sorted({path for path in taken if path[:-1] in owners} - deleted):
        *owner, name = path
        value = dict(owners[tuple(owner)].attributes).get(name)
        if value is None or isinstance(value, Instance | Callee):
            continue
        # Of other tuples the text names the numbers.
        unnamed = isinstance(value, Items) and path not in whole | stored
        if unnamed or path[:-1] in tuples:
            continue
        replaced = any(path[:length] in stored for length in range(2, len(path)))
        others = {(*each, name) for each in _alike(tuple(owner), name, owners)} & taken
        changed = bool(others) and not stored.isdisjoint({path, *others})
        if not replaced and not changed:
            tuples |= {path} if isinstance(value, Items) else set()
            yield path, value


def _wholes(node: ast.AST) -> Iterator[ast.expr]:
    """What a function binds to names, compares, or takes for an index."""
    for each in statements_of(node):
        match each:
            case ast.Assign(value=value):
                yield from parts_of(value)
            case ast.Compare(left=left, comparators=others):
                yield from (left, *others)
            case ast.Subscript(slice=index):
                yield index


def _owners(owners: Mapping[str, Value], *before: str) -> Iterator[tuple[Path, Instance]]:
    """All objects that can be reached, by the paths to them."""
    for name, owner in owners.items():
        if isinstance(owner, Instance):
            yield (*before, name), owner
            yield from _owners(dict(owner.attributes), *before, name)
        elif isinstance(owner, Items):
            count = len(owner.values)
            numbers = ((repr(k), owner.values[k]) for k in range(-count, count))
            yield (*before, name), Instance(tuple, tuple(numbers))
        elif isinstance(owner, Callee):
            for number, (_, value) in enumerate(owner.variables):
                *path, last = owner.path(number)
                yield from _owners({last: value}, *before, name, *path)


def _alike(path: Path, name: str, owners: Mapping[Path, Instance]) -> Iterator[Path]:
    """The other paths to what may be the same object, of which ``name`` would be the same variable."""
    kind = owners[path].kind
    for other, owner in owners.items():
        related = issubclass(kind, owner.kind) or issubclass(owner.kind, kind)
        if other != path and related and name in dict(owner.attributes):
            yield other


def _path(node: ast.expr) -> Path | None:
    """The path that an expression spells, if it begins with a name."""
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=owner, attr=name):
            step = name
        case ast.Subscript(value=owner, slice=index) if isinstance(key := literal(index), str | int):
            step = repr(key)
        case _:
            return None
    before = _path(owner)
    return None if before is None else (*before, step)


def _as_name(path: Path) -> str:
    """``p_dt`` for ``p.dt`` and for ``p["dt"]``, ``f_dt`` for what the object of a method has."""
    return re.sub(r"\W+", "_", "_".join(each.strip("'") for each in path if each not in _OF_FUNCTIONS))


class _Renaming(ast.NodeTransformer):
    """Names for attributes, in one scope."""

    def __init__(self, names: Mapping[Path, str], further: ObjectNames) -> None:
        self._names = names
        self._further = further

    def visit_Attribute(self, node: ast.Attribute | ast.Subscript) -> ast.expr:
        path = _path(node)
        path = self._further.canonical(path) if path is not None else None
        if path is None or path not in self._names:
            self.generic_visit(node)
            return node
        return ast.copy_location(ast.Name(self._names[path], node.ctx), node)

    visit_Subscript = visit_Attribute

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        """Leave other scopes as they are."""
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef


class _Unbinding(ast.NodeTransformer):
    """Without the statements that bind some further names of objects, where nothing reads these any more."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """``pass`` for ``g = self.grid``."""
        (target, *_) = node.targets
        unread = isinstance(target, ast.Name) and target.id in self._names
        return ast.copy_location(ast.Pass(), node) if unread else node
