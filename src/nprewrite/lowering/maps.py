"""Dictionaries and sets of numbers in lowered code: what a loop looks up in them, stores and adds.

An item is a key, a number or a tuple of integers, and in a dictionary what stands under it. They lie as those
of lists do, in the order in which they were put there; ``place_of_key`` finds one by its key. Where a key is
missing, the loop as written tells.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from nprewrite.base.syntax import is_none, names_bound, names_in, root_name
from nprewrite.base.syntax import walk as walk_of
from nprewrite.lowering import map_keys
from nprewrite.lowering.arrays import LONGEST, ListArgument
from nprewrite.lowering.held_lists import HeldList, put_column, read, rows_in
from nprewrite.lowering.list_items import MAP, Column, Items
from nprewrite.lowering.map_keys import Key, Walk
from nprewrite.lowering.numbers import FLOAT, INT, NONE
from nprewrite.lowering.problems import Event, NotNative, Operation, Unreachable
from nprewrite.lowering.values import Ending, Value, set_union, settled, union

_DEFAULTS = {"int": Value({INT: "np.int64(0)"}), "float": Value({FLOAT: "0.0"})}
"""What a dictionary of these puts under a key that is not there."""


def begin(walk: Walk, name: str, given: ListArgument, function: ast.FunctionDef) -> None:
    """A parameter that is a dictionary or a set, which has this one name."""
    if name in names_bound(*function.body):
        raise NotNative("not-plain-array", f"`{name}` is bound to another dictionary or set in the loop")
    walk.maps[name] = HeldList(name, f"p_{name}", reads=True, is_added_to=_is_added_to(name, function))
    walk.memory.add_items(name, _with_rows(walk, name, given.items))


def begin_own(walk: Walk, name: str, made: str) -> None:
    """A dictionary or a set that the loop makes for itself."""
    walk.maps[name] = HeldList(name, f"p_{name}", reads=True, is_own=True, is_added_to=True)
    walk.memory.add_items(name, _with_rows(walk, name, Items(MAP, made=made)))


def _is_added_to(name: str, function: ast.FunctionDef) -> bool:
    called = (each.func for each in walk_of(function) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Attribute) and root_name(each) == name for each in called)


def _with_rows(walk: Walk, name: str, items: Items) -> Items:
    """What a dictionary holds, of which it is known only that its items are used as rows."""
    unknown = not items.columns and items.made in ("dict", "list") and name in walk.row_uses.owners
    return replace(items, rows=items.rows or Items()) if unknown else items


def map_by(walk: Walk, node: ast.expr | None) -> HeldList | None:
    """The dictionary or set that an expression names."""
    return walk.maps.get(node.id) if isinstance(node, ast.Name) else None


def picked(walk: Walk, node: ast.expr) -> HeldList | None:
    """The dictionary of which ``d[k]`` is a value."""
    return map_by(walk, node.value) if isinstance(node, ast.Subscript) else None


def contains(walk: Walk, node: ast.Compare, held: HeldList) -> str:
    """``k in d``, or ``k not in d``."""
    place = map_keys.place_of(walk, held, map_keys.looked_up(walk, held, node.left))
    return walk.code.temporary(f"{place} {'>=' if isinstance(node.ops[0], ast.In) else '<'} 0")


def _check_numbers(walk: Walk, held: HeldList) -> None:
    items = walk.memory.lists[held.name]
    if items.rows is not None or items.made == "list":
        raise NotNative("not-scalar", f"a list in `{held.name}` is taken for a number", walk.code.node)


def element(walk: Walk, held: HeldList, node: ast.Subscript) -> Value:
    """``d[k]``."""
    _check_numbers(walk, held)
    made = walk.memory.lists[held.name].made
    if made in _DEFAULTS:
        key = map_keys.put_key(walk, held, node.slice, _DEFAULTS[made])
        return _read(walk, held, _place_with_default(walk, held, key, _DEFAULTS[made]))
    place = map_keys.place_of(walk, held, map_keys.looked_up(walk, held, node.slice))
    if made == "counter":
        zero = _DEFAULTS["int"]
        return _read_or(walk, held, place, zero) if _columns(walk, held) else zero
    walk.code.end_if(f"{place} < 0", Event.REPLAY)
    return _read(walk, held, place)


def got(walk: Walk, node: ast.Call) -> Value | None:
    """``d.get(k)`` or ``d.get(k, default)``; None for other calls."""
    match node:
        case ast.Call(ast.Attribute(owner, "get"), [key, *default], []) if len(default) < 2:
            held = map_by(walk, owner)
        case _:
            return None
    if held is None:
        return None
    _check_numbers(walk, held)
    place = map_keys.place_of(walk, held, map_keys.looked_up(walk, held, key))
    otherwise = default[0] if default else ast.Constant(None)
    missing = Value({NONE: "False"}) if is_none(otherwise) else walk.value(otherwise)
    return _read_or(walk, held, place, missing) if _columns(walk, held) else missing


def store(walk: Walk, held: HeldList, node: ast.Subscript, value: Value) -> None:
    """``d[k] = x``."""
    _check_numbers(walk, held)
    _put(walk, held, map_keys.put_key(walk, held, node.slice, value), value)


def augment(walk: Walk, held: HeldList, node: ast.Subscript, changed: Callable[[Value], Value]) -> None:
    """``d[k] += x``; ``changed`` gives the new number for the old one."""
    _check_numbers(walk, held)
    made = walk.memory.lists[held.name].made
    if made == "counter":
        # It has no key before the new number is there.
        key = map_keys.put_key(walk, held, node.slice, _DEFAULTS["int"])
        old = _read_or(walk, held, map_keys.place_of(walk, held, key.slots), _DEFAULTS["int"])
        _put(walk, held, key, changed(old))
        return
    if made in _DEFAULTS:
        key = map_keys.put_key(walk, held, node.slice, _DEFAULTS[made])
        place = _place_with_default(walk, held, key, _DEFAULTS[made])
    else:
        place = map_keys.place_of(walk, held, map_keys.looked_up(walk, held, node.slice))
        walk.code.end_if(f"{place} < 0", Event.REPLAY)
    value = changed(_read(walk, held, place))
    items = _add(walk, held, value)
    held.changes = True
    _put_value(walk, held, place, items, value)


def or_else_put(walk: Walk, node: ast.expr) -> bool:
    """Write ``d.setdefault(k, 0)``, whose result nobody takes; False for other expressions."""
    match node:
        case ast.Call(ast.Attribute(owner, "setdefault"), [key, value], []):
            held = map_by(walk, owner)
        case _:
            return False
    if (
        held is None
        or walk.memory.lists[held.name].rows is not None
        or isinstance(value, ast.List | ast.Tuple)
    ):
        return False
    numbers = [*map(walk.kept_number, map_keys.values_of(walk, key))]
    under = walk.value(value)
    _place_with_default(walk, held, map_keys.put_key(walk, held, key, under, numbers), under)
    return True


def added(walk: Walk, node: ast.expr) -> bool:
    """Write ``visited.add(k)``; False for other expressions."""
    match node:
        case ast.Call(ast.Attribute(owner, "add"), [key], []):
            held = map_by(walk, owner)
        case _:
            return False
    if held is None or walk.memory.lists[held.name].made != "set":
        return False
    _put(walk, held, map_keys.put_key(walk, held, key, None), None)
    return True


def emptied(walk: Walk, node: ast.expr) -> bool:
    """Write ``seen.clear()`` of one that the loop makes for itself; False for other expressions."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="clear"), args=[], keywords=[]):
            held = map_by(walk, owner)
        case _:
            return False
    if held is None or not held.is_own:
        return False
    of_rows = () if walk.memory.lists[held.name].rows is None else (12, 21)
    for slot in (1, 9, 10, *of_rows):
        walk.code.line(f"{held.text}[{slot}] = 0")
    for name, whole in walk.row_uses.names.items():
        if whole == held.name and name in walk.environment:
            walk.bind(name, Value({INT: f"np.int64({GONE})"}), node)
    return True


