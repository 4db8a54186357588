"""Which names of a loop are rows of lists: items of lists, or of dictionaries, that are lists themselves.

``for j in neighbours[i]``, ``cells[key].append(i)``, ``members = cells[key]``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nprewrite.base.syntax import walk


@dataclass(frozen=True)
class RowUse:
    """How the rows of a list or a dictionary are used.

    ``width`` is how many numbers an item of a row has, 0 where it is one number; ``nested`` says that they
    stand in lists of lists of lists, ``grid[i][j]``.
    """

    width: int = 0
    nested: bool = False

    def joined(self, other: RowUse) -> RowUse:
        """How they are used by both."""
        return RowUse(max(self.width, other.width), self.nested or other.nested)


@dataclass(frozen=True)
class Rows:
    """The lists and dictionaries whose items are rows, and the names of rows, each with what that is in."""

    owners: Mapping[str, RowUse]
    names: Mapping[str, str]
    optional: frozenset[str] = frozenset()
    """The names that are None where a key is missing, ``members = cells.get(key)``."""

    def among(self, lists: Collection[str]) -> Rows:
        """Those of some lists and dictionaries: the rest may be arrays."""
        owners = {name: each for name, each in self.owners.items() if name in lists}
        names = {name: owner for name, owner in self.names.items() if owner in lists}
        return Rows(owners, names, self.optional & names.keys())


def rows_of(*body: ast.stmt) -> Rows:
    """What statements use as rows."""
    nodes = [node for statement in body for node in walk(statement)]
    used = [*_used(nodes)]
    names = _names({node.id for node, _ in used if isinstance(node, ast.Name)}, nodes)
    owners: dict[str, RowUse] = {}
    for node, use in used:
        owner = names.get(node.id) if isinstance(node, ast.Name) else owner_of(node)
        if owner is not None:
            use = replace(use, nested=is_nested(node))
            owners[owner] = owners.get(owner, use).joined(use)
    optional = set()
    for each in nodes:
        match each:
            case ast.Assign([ast.Name(name)], value) if name in names and is_nested(value):
                owners[names[name]] = replace(owners[names[name]], nested=True)
            case ast.Assign([ast.Name(name)], value) if name in names and may_be_none(value):
                optional.add(name)
    return Rows(owners, names, frozenset(optional))


def owner_of(node: ast.expr) -> str | None:
    """The name of what ``neighbours[i]``, ``grid[i][j]`` or ``cells.get(key, [])`` is an item of."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), "get"), [_] | [_, ast.List([]) | ast.Tuple([])], []):
            return name
        case ast.Call(ast.Attribute(ast.Name(name), "setdefault"), [_, ast.List([])], []):
            return name
        case ast.Subscript(ast.Subscript(ast.Name(name), outer), place):
            return None if isinstance(outer, ast.Slice) or isinstance(place, ast.Slice) else name
        case ast.Subscript(ast.Name(name), place):
            return None if isinstance(place, ast.Slice) else name
    return None


def may_be_none(node: ast.expr) -> bool:
    """Whether it is ``cells.get(key)``."""
    return isinstance(node, ast.Call) and len(node.args) == 1


def is_nested(node: ast.expr) -> bool:
    """Whether it is ``grid[i][j]``."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript)


def numbered(node: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """What a loop runs over, without the ``enumerate`` around it, and from what that counts."""
    match node:
        case ast.Call(ast.Name("enumerate"), [given, *first], []) if len(first) < 2:
            return given, first[0] if first else ast.Constant(0)
    return node, None


def widths(nodes: Sequence[ast.AST]) -> dict[str, int]:
    """The names that are unpacked, ``v, weight = edge``, or read by number, with at least so many numbers."""
    found: dict[str, int] = {}
    for each in nodes:
        match each:
            case ast.Assign([ast.Tuple(parts)], ast.Name(name)):
                found[name] = max(found.get(name, 0), len(parts))
            case ast.Subscript(ast.Name(name), ast.Constant(int(place)), ast.Load()) if place >= 0:
                found[name] = max(found.get(name, 0), place + 1)
    return found


def width_of(target: ast.expr, known: Mapping[str, int]) -> int:
    """How many numbers a target takes; 0 if one."""
    if isinstance(target, ast.Name):
        return known.get(target.id, 0)
    return len(target.elts) if isinstance(target, ast.Tuple | ast.List) else 0


def _used(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.expr, RowUse]]:
    """The expressions that stand where only a row does, and how they are used."""
    known = widths(nodes)
    for each in nodes:
        match each:
            case ast.For(target, over) | ast.comprehension(target, over):
                row, first = numbered(over)
                if first is not None:
                    target = (
                        target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else row
                    )
                yield row, RowUse(width_of(target, known))
            case ast.Call(ast.Attribute(row, "append"), [item], []):
                yield row, RowUse(width_of(item, {}))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[row]):
                yield row, RowUse()


def _names(candidates: set[str], nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Those names that are bound to rows of one list or dictionary, and to nothing else."""
    bound: dict[str, list[str]] = {}
    for each in nodes:
        for name, owner in _bound(each):
            bound.setdefault(name, []).append(owner)
    stored = [each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    return {
        name: owners[0]
        for name, owners in bound.items()
        if name in candidates and {*owners} == {owners[0]} != {name} and len(owners) == stored.count(name)
    }


def _bound(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a statement binds to items of a list or a dictionary, with that."""
    match node:
        case ast.Assign([ast.Name(name)], value) if owner := owner_of(value):
            yield name, owner
        case (
            ast.For(ast.Name(name), ast.Name(owner))
            | ast.For(ast.Name(name), ast.Call(ast.Attribute(ast.Name(owner), "values"), [], []))
            | ast.For(
                ast.Tuple([_, ast.Name(name)]), ast.Call(ast.Attribute(ast.Name(owner), "items"), [], [])
            )
            | ast.For(ast.Tuple([_, ast.Name(name)]), ast.Call(ast.Name("enumerate"), [ast.Name(owner)], []))
        ):
            yield name, owner
