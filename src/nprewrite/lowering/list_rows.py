"""Rows in lowered code, lists in a list or a dictionary: ``neighbours[i]``, ``cells[key]``, ``grid[i][j]``.

They need not be of one length, and may grow. A row is told by its number, which is what its name is bound to:
the place of an item, that of a key, or in ``grid[i][j]`` how many rows lie before it. ``p_xs_rows`` is to the
rows what ``p_xs`` is to a list, with an index that says where each row begins, how many items it has, and for
how many there is room; rows that grow beyond that are moved to the end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nprewrite.lowering import held_lists, maps
from nprewrite.lowering.arrays import LONGEST
from nprewrite.lowering.held_lists import OUT_OF_RANGE, HeldList, Walk
from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import Event, NotNative, Operation, Unreachable
from nprewrite.lowering.row_uses import is_nested, owner_of
from nprewrite.lowering.values import Value


@dataclass(frozen=True)
class Row:
    """A row: what it is an item of, that as the list in which its items lie, and the code of its number."""

    owner: HeldList
    held: HeldList
    number: str


def owner(walk: Walk, node: ast.expr) -> HeldList | None:
    """The list or dictionary of which an expression is a row; None for all else."""
    name = walk.row_uses.names.get(node.id) if isinstance(node, ast.Name) else owner_of(node)
    held = walk.lists.get(name or "") or walk.maps.get(name or "")
    if held is None or (isinstance(node, ast.Call) and held.name not in walk.maps):
        return None
    items = walk.memory.lists[held.name]
    is_row = items.rows is not None and (isinstance(node, ast.Name) or items.nested == is_nested(node))
    return held if is_row else None


def row_of(walk: Walk, held: HeldList, node: ast.expr, *, or_none: bool = False) -> Row:
    """The row that an expression names, ``or_none``: where that is None, the loop as written tells."""
    held.reads = True
    match node:
        case ast.Name(name):
            number = walk.row_number(node)
            if name in walk.row_uses.optional and not or_none:
                walk.code.end_if(f"{number} == {maps.ABSENT}", Event.REPLAY)
            if held.is_own:
                walk.code.end_if(f"{number} == {maps.GONE}", Event.REPLAY)
        case ast.Call(ast.Attribute(_, "setdefault"), [key, _]):
            number = maps.row_number(walk, held, key, missing=maps.ADDED)
        case ast.Call(_, [key, *default]):
            number = maps.row_number(walk, held, key, missing=maps.EMPTY)
            if not default and or_none:
                number = walk.code.temporary(f"{number} if {number} >= 0 else {maps.ABSENT}")
            elif not default:
                walk.code.end_if(f"{number} < 0", Event.REPLAY)
        case ast.Subscript(slice=key):
            if held.name in walk.maps:
                number = maps.row_number(walk, held, key)
            else:
                number = _nested(walk, held, node) if is_nested(node) else _place(walk, held, node)
        case _:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no row", node)
    return Row(held, held_lists.rows_in(walk.code, held), number)


def _place(walk: Walk, held: HeldList, node: ast.Subscript) -> str:
    return walk.code.temporary(f"np.int64({held_lists.place(walk, held, node, OUT_OF_RANGE)})")


def _nested(walk: Walk, held: HeldList, node: ast.Subscript) -> str:
    """The number of ``grid[i][j]``; an index says how many rows lie before those of ``grid[i]``."""
    assert isinstance(node.value, ast.Subscript)
    first, last = _span(walk, held, node.value)
    index = walk.index(node.slice, node)
    walk.code.node = node
    known = walk.code.symbols.between(0, LONGEST)
    place = walk.in_range(f"({last} - {first})", known, index, 0, OUT_OF_RANGE)
    return walk.code.temporary(f"{first} + np.int64({place})")


def _span(walk: Walk, held: HeldList, node: ast.Subscript) -> tuple[str, str]:
    """The number of the first row of ``grid[i]``, and of the one behind its last."""
    place = _place(walk, held, node)
    first, last = (walk.code.temporary(f"number_at({held.text}, {place}{more})") for more in ("", " + 1"))
    return first, last


def length(walk: Walk, row: Row) -> Value:
    """``len(neighbours[i])``."""
    count = walk.code.temporary(f"size_of_row({row.held.text}, {row.number})")
    return Value({INT: count}, form=walk.code.symbols.between(0, LONGEST))


def rows_in(walk: Walk, node: ast.Subscript) -> Value | None:
    """``len(grid[i])`` of a list of lists of lists; None for all else."""
    held = held_lists.held_by(walk, node.value)
    if held is None or not walk.memory.lists[held.name].nested:
        return None
    first, last = _span(walk, held, node)
    count = walk.code.temporary(f"{last} - {first}")
    return Value({INT: count}, form=walk.code.symbols.between(0, LONGEST))


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``neighbours[i][k]``."""
    values = item_at(walk, *_picked(walk, held, node))
    if len(values) > 1:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is an item of several numbers", node)
    return values[0]


def _picked(walk: Walk, held: HeldList, node: ast.Subscript, raising: str = OUT_OF_RANGE) -> tuple[Row, str]:
    """The row, and the place in it, of ``neighbours[i][k]``."""
    row = row_of(walk, held, node.value)
    if held.name in walk.maps:
        # What stands for a key that is missing may be a tuple.
        walk.code.end_if(f"{row.number} < 0", Event.REPLAY)
    count = length(walk, row)
    index = walk.index(node.slice, node)
    walk.code.node = node
    assert count.form is not None
    if walk.memory.lists[held.name].made == "tuple":
        raising = OUT_OF_RANGE.replace("list", "tuple")
    return row, walk.in_range(count.code, count.form, index, 0, raising)


