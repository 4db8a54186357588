"""Stores into elements or rows whose numbers are listed: ``a[[i, k]] = a[[k, i]]``, one after the other."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from nprewrite.base.syntax import items_of, placed
from nprewrite.lowering.array_walk import ArrayWalk


def stores(walk: ArrayWalk, node: ast.Assign) -> list[ast.stmt] | None:
    """The statements that an assignment stands for; None for other assignments.

    All that is stored is read first, and all indices are looked at: where one is out of range, NumPy stores
    nothing.
    """
    match node:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name()) as target]):
            places = _listed(target)
        case _:
            return None
    if places is None:
        return None
    if id(node) not in walk.memory.made:
        walk.memory.made[id(node)] = _stores(walk, places, node)
    return walk.memory.made[id(node)]


def _stores(walk: ArrayWalk, places: Sequence[ast.Subscript], node: ast.Assign) -> list[ast.stmt]:
    rows = _listed(node.value) if isinstance(node.value, ast.Subscript) else None
    read: list[ast.expr] = [node.value]
    if rows is not None and len(rows) == len(places):
        read = [_apart(walk, each) for each in rows]
    looked_at = [_loaded(each) for each in places]
    names = [walk.memory.fresh("row") for _ in (*read, *looked_at)]
    made: list[ast.stmt] = [
        ast.Assign([ast.Name(name, ast.Store())], each)
        for name, each in zip(names, (*read, *looked_at), strict=True)
    ]
    for k, place in enumerate(places):
        value = ast.Name(names[min(k, len(read) - 1)], ast.Load())
        made.append(ast.Assign([place], value))
    return [placed(each, node) for each in made]


def _apart(walk: ArrayWalk, row: ast.Subscript) -> ast.expr:
    """An element, or a copy of a row."""
    return ast.Call(ast.Attribute(row, "copy", ast.Load()), [], []) if walk.is_array(row) else row


def _listed(node: ast.Subscript) -> list[ast.Subscript] | None:
    """``a[i, :]`` and ``a[k, :]`` for ``a[[i, k], :]``; None where not exactly one index is a list."""
    items = items_of(node)
    lists = [k for k, each in enumerate(items) if isinstance(each, ast.List)]
    if len(lists) != 1:
        return None
    (axis,) = lists
    found = []
    for number in items[axis].elts:  # type: ignore[attr-defined]
        parts = [copy.deepcopy(number) if k == axis else copy.deepcopy(each) for k, each in enumerate(items)]
        index = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
        found.append(ast.Subscript(copy.deepcopy(node.value), index, node.ctx))
    return found or None


def _loaded(node: ast.Subscript) -> ast.Subscript:
    return ast.Subscript(copy.deepcopy(node.value), copy.deepcopy(node.slice), ast.Load())
