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
from nprewrite.program.caught_errors import Resolve, goes_on, may_catch, read_after_error
from nprewrite.source.kept import names_read


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


def results_of(block: Block, later: Sequence[ast.stmt], resolve: Resolve) -> tuple[str, ...] | None:
    """The names that the last statements of a block bind and that are read after it.

    None where one may be read after an exception in them, which would leave it as it was before.
    """
    stored = stored_names(*later)
    read = frozenset[str]().union(*map(names_read, block.after))
    for each in block.around:
        if may_catch(each, resolve) and not stored.isdisjoint(
            read if goes_on(each, resolve) else read_after_error(each)
        ):
            return None
    return tuple(sorted(stored & read))
