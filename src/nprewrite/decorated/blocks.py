"""The blocks of a function in which a loop may stop, and what a loop in one leaves to what follows it.

def main():
    with open("out.txt", "w") as out:
        for step in range(100):          a block of its own, in a `with`: the rest of the loop ends with
            u = smoothed(u)              the block, and gives back the names that are read after it
    return u
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import stored_names
from nprewrite.source.kept import names_read

_PLAIN = frozenset(("open", "errstate", "printoptions", "catch_warnings"))
"""What a `with` is entered for that lets each exception pass."""
_LEAVING = frozenset(("exit", "quit"))


@dataclass(frozen=True)
class Block:
    """Statements in a row, those that run before and after them, and the statements that they are in."""

    statements: list[ast.stmt]
    before: tuple[ast.stmt, ...] = ()
    after: tuple[ast.AST, ...] = ()
    around: tuple[ast.stmt, ...] = ()


def blocks_in(block: Block) -> Iterator[Block]:
    """A block, and those in its `if`, `with` and `try` statements."""
    yield block
    for number, each in enumerate(block.statements):
        earlier = (*block.before, *block.statements[:number], *_entered(each))
        later = (*block.statements[number + 1 :], *block.after)
        for inside, beside in parts_of(each):
            made = Block(inside, earlier, (*beside, *later), (*block.around, each))
            yield from blocks_in(made)


def _entered(node: ast.stmt) -> Iterator[ast.stmt]:
    """The head of a `with` by itself, which binds names."""
    if isinstance(node, ast.With):
        yield ast.With(node.items, [])


def parts_of(node: ast.stmt) -> Iterator[tuple[list[ast.stmt], Sequence[ast.AST]]]:
    """The blocks of a statement in which a loop may stop, each with the parts that run after it."""
    match node:
        case ast.If(body=body, orelse=orelse):
            yield body, ()
            yield orelse, ()
        case ast.With(body=body):
            yield body, ()
        case ast.Try(body=body):
            yield body, (*node.handlers, *node.orelse, *node.finalbody)


def results_of(block: Block, later: Sequence[ast.stmt]) -> tuple[str, ...] | None:
    """The names that the last statements of a block bind and that are read after it.

    None where one may be read after an exception in them, which would leave it as it was before.
    """
    stored = stored_names(*later)
    read = frozenset[str]().union(*map(names_read, block.after))
    for each in block.around:
        if _may_catch(each) and not stored.isdisjoint(read if _goes_on(each) else _read_beside(each)):
            return None
    return tuple(sorted(stored & read))


def _may_catch(node: ast.stmt) -> bool:
    match node:
        case ast.With(items=items):
            return not all(_is_plain(each.context_expr) for each in items)
    return isinstance(node, ast.Try)


def _is_plain(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            return name in _PLAIN
    return False


def _goes_on(node: ast.stmt) -> bool:
    """Whether what follows a statement may run after an exception in it."""
    if not isinstance(node, ast.Try):
        return True
    jumps = (ast.Return, ast.Break, ast.Continue)
    if any(isinstance(each, jumps) for part in node.finalbody for each in ast.walk(part)):
        return True
    return not all(_leaves(each.body[-1]) for each in node.handlers)


def _leaves(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(ast.Call(ast.Name(name) | ast.Attribute(attr=name))):
            return name in _LEAVING
    return isinstance(node, ast.Return | ast.Raise)


def _read_beside(node: ast.stmt) -> frozenset[str]:
    """The names that a `try` reads elsewhere than in what it tries."""
    assert isinstance(node, ast.Try)
    return frozenset[str]().union(*map(names_read, (*node.handlers, *node.finalbody)))
