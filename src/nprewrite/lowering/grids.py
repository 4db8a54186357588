"""Grids in lowered code, lists of lists of one length: ``grid[i][j]``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nprewrite.base import syntax
from nprewrite.lowering import held_lists
from nprewrite.lowering.arrays import LONGEST
from nprewrite.lowering.held_lists import NO_PLACE, OUT_OF_RANGE, HeldList, Walk, held_by, is_empty
from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import NotNative, Unreachable
from nprewrite.lowering.values import Value
from nprewrite.lowering.written_lists import literal_index


def grids_of(*body: ast.stmt) -> frozenset[str]:
    """The names under which statements store into items, or compute places in them: ``grid[i][j]``."""
    found = set()
    for each in (node for statement in body for node in syntax.walk(statement)):
        match each:
            case ast.Subscript(ast.Subscript(ast.Name(id=name)), place, context):
                if isinstance(context, ast.Store) or literal_index(place) is None:
                    found.add(name)
    return frozenset(found)


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``grid[i][j]``."""
    return _read(walk, held, _cell(walk, held, node, OUT_OF_RANGE))


def store(walk: Walk, held: HeldList, node: ast.Subscript, value: Value) -> None:
    """``grid[i][j] = x``."""
    _put(walk, held, _cell(walk, held, node, NO_PLACE), value)


def augment(walk: Walk, held: HeldList, node: ast.Subscript, changed: Callable[[Value], Value]) -> None:
    """``grid[i][j] += x``; ``changed`` gives the new number for the old one."""
    start = _cell(walk, held, node, OUT_OF_RANGE)
    _put(walk, held, start, changed(_read(walk, held, start)))


def row_length(walk: Walk, node: ast.Subscript) -> Value | None:
    """``len(grid[i])``; None where the list is no grid."""
    held = held_by(walk, node.value)
    if held is None or walk.memory.lists[held.name].kind != "grid":
        return None
    held_lists.place(walk, held, node, OUT_OF_RANGE)
    length = walk.code.temporary(_columns(held))
    return Value({INT: length}, form=walk.code.symbols.between(1, LONGEST))


def _columns(held: HeldList) -> str:
    return f"{held.text}[4]"


def _cell(walk: Walk, held: HeldList, node: ast.Subscript, raising: str) -> str:
    """The first slot of a number; ``raising`` is what the original does where its row has no such place."""
    assert isinstance(node.value, ast.Subscript)
    row = held_lists.place(walk, held, node.value, OUT_OF_RANGE)
    if is_empty(walk, held):
        raise Unreachable
    items = walk.memory.lists[held.name]
    if items.kind != "grid":
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a number of an item", node)
    index, columns = walk.index(node.slice, node), _columns(held)
    walk.code.node = node
    column = walk.in_range(columns, walk.code.symbols.between(1, LONGEST), index, 0, raising)
    return walk.code.temporary(f"(np.int64({row}) * {columns} + {column}) * {items.width}")


def _read(walk: Walk, held: HeldList, start: str) -> Value:
    return held_lists.read(walk.code, held, start, 0, walk.memory.lists[held.name].columns[0])


def _put(walk: Walk, held: HeldList, start: str, value: Value) -> None:
    held.cells = True
    items = walk.memory.add_items(held.name, Items("grid", (Column.of(value.codes),)))
    held_lists.put_column(walk.code, held, start, items.columns[0], value)
