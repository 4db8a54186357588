"""The names that some statements read before they set them, and those that they surely set."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Names = frozenset[str]


@dataclass
class Exposed:
    """What statements, run in order, read from before them; ``surely_set`` is None where they never end."""

    read: dict[str, ast.Name] = field(default_factory=dict)
    surely_set: Names | None = frozenset()


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
            inside = known | {*_targets(node.target)}
            _read([node.target], known, found)
            _block(node.body, inside, found)
            return _after(node, known, found)
        case ast.While():
            _read([node.test], known, found)
            _block(node.body, known, found)
            return _after(node, known, found)
        case ast.If():
            _read([node.test], known, found)
            ends = [_block(each, known, found) for each in (node.body, node.orelse)]
            reached = [each for each in ends if each is not None]
            return frozenset.intersection(*reached) if reached else None
        case ast.Break() | ast.Continue() | ast.Return() | ast.Raise():
            _read([node], known, found)
            return None
        case ast.AugAssign():
            _read([node.value, node.target], known, found)
            if isinstance(node.target, ast.Name) and node.target.id not in known:
                found.read.setdefault(node.target.id, node.target)
            return known | {*_targets(node.target)}
    _read([node], known, found)
    return known | {*_targets(node)}


def _after(node: ast.For | ast.While, known: Names, found: Exposed) -> Names | None:
    """What is known after a loop: a ``break`` leaves out its ``else``."""
    ended = _block(node.orelse, known, found)
    breaks = any(isinstance(each, ast.Break) for statement in node.body for each in ast.walk(statement))
    return known if breaks else ended


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


def _targets(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
