"""Rows of lists of lists in lowered code, over which a loop runs: ``for j in neighbours[i]``.

They need not be of one length. Their numbers lie one row after the other; an index, at the address
``p_xs[8]``, says where each begins.
"""

from __future__ import annotations

import ast

from nprewrite.base import syntax
from nprewrite.lowering import held_lists
from nprewrite.lowering.arrays import LONGEST
from nprewrite.lowering.held_lists import OUT_OF_RANGE, HeldList, Walk, held_by, is_empty
from nprewrite.lowering.list_items import ROWS
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import Unreachable
from nprewrite.lowering.values import Value


def rows_of(*body: ast.stmt) -> frozenset[str]:
    """The names over whose items statements run: ``for j in neighbours[i]``."""
    found = set()
    for each in (node for statement in body for node in syntax.walk(statement)):
        match each:
            case ast.For(iter=ast.Subscript(ast.Name(id=name), place)) if not isinstance(place, ast.Slice):
                found.add(name)
    return frozenset(found)


def row_in(walk: Walk, node: ast.expr) -> HeldList | None:
    """The list of whose rows ``neighbours[i]`` is one."""
    held = held_by(walk, node.value) if isinstance(node, ast.Subscript) else None
    return held if held is not None and walk.memory.lists[held.name].kind == ROWS else None


def bounds(walk: Walk, held: HeldList, node: ast.Subscript) -> tuple[str, str]:
    """The first number of a row, counted in all rows, and the one behind the last."""
    place = walk.code.temporary(f"np.int64({held_lists.place(walk, held, node, OUT_OF_RANGE)})")
    first, last = (f"start_of_row({held.text}, {place}{more})" for more in ("", " + 1"))
    return walk.code.temporary(first), walk.code.temporary(last)


def length(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``len(neighbours[i])``."""
    first, last = bounds(walk, held, node)
    return Value({INT: walk.code.temporary(f"{last} - {first}")}, form=walk.code.symbols.between(0, LONGEST))


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``neighbours[i][k]``."""
    assert isinstance(node.value, ast.Subscript)
    first, last = bounds(walk, held, node.value)
    if is_empty(walk, held):
        raise Unreachable
    index = walk.index(node.slice, node)
    walk.code.node = node
    known = walk.code.symbols.between(0, LONGEST)
    place = walk.in_range(f"({last} - {first})", known, index, 0, OUT_OF_RANGE)
    return number_at(walk, held, f"{first} + {place}")


def searched(walk: Walk, node: ast.expr) -> tuple[HeldList, str, str] | None:
    """The list of integers in which ``j in neighbours[i]``, or ``j in xs``, looks, from one number of it to
    behind another; None for all else."""
    held = row_in(walk, node)
    if held is not None and isinstance(node, ast.Subscript):
        return held, *bounds(walk, held, node)
    held = held_by(walk, node)
    if held is None or held.is_queue or walk.memory.lists[held.name].kind not in ("", "number"):
        return None
    held.reads = True
    return held, "0", walk.code.temporary(f"{held.text}[1]")


def number_at(walk: Walk, held: HeldList, place: str) -> Value:
    """The number at a place, counted in all rows."""
    items = walk.memory.lists[held.name]
    start = walk.code.temporary(f"np.int64({place}) * {items.width}")
    return held_lists.read(walk.code, held, start, 0, items.columns[0])
