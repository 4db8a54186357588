"""Numbers in slots of eight bytes, as the items of lists lie in memory, and back."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.numbers import (
    BOOL,
    CHARACTER,
    FLOAT,
    INT,
    NONE,
    NUMBERS,
    TAGS,
    Number,
    number_of,
)
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba import raw_memory

Array = np.ndarray[Any, Any]
OTHER_ITEMS = "items of a list"
SLOT = 8


_PYTHON: dict[type, Number] = {bool: BOOL, int: INT, float: FLOAT, type(None): NONE}


def number_of_kind(kind: type) -> Number:
    """The scalar type of the numbers of a class. Raises ``Refused`` for all else."""
    found = _PYTHON.get(kind)
    if found is None and (kind is complex or issubclass(kind, np.generic)):
        found = number_of(kind())
    if found is None:
        raise other_items(f"{kind.__module__}.{kind.__qualname__}, expected numbers")
    return found


def other_items(text: str) -> Refused:
    """A list holds what nobody could know before: that is the program's own way, and no fault of it."""
    return Refused(OTHER_ITEMS, f"a list holds {text}", passing=True)


def copied(slots: Array) -> int:
    """The address of a copy, which is freed by hand."""
    place: int | None = raw_memory.resize(None, max(slots.nbytes, SLOT))
    if place is None:
        raise MemoryError("a loop has no memory for a list")
    ctypes.memmove(place, slots.ctypes.data, slots.nbytes)
    return place


def slots_at(place: int, count: int) -> Array:
    """A copy of so many slots at an address."""
    return np.frombuffer(ctypes.string_at(place, count * SLOT), np.int64)


def filled(given: Sequence[Any], items: Items) -> Array:
    """The slots of what a list holds."""
    return in_slots([given] if items.kind == "number" else zip(*given, strict=True), len(given), items)


def in_slots(columns: Iterable[Iterable[Any]], count: int, items: Items) -> Array:
    """The slots of so many items, of whose numbers those in the same place of each are given together."""
    slots = np.zeros((count, items.width), np.int64)
    if count:
        for values, (slot, column) in zip(columns, items.placed(), strict=True):
            fill(slots[:, slot : slot + column.width], column, list(values))
    return slots


def columns_of(slots: Array, items: Items) -> list[list[Any]]:
    """The numbers of some items, those in the same place of each together."""
    return [values_of(slots[:, slot : slot + column.width], column) for slot, column in items.placed()]


def items_of_slots(slots: Array, items: Items) -> list[Any]:
    """The items in some slots."""
    if not len(slots):
        return []
    columns = columns_of(slots, items)
    if items.kind == "number":
        return columns[0]
    rows = zip(*columns, strict=True)
    return [*rows] if items.kind == "tuple" else [*map(list, rows)]


def fill(slots: Array, column: Column, values: list[Any]) -> None:
    """Write the numbers of a column to its slots. Raises ``Refused`` where an integer is too large."""
    if not column.is_tagged:
        _write(slots, slice(None), column.numbers[0], values)
        return
    numbers = {kind: number_of_kind(kind) for kind in {*map(type, values)}}
    if len(numbers) == 1:
        (number,) = numbers.values()
        slots[:, -1] = TAGS[number]
        _write(slots, slice(None), number, values)
        return
    known = {kind: TAGS[number] for kind, number in numbers.items()}
    tags = np.fromiter((known[type(each)] for each in values), np.int64, len(values))
    slots[:, -1] = tags
    for number in column.numbers:
        chosen = np.flatnonzero(tags == TAGS[number])
        _write(slots, chosen, number, [values[k] for k in chosen.tolist()])


def _write(slots: Array, chosen: Any, number: Number, values: list[Any]) -> None:
    if number == NONE:
        return
    if number.is_complex:
        parts = np.array(values, np.complex128)
        slots[chosen, 0] = parts.real.copy().view(np.int64)
        slots[chosen, 1] = parts.imag.copy().view(np.int64)
    elif number.dtype.kind == "f":
        slots[chosen, 0] = np.array(values, np.float64).view(np.int64)
    else:
        try:
            whole = np.array(values, np.uint64 if number.dtype == np.uint64 else np.int64)
        except OverflowError as error:
            raise Refused("an integer of a list is too large", silent=True) from error
        slots[chosen, 0] = whole.view(np.int64)


def values_of(slots: Array, column: Column) -> list[Any]:
    """The numbers of a column, as Python has them."""
    if not column.is_tagged:
        return _of_type(slots, column.numbers[0])
    # Most are of one type: `x = 0` comes before the numbers that a loop computes.
    tags = slots[:, -1]
    most = int(tags[-1])
    found = _of_type(slots, NUMBERS[most])
    for tag in np.flatnonzero(np.bincount(tags)).tolist():
        places = np.flatnonzero(tags == tag) if tag != most else tags[:0]
        for place, value in zip(places.tolist(), _of_type(slots[places], NUMBERS[tag]), strict=True):
            found[place] = value
    return found


def _of_type(slots: Array, number: Number) -> list[Any]:
    if number == NONE:
        return [None] * len(slots)
    if number == CHARACTER:
        return [*map(chr, slots[:, 0].tolist())]
    given = _array(slots, number)
    return given.tolist() if number.weak else [*given]


def joined(slots: Array, column: Column) -> Array:
    """The numbers of a column as an array, of the type that all of them have in common."""
    if not column.is_tagged:
        return _array(slots, column.numbers[0])
    tags = slots[:, -1]
    present = np.flatnonzero(np.bincount(tags)).tolist()
    most, *others = sorted(present, key=lambda tag: tag != tags[-1])
    made = _array(slots, NUMBERS[most]).astype(np.result_type(*(NUMBERS[each].dtype for each in present)))
    for tag in others:
        places = np.flatnonzero(tags == tag)
        made[places] = _array(slots[places], NUMBERS[tag])
    return made


def _array(slots: Array, number: Number) -> Array:
    """The numbers of one type that begin in the first of these slots, as an array of their own."""
    first = slots[:, 0]
    if number.is_complex:
        given: Array = np.empty(len(first), np.complex128)
        given.real, given.imag = first.view(np.float64), slots[:, 1].view(np.float64)
        return given.astype(number.dtype)
    return numbers_of_slots(first, number)


def numbers_of_slots(slots: Array, number: Number) -> Array:
    """Real numbers, one in each slot, as a new array."""
    return (slots.view(np.float64) if number.dtype.kind == "f" else slots).astype(number.dtype)


def slots_of_rows(given: Sequence[Array]) -> Array:
    """Rows as they lie in slots, a row of slots for each."""
    rows = np.array(given)
    kept = rows.astype(
        np.float64 if rows.dtype.kind == "f" else rows.dtype if rows.dtype == np.uint64 else np.int64
    )
    return kept.view(np.int64)