def item_at(walk: Walk, row: Row, place: str) -> list[Value]:
    """The numbers of the item at a place in a row that is in range."""
    items = _items(walk, row)
    if is_empty(walk, row):
        raise Unreachable
    start = walk.code.temporary(f"(start_of_row({row.held.text}, {row.number}) + {place}) * {items.width}")
    return [held_lists.read(walk.code, row.held, start, *each) for each in items.placed()]


def is_empty(walk: Walk, row: Row) -> bool:
    """Whether nothing is known to be put into any of the rows."""
    return not _items(walk, row).columns


def _items(walk: Walk, row: Row) -> Items:
    return walk.memory.lists[row.owner.name].rows or Items()


def store(walk: Walk, held: HeldList, node: ast.Subscript, value: Value) -> None:
    """``neighbours[i][k] = x``."""
    _put(walk, *_picked(walk, held, node, held_lists.NO_PLACE), value)
    held.cells = True


def augment(walk: Walk, held: HeldList, node: ast.Subscript, changed: Callable[[Value], Value]) -> None:
    """``neighbours[i][k] += x``; ``changed`` gives the new number for the old one."""
    row, place = _picked(walk, held, node)
    place = walk.code.temporary(place)
    (old, *others) = item_at(walk, row, place)
    if others:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is an item of several numbers", node)
    _put(walk, row, place, changed(old))
    held.cells = True


def _put(walk: Walk, row: Row, place: str, value: Value) -> None:
    found = _noted(walk, row, "number", [value])
    place = f"start_of_row({row.held.text}, {row.number}) + {place}"
    held_lists.put(walk.code, row.held, place, found, [value])


def _noted(walk: Walk, row: Row, kind: str, values: Sequence[Value]) -> Items:
    """Note what an item of a row is; gives what all of them may be."""
    rows = Items(kind, tuple(Column.of(each.codes) for each in values))
    known = walk.memory.lists[row.owner.name]
    found = walk.memory.add_items(row.owner.name, replace(known, rows=rows)).rows
    assert found is not None
    return found


def appended(walk: Walk, node: ast.expr) -> bool:
    """Write ``neighbours[i].append(j)``; False for other expressions."""
    match node:
        case ast.Call(ast.Attribute(given, "append"), [item], []) if not isinstance(item, ast.Starred):
            held = owner(walk, given)
        case _:
            return False
    if held is None:
        return False
    if held.rows_run_over:
        raise NotNative("not-a-range", f"`{ast.unparse(node)}` may change what a loop runs over", node)
    # Also where the item raises: a tuple raises before.
    held.grows = True
    row = row_of(walk, held, given)
    _append(walk, row, *held_lists.parts_of(walk, item))
    return True


def _append(walk: Walk, row: Row, kind: str, values: Sequence[Value]) -> None:
    """Put an item at the end of a row."""
    row.owner.grows = True
    # A list that nobody else has stands for a key that is missing.
    walk.code.end_if(f"{row.number} < 0", Event.REPLAY)
    code, found = walk.code, _noted(walk, row, kind, values)
    place = code.temporary(f"place_in_row({row.held.text}, {row.number}, {found.width})")
    code.end_if(f"{place} < 0", Operation("raise MemoryError"))
    held_lists.put(code, row.held, place, found, values)


def put_there(walk: Walk, node: ast.expr) -> bool:
    """Write ``cells.setdefault(key, [])``, whose result nobody takes; False for other expressions."""
    match node:
        case ast.Call(ast.Attribute(_, "setdefault")):
            held = owner(walk, node)
        case _:
            return False
    if held is not None:
        row_of(walk, held, node)
    return held is not None


def made(walk: Walk, node: ast.Assign) -> bool:
    """Write ``cells[key] = []``, or ``cells[key] = [i]``, under a new key; False for other statements."""
    match node:
        case ast.Assign([ast.Subscript(ast.Name(name), key)], ast.List(items)) if name in walk.maps:
            held = walk.maps[name]
        case _:
            return False
    if walk.memory.lists[name].rows is None:
        return False
    given = []
    for item in items:
        kind, values = held_lists.parts_of(walk, item)
        given.append((kind, [*map(walk.kept_number, values)]))
    number = maps.row_number(walk, held, key, missing=maps.ADDED, present=Event.REPLAY)
    for each in given:
        _append(walk, Row(held, held_lists.rows_in(walk.code, held), number), *each)
    return True


def is_searched(walk: Walk, node: ast.expr) -> bool:
    """Whether ``j in neighbours[i]``, or ``j in xs``, looks through a list of numbers."""
    if owner(walk, node) is not None:
        return True
    held = held_lists.held_by(walk, node)
    return held is not None and not held.is_queue and walk.memory.lists[held.name].kind in ("", "number")


def searched(walk: Walk, node: ast.expr) -> tuple[HeldList, str, str, Items]:
    """The list that is looked through: from one item of it to behind another, and what they are."""
    held = owner(walk, node)
    if held is not None:
        row = row_of(walk, held, node)
        first = walk.code.temporary(f"start_of_row({row.held.text}, {row.number})")
        return row.held, first, walk.code.temporary(f"{first} + {length(walk, row).code}"), _items(walk, row)
    held = held_lists.held_by(walk, node)
    assert held is not None
    held.reads = True
    return held, "0", walk.code.temporary(f"{held.text}[1]"), walk.memory.lists[held.name]
