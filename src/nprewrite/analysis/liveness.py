"""Which names set in a loop may still be read after it, and which are certainly set before it."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal

from nprewrite.base.syntax import blocks, children, walk
from nprewrite.program.caught_errors import goes_on, may_catch, read_after_error
from nprewrite.program.exposed_names import exposed, may_leave
from nprewrite.program.function import Block, Definition, Function
from nprewrite.source.kept import kept, names_declared, names_deleted, names_mentioned, names_read
from nprewrite.source.names import ALL_SCOPES, parameter_names
from nprewrite.types.region_syntax import takes_results

Exposure = Literal["read", "set", "untouched"]
_Exposures = Mapping[str, Literal["read", "set"]]


@dataclass
class _Order:
    """The positions of a block's statements, and which of them read or set each name."""

    position: dict[int, int]
    """By the statement's identity."""
    exposed: dict[str, list[tuple[int, Exposure]]]
    surely_set: dict[str, int]
    """After how many statements a name certainly has a value."""
    leaving: list[int] = field(default_factory=list)
    """The positions of statements that may leave the iteration around the block."""

    def exposure(self, name: str, first: int = 0) -> Exposure:
        """Whether running the block from a statement on reads a name before it certainly sets it."""
        places = self.exposed.get(name, [])
        at = bisect_left(places, first, key=itemgetter(0))
        if at == len(places):
            return "untouched"
        left = self.leaving[bisect_left(self.leaving, first) :][:1] or [len(self.position)]
        if places[at][0] <= left[0]:
            return places[at][1]
        # Whoever reads the name elsewhere finds what it held before.
        return "read" if any(how == "read" for _, how in places[at:]) else "untouched"


