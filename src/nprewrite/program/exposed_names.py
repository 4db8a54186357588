"""The names that statements read before they set them, and those that they certainly set."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nprewrite.base.syntax import names_bound

Names = frozenset[str]


@dataclass
class Exposed:
    """The names that statements, run in order, read from before; ``surely_set`` is None if they never end."""

    read: dict[str, ast.Name] = field(default_factory=dict)
    surely_set: Names | None = frozenset()
    broken: list[list[Names]] = field(default_factory=list)
    """For each loop around the current statement, the names that are set at each ``break``."""


def exposed(statements: Sequence[ast.stmt]) -> Exposed:
    """The names that ``statements`` may read before they set them, in order, and those set when they end."""
    found = Exposed()
    found.surely_set = _block(statements, frozenset(), found)
    return found


def _block(statements: Sequence[ast.stmt], known: Names | None, found: Exposed) -> Names | None:
    for statement in statements:
        if known is None:
            return None
        known = _statement(statement, known, found)
    return known


def _statement(node: ast.stmt, known: Names, found: Exposed) -> Names | None:
    match node:
        case ast.For():
            _read([node.iter], known, found)
            _read([node.target], known, found)
            return _loop(node, known, known | {*names_bound(node.target)}, found)
        case ast.While():
            _read([node.test], known, found)
            return _loop(node, known, known, found)
        case ast.If():
            _read([node.test], known, found)
            ends = [_block(each, known, found) for each in (node.body, node.orelse)]
            return _meeting(ends)
        case ast.Break() if found.broken:
            found.broken[-1].append(known)
            return None
        case ast.Break() | ast.Continue() | ast.Return() | ast.Raise():
            _read([node], known, found)
            return None
        case ast.AugAssign():
            _read([node.value, node.target], known, found)
            if isinstance(node.target, ast.Name) and node.target.id not in known:
                found.read.setdefault(node.target.id, node.target)
            return known | {*names_bound(node.target)}
    _read([node], known, found)
    if found.broken and any(isinstance(each, ast.Break) for each in ast.walk(node)):
        # In a ``try``, a ``with`` or a ``match``, which are not followed.
        found.broken[-1].append(known)
    return known | {*names_bound(node)}


def _loop(node: ast.For | ast.While, known: Names, inside: Names, found: Exposed) -> Names | None:
    """The names set after a loop: a ``break`` skips its ``else``; ``while True`` has no other end."""
    found.broken.append([])
    _block(node.body, inside, found)
    broken = found.broken.pop()
    endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    return _meeting([*broken, None if endless else _block(node.orelse, known, found)])


def _meeting(ends: Sequence[Names | None]) -> Names | None:
    """The names that are set on every path that gets there."""
    reached = [each for each in ends if each is not None]
    return frozenset.intersection(*reached) if reached else None


def _read(nodes: Sequence[ast.AST], known: Names, found: Exposed) -> None:
    for node in nodes:
        for each in _names(node):
            if isinstance(each.ctx, ast.Load) and each.id not in known:
                found.read.setdefault(each.id, each)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    """The names of a node, in the order of the text."""
    if isinstance(node, ast.Name):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _names(child)
