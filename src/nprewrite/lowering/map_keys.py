"""Keys of dictionaries and sets in lowered code: how they are found, and how new ones are put there.

Equal numbers are one key, of whatever type. Where a key is not-a-number, or no slot holds it, the loop as
written tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nprewrite.lowering.environment import Environment, Memory
from nprewrite.lowering.held_lists import HeldList, put_column
from nprewrite.lowering.list_items import MAP, MOST_KEYS, Column, Items
from nprewrite.lowering.numbers import EXACT_IN_FLOAT, INT
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.row_uses import Rows
from nprewrite.lowering.values import Code, Value, cast_to


class Walk(Protocol):
    """A walk over a loop that has dictionaries or sets."""

    code: Code
    memory: Memory
    maps: dict[str, HeldList]
    environment: Environment
    row_uses: Rows

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """``name = value``."""

    def kept_number(self, value: Value) -> Value:
        """A copy of a number that later stores do not change."""

    def value(self, node: ast.expr) -> Value:
        """The value of an expression, which is a number."""

    def count_lookup(self) -> None:
        """Take one lookup in a dictionary or a set into account."""


@dataclass(frozen=True)
class Key:
    """A key: its numbers, and these as slots hold them."""

    values: Sequence[Value]
    slots: Sequence[str]


def guess_keys(walk: Walk, held: HeldList, count: int) -> None:
    """Take a dictionary of which nothing is known for one with keys of so many integers."""
    items = walk.memory.lists[held.name]
    if items.guess is not None and not items.keys:
        columns = (*[Column((INT,))] * count, *_guessed(items))
        walk.memory.add_items(held.name, Items(MAP, columns, keys=count))


def _guessed(items: Items) -> tuple[Column, ...]:
    """What is taken to stand under keys."""
    only_keys = items.made == "set" or items.rows is not None or items.guess is None
    return () if only_keys or items.guess is None else (Column((items.guess,)),)


def looked_up(walk: Walk, held: HeldList, key: ast.expr) -> list[str]:
    """The numbers of a key that is looked up, as slots hold them."""
    items, values = walk.memory.lists[held.name], values_of(walk, key)
    if items.guess is not None and not items.keys:
        items = _known(walk, held, values, _guessed(items))
    if not items.keys:
        return []
    if len(values) != items.keys:
        raise NotNative("not-scalar", f"`{ast.unparse(key)}` is a key of another length", key)
    pairs = zip(values, items.columns, strict=False)
    return [_slot(walk.code, value, column) for value, column in pairs]


def put_key(
    walk: Walk, held: HeldList, key: ast.expr, under: Value | None, given: Sequence[Value] = ()
) -> Key:
    """A key under which a value may be put; its numbers may have been ``given`` before."""
    values = given or values_of(walk, key)
    items = _known(walk, held, values, () if under is None else (Column.of(under.codes),))
    slots = []
    for value, column in zip(values, items.columns, strict=False):
        if _is_float(column) and value.only is not None and value.only.dtype.kind == "f":
            # Of two zeros the one that came first is the key.
            walk.code.end_if(f"{value.code} == 0.0 and np.signbit({value.code})", Event.REPLAY)
        slots.append(_slot(walk.code, value, column))
    return Key(values, slots)


def values_of(walk: Walk, key: ast.expr) -> list[Value]:
    """The numbers of a key."""
    parts = key.elts if isinstance(key, ast.Tuple) else [key]
    if not isinstance(key, ast.Tuple) + 1 <= len(parts) <= MOST_KEYS:
        raise NotNative("not-scalar", f"`{ast.unparse(key)}` is a key of one number, or of many", key)
    values = [walk.value(each) for each in parts]
    numbers = [number for each in values for number in each.codes]
    if not all(each.dtype.kind in "ib" or each.dtype == "float64" for each in numbers):
        raise NotNative("not-scalar", f"`{ast.unparse(key)}` is no key of integers or floats", key)
    return values


def _is_float(column: Column) -> bool:
    return column.numbers[0].dtype.kind == "f"


def _known(walk: Walk, held: HeldList, keys: Sequence[Value], under: Sequence[Column]) -> Items:
    """Note what is put into a dictionary or a set."""
    columns = (*(Column.of(each.codes) for each in keys), *under)
    known = walk.memory.lists[held.name]
    if bool(under) == (known.made == "set" or known.rows is not None):
        raise NotNative("unsupported-operation", f"`{held.name}` is no dictionary, or no set")
    items = walk.memory.add_items(held.name, Items(MAP, columns, keys=len(keys)))
    for column in items.columns[: items.keys]:
        if column.is_tagged and any(each.dtype.kind == "f" for each in column.numbers):
            raise NotNative("not-scalar", f"`{held.name}` has integers and floats as keys")
    return items


def _slot(code: Code, value: Value, column: Column) -> str:
    """A number of a key as a slot holds it. Equal numbers are one key, of whatever type."""
    floats = [each.dtype.kind == "f" for each in value.codes]
    if _is_float(column):
        if not all(floats):
            whole = cast_to(code, value, np.dtype(np.int64))
            code.end_if(f"abs({whole}) > {EXACT_IN_FLOAT}", Event.REPLAY)
        text = code.temporary(f"{cast_to(code, value, np.dtype(np.float64))} + 0.0")
        code.end_if(f"{text} != {text}", Event.REPLAY)
        return code.temporary(f"np.float64({text}).view(np.int64)")
    if not any(floats):
        return code.temporary(f"np.int64({cast_to(code, value, np.dtype(np.int64))})")
    given = code.temporary(cast_to(code, value, np.dtype(np.float64)))
    code.end_if(f"not abs({given}) <= {EXACT_IN_FLOAT}.0", Event.REPLAY)
    text = code.temporary(f"np.int64({given})")
    code.end_if(f"np.float64({text}) != {given}", Event.REPLAY)
    return text


def place_of(walk: Walk, held: HeldList, slots: Sequence[str]) -> str:
    """The place of the item with this key; -1 if there is none."""
    walk.count_lookup()
    if not slots:
        return "-1"
    items, missing = walk.memory.lists[held.name], ["0"] * (MOST_KEYS - len(slots))
    starts = [str(slot) for slot, _ in items.placed()][1 : items.keys]
    found = ", ".join([held.text, str(items.width), *starts, *missing, *slots, *missing])
    place = walk.code.temporary(f"place_of_key({found})")
    walk.code.end_if(f"{place} == -2", Operation("raise MemoryError"))
    return place


@contextmanager
def appended_if_missing(walk: Walk, held: HeldList, key: Key, place: str) -> Iterator[None]:
    """Put a key where there is none, under which the code written in this context puts something."""
    with walk.code.block(f"if {place} < 0:"):
        if held.run_over:
            # A dictionary that grows while a loop runs over it.
            walk.code.end_if("True", Event.REPLAY)
        append(walk, held, key, walk.memory.lists[held.name], place)
        yield


def append(walk: Walk, held: HeldList, key: Key, items: Items, place: str) -> None:
    """Make room for a new key at the end, which becomes the ``place``."""
    code = walk.code
    code.end_if(f"not has_room({held.text}, {items.width})", Operation("raise MemoryError"))
    code.line(f"{place} = {held.text}[1]")
    for value, (slot, column) in zip(key.values, items.placed(), strict=False):
        put_column(code, held, f"{place} * {items.width} + {slot}", column, value)
    code.line(f"{held.text}[1] += 1")
