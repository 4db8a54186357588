"""The names that statements read before they set them, and those that they certainly set."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nprewrite.base.syntax import children, names_bound, walk

Names = frozenset[str]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVES = (ast.Break, ast.Continue, ast.Raise)


@dataclass
class Exposed:
    """The names that statements, run in order, read from before; ``surely_set`` is None if they never end."""

    read: dict[str, ast.Name] = field(default_factory=dict)
    surely_set: Names | None = frozenset()
    broken: list[list[Names]] = field(default_factory=list)
    """For each loop around the current statement, the names that are set at each ``break``."""
    trusting: bool = True
    """Whether nothing follows where statements are left, and a ``with`` lets each exception pass."""


def exposed(statements: Sequence[ast.stmt], *, trusting: bool = True) -> Exposed:
    """The names that ``statements`` may read before they set them, in order, and those set when they end."""
    found = Exposed(trusting=trusting)
    found.surely_set = _block(statements, frozenset(), found)
    return found


def may_leave(statement: ast.stmt) -> bool:
    """Whether a statement may end the iteration around it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break | ast.Continue):
            return True
        if isinstance(node, ast.For | ast.While):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            parts = children(node)
            waiting += (
                each for each in parts if isinstance(each, ast.stmt | ast.excepthandler | ast.match_case)
            )
    return False


def _block(statements: Sequence[ast.stmt], known: Names | None, found: Exposed) -> Names | None:
    for statement in statements:
        if known is None:
            return None
        known = _statement(statement, known, found)
    return known


def _statement(node: ast.stmt, known: Names, found: Exposed) -> Names | None:
    match node:
        case ast.For():
            _read([node.iter, node.target], known, found)
            return _loop(node, known, known | {*names_bound(node.target)}, found)
        case ast.While():
            _read([node.test], known, found)
            return _loop(node, known, known, found)
        case ast.If():
            _read([node.test], known, found)
            return _meeting([_block(each, known, found) for each in (node.body, node.orelse)])
        case ast.Try() | ast.TryStar():
            return _try(node, known, found)
        case ast.With() | ast.AsyncWith():
            _read(node.items, known, found)
            entered = known | {*names_bound(*node.items)}
            inside = _block(node.body, entered, found)
            return inside if found.trusting else entered
        case ast.Break() if found.broken:
            found.broken[-1].append(known)
            return None
        case ast.Continue() if found.broken:
            return None
    _read([node], known, found)
    if isinstance(node, ast.Return) or (found.trusting and isinstance(node, _LEAVES)):
        return None
    if found.broken and any(isinstance(each, ast.Break) for each in walk(node)):
        # In a ``match``, which is not followed.
        found.broken[-1].append(known)
    match node:
        case ast.Assign(targets=targets):
            return known | {*names_bound(*targets)}
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target, value=ast.expr()):
            return known | {*names_bound(target)}
    return known


def _try(node: ast.Try | ast.TryStar, known: Names, found: Exposed) -> Names | None:
    """The names set after a ``try``; a handler may find none of those that its body sets."""
    _read([each.type for each in node.handlers if each.type is not None], known, found)
    ends = [_block(each.body, known, found) for each in node.handlers]
    end = _meeting([_block([*node.body, *node.orelse], known, found), *ends])
    last = _block(node.finalbody, known, found)
    return None if end is None or last is None else end | last


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
            if each.id not in known:
                found.read.setdefault(each.id, each)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    """The names that a node reads or deletes, in the order of the text."""
    if isinstance(node, _COMPREHENSIONS):
        yield from _names_outside(node)
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
        yield node
    parts = [node.value, node.target] if isinstance(node, ast.AugAssign) else children(node)
    for child in parts:
        yield from _names(child)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target


def _names_outside(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Iterator[ast.Name]:
    """The names that a comprehension reads, without its own: only what it runs over first is outside."""
    over = node.generators[0].iter
    yield from _names(over)
    own = names_bound(*(each.target for each in node.generators))
    values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    inside = [part for each in node.generators for part in (each.target, each.iter, *each.ifs)]
    for each in (*values, *inside):
        if each is not over:
            yield from (name for name in _names(each) if name.id not in own)