EFFECTS = (added, emptied, or_else_put)
"""What a call of a method is written by, where it is one that is followed."""


def run_over(walk: Walk, node: ast.expr) -> tuple[HeldList, str] | None:
    """The dictionary over whose "keys", "values" or "items" a loop runs; None for all else."""
    match node:
        case ast.Call(ast.Attribute(owner, "keys" | "values" | "items" as part), [], []):
            held = map_by(walk, owner)
        case _:
            held, part = map_by(walk, node), "keys"
    # Nobody knows in which order a set has what is added.
    if held is None or (walk.memory.lists[held.name].made == "set" and held.is_added_to):
        return None
    return held, part


def changes(name: str, loop: ast.For, part: str) -> bool:
    """Whether a loop over a dictionary may put something into it, but for what it does under its own key."""
    target = loop.target.elts[0] if part == "items" and isinstance(loop.target, ast.Tuple) else loop.target
    own = (
        ast.unparse(target) if part != "values" and not names_in(target) & {*names_bound(*loop.body)} else ""
    )
    nodes = (each for statement in loop.body for each in walk_of(statement))
    stores = [each for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)]
    return any(root_name(each) == name and ast.unparse(each.slice) != own for each in stores)


GONE = -2
"""The number of a row of a dictionary that was made anew since."""
ABSENT = -3
"""The number that stands for None where there is no row."""
ADDED, EMPTY = "added", "empty"
"""What stands for a key that is missing: a new row under it, or an empty one."""