def live_after(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether the value that ``name`` has when ``loop`` ends may be read; True when unsure."""
    if isinstance(function.node, ast.Module) or function.is_shared(name) or escapes(name, function.node):
        return True
    caught = any(may_catch(each, function.dotted) for each in function.outer(loop))
    inner: ast.stmt = loop
    for parent in (*reversed(function.outer(loop)), function.node):
        order = _order_of(inner, parent)
        following = order.exposure(name, order.position[id(inner)] + 1)
        if following == "read":
            return True
        if following == "set" and not caught:
            return False
        if isinstance(parent, ast.For | ast.While) and _read_again(name, parent, order):
            return True
        if isinstance(parent, ast.Try | ast.TryStar) and (
            name in read_after_error(parent) or any(name in names_read(each) for each in parent.orelse)
        ):
            return True
        if isinstance(parent, ast.stmt):
            inner = parent
    return False


def live_after_error(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether the value that ``name`` has when an exception ends ``loop`` may be read; True when unsure.

    An exception that nothing in the function catches ends the life of its names.
    """
    if isinstance(function.node, ast.Module) or function.is_shared(name) or escapes(name, function.node):
        return any(may_catch(each, function.dotted) for each in function.outer(loop))
    return any(
        name in read_after_error(each)
        or (goes_on(each, function.dotted) and live_after(name, each, function))
        for each in function.outer(loop)
        if may_catch(each, function.dotted)
    )


def surely_set(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether ``name`` has a value when ``loop`` starts, whatever path led there."""
    if isinstance(function.node, Definition) and name in parameter_names(function.node.args):
        return name not in names_deleted(function.node)
    if not function.is_local(name) or function.is_shared(name):
        attribute = name in function.module.spelling
        return attribute or function.names.is_bound_around(name, function.node)
    inner: ast.stmt = loop
    for parent in (*reversed(function.outer(loop)), function.node):
        order = _order_of(inner, parent)
        place = order.position[id(inner)]
        if order.surely_set.get(name, place + 1) <= place:
            return name not in names_deleted(function.node)
        in_body = isinstance(parent, ast.For) and id(parent.body[0]) in order.position
        if in_body and isinstance(parent, ast.For) and name in names_mentioned(parent.target):
            return True
        if isinstance(parent, ast.stmt):
            inner = parent
    return False


@kept
def _orders(parent: ast.AST) -> list[_Order]:
    """The order of each block of a statement or scope."""
    return [_order(block) for block in blocks(parent)]


def _order_of(statement: ast.stmt, parent: ast.stmt | Definition | ast.Module) -> _Order:
    """The order of the block of ``parent`` that contains a statement."""
    return next(each for each in _orders(parent) if id(statement) in each.position)


def _order(block: Block) -> _Order:
    made = _Order({id(each): at for at, each in enumerate(block)}, {}, {})
    made.leaving = [at for at, statement in enumerate(block) if may_leave(statement)]
    for at, statement in enumerate(block):
        for name, how in _exposures(statement).items():
            made.exposed.setdefault(name, []).append((at, how))
        for name in _surely_sets(statement):
            made.surely_set.setdefault(name, at + 1)
        for name in _set_by_region(block[at - 1], statement) if at else ():
            made.surely_set.setdefault(name, at + 1)
    return made


@kept
def _surely_sets(statement: ast.stmt) -> frozenset[str]:
    """The names that certainly have a value when a statement has ended."""
    return exposed([statement]).surely_set or frozenset()


def _set_by_block(block: Block) -> frozenset[str]:
    return frozenset().union(*map(_surely_sets, block))


def _set_by_region(before: ast.stmt, statement: ast.stmt) -> frozenset[str]:
    """The names that a region certainly sets, as written or by the results of its step."""
    if not isinstance(statement, ast.If) or not takes_results(statement, before):
        return frozenset()
    assert isinstance(before, ast.For)
    return _set_by_block(before.body) & _set_by_block(statement.body)


def exposure(name: str, block: Block) -> Exposure:
    """Whether running ``block`` reads ``name`` before it certainly sets it."""
    found = (_exposures(each).get(name) for each in block)
    return next((each for each in found if each is not None), "untouched")


@kept
def _exposures(statement: ast.stmt) -> _Exposures:
    """Which names a statement reads before it certainly sets them, and which it sets."""
    found = exposed([statement], trusting=False)
    return {**dict.fromkeys(found.surely_set or (), "set"), **dict.fromkeys(found.read, "read")}


def _read_again(name: str, loop: ast.For | ast.While, order: _Order) -> bool:
    """Whether the next iteration, or what follows the last, reads the name that the block has set."""
    tested = isinstance(loop, ast.While) and name in names_read(loop.test)
    return tested or "read" in {order.exposure(name), exposure(name, loop.orelse)}


def block_of(statement: ast.stmt, parent: ast.stmt | Definition | ast.Module) -> Block:
    """The block of ``parent`` that contains a statement."""
    return next(block for block in blocks(parent) if any(each is statement for each in block))


def escapes(name: str, function: Definition) -> bool:
    """Whether something outside the function's own statements can see the name."""
    return name in _escaping(function)


@kept
def _escaping(function: Definition) -> frozenset[str]:
    found = set[str]()
    for node in walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
        if isinstance(node, Definition | ast.Lambda | ast.ClassDef) and node is not function:
            found.update(name for name in names_read(node) if not _is_own(name, node))
    return frozenset(found)


def _is_own(name: str, scope: ast.AST) -> bool:
    """Whether the name is local to a function defined in another: a parameter, or a name that it binds."""
    if not isinstance(scope, Definition | ast.Lambda):
        return False
    outside = [*scope.args.defaults, *(each for each in scope.args.kw_defaults if each is not None)]
    outside += scope.decorator_list if isinstance(scope, Definition) else []
    if any(name in names_read(each) for each in outside):
        return False
    if name in parameter_names(scope.args):
        return True
    body = scope.body if isinstance(scope, Definition) else []
    return any(_binds(name, each) for each in body) and name not in names_declared(scope)


def _binds(name: str, node: ast.AST) -> bool:
    """Whether a statement binds the name in its own scope, not in one inside it."""
    if isinstance(node, ALL_SCOPES):
        return False
    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
        return True
    return any(_binds(name, each) for each in children(node))