def row_number(
    walk: Walk, held: HeldList, key: ast.expr, *, missing: str = "", present: Ending | None = None
) -> str:
    """The number of the row under a key: the place of that, -1 of an empty one.

    Where the key is missing, or where what is ``present`` would make way for a new list, the loop as written
    tells.
    """
    if walk.memory.lists[held.name].made == "list" and not missing:
        missing = ADDED
    if missing != ADDED:
        place = map_keys.place_of(walk, held, map_keys.looked_up(walk, held, key))
        if missing != EMPTY:
            walk.code.end_if(f"{place} < 0", Event.REPLAY)
        return place
    own = map_keys.put_key(walk, held, key, None)
    place = map_keys.place_of(walk, held, own.slots)
    if present is not None:
        walk.code.end_if(f"{place} >= 0", present)
    with map_keys.appended_if_missing(walk, held, own, place):
        rows = rows_in(walk.code, held)
        walk.code.end_if(f"not has_new_row({rows.text})", Operation("raise MemoryError"))
    held.grows = True
    return place


def item_at(walk: Walk, held: HeldList, place: str, part: str) -> list[Value | list[Value]]:
    """What a loop takes of an item: its key, a list where that is a tuple, what stands under it, or both.

    A row is told by its number.
    """
    items = walk.memory.lists[held.name]
    start = walk.code.temporary(f"np.int64({place}) * {items.width}")
    values = [read(walk.code, held, start, *each) for each in items.placed()]
    if items.rows is not None:
        values.append(Value({INT: f"np.int64({place})"}, form=walk.code.symbols.between(0, LONGEST)))
    keys, under = values[: items.keys], values[-1]
    key: Value | list[Value] = keys[0] if len(keys) == 1 else keys
    if part == "items":
        return [key, under]
    return [key if part == "keys" else under]


def _columns(walk: Walk, held: HeldList) -> tuple[Column, ...]:
    """What may stand under a key; nothing in a set, or where nothing is known to be put there."""
    items = walk.memory.lists[held.name]
    return items.columns[items.keys :]


def _put(walk: Walk, held: HeldList, key: Key, value: Value | None) -> None:
    """Put a value under a key, or the key alone."""
    held.changes |= value is not None
    items = walk.memory.lists[held.name] if value is None else _add(walk, held, value)
    place = map_keys.place_of(walk, held, key.slots)
    with walk.code.block(f"if {place} < 0:"):
        map_keys.append(walk, held, key, items, place)
    if value is not None:
        _put_value(walk, held, place, items, value)


def _place_with_default(walk: Walk, held: HeldList, key: Key, default: Value) -> str:
    """The place of a key, under which a default is put if it is not there."""
    place, items = map_keys.place_of(walk, held, key.slots), walk.memory.lists[held.name]
    with map_keys.appended_if_missing(walk, held, key, place):
        _put_value(walk, held, place, items, default)
    return place


def _add(walk: Walk, held: HeldList, value: Value) -> Items:
    """Note what may stand under the keys that are known."""
    items = walk.memory.lists[held.name]
    if not items.keys:
        return items
    columns = (*items.columns[: items.keys], Column.of(value.codes))
    return walk.memory.add_items(held.name, Items(MAP, columns, keys=items.keys))


def _put_value(walk: Walk, held: HeldList, place: str, items: Items, value: Value) -> None:
    (*_, (slot, column)) = items.placed()
    put_column(walk.code, held, f"{place} * {items.width} + {slot}", column, value)


def _read(walk: Walk, held: HeldList, place: str) -> Value:
    """What stands in a place."""
    items = walk.memory.lists[held.name]
    if len(items.columns) <= items.keys:
        raise Unreachable
    (*_, (slot, column)) = items.placed()
    start = walk.code.temporary(f"np.int64({place}) * {items.width}")
    return read(walk.code, held, start, slot, column)


def _read_or(walk: Walk, held: HeldList, place: str, missing: Value) -> Value:
    """What stands in a place; ``missing`` if there is none."""
    result = union(walk.code)
    with walk.code.block(f"if {place} < 0:"):
        set_union(walk.code, result, missing)
    with walk.code.block("else:"):
        set_union(walk.code, result, _read(walk, held, place))
    return settled(result)
