"""A list, a dictionary or a set while a compiled loop runs: its items in memory, and those that come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.list_items import ROWS, Items
from nprewrite.lowering.numbers import CHARACTER, NONE
from nprewrite.runtime.numba import maps, raw_memory
from nprewrite.runtime.numba.lent_rows import LentRows, rows_of
from nprewrite.runtime.numba.slots import (
    SLOT,
    columns_of,
    copied,
    filled,
    in_slots,
    items_of_slots,
    joined,
    numbers_of_slots,
    slots_at,
    slots_of_rows,
    values_of,
)

Array = np.ndarray[Any, Any]


class Lent:
    """A list while a loop runs: ``state`` is what the loop takes for it."""

    def __init__(self, given: Any, held: HeldList, items: Items) -> None:
        self._list, self._held, self._items = given, held, items
        self.state = np.zeros(11 if items.rows is None else 22, np.int64)
        self._before = len(given) if held.reads else 0
        self.state[3] = len(given) - self._before
        self._shared: Array | None = None
        self._rows: LentRows | None = None
        if items.rows is not None:
            self._rows = LentRows(rows_of(given, items), held, items.rows, self.state[11:])

    def share(self, made: Sequence[Array]) -> None:
        """Take the array that is an item too, of those that the loop returns."""
        item, number = map(int, self.state[6:8])
        self._shared = made[number - 1] if item and number else None

    def fill(self) -> None:
        """Put the items from before where the loop reads them."""
        if self._rows is not None:
            self._rows.fill()
        if not self._before:
            return
        if self._items.kind == ROWS:
            self.state[1] = self.state[2] = self._before
            if self._items.nested:
                self.state[0] = copied(np.cumsum([0, *map(len, self._list)]))
            return
        slots = slots_of_rows(self._list) if self._items.kind == "array" else self._filled()
        place = copied(slots)
        count, width = slots.shape
        if self._items.kind == "grid":
            count, width = self._before, count // self._before
        self.state[:5] = place, count, count, 0, width

    def _filled(self) -> Array:
        """The slots of the items from before."""
        if self._items.kind == "grid":
            return filled([*chain.from_iterable(self._list)], replace(self._items, kind="number"))
        return filled(self._list, self._items)

    def give_back(self) -> None:
        """Have the list hold what it would hold after the loop as written."""
        if self._rows is not None:
            self._rows.give_back()
            return
        count = int(self.state[1])
        first = int(self.state[5]) if self._held.changes or self._held.cells else self._before
        new = self._values(first, count) if count > first else []
        if self._shared is not None:
            new[int(self.state[6]) - 1 - first] = self._shared
        if self._held.cells:
            for row, values in zip(self._list, new, strict=False):
                row[:] = values
            self._list += new[self._before :]
        elif self._held.changes:
            self._list[:] = new
        else:
            self._list += new

    def items(self) -> list[Any]:
        """What is in it."""
        count = int(self.state[1])
        return self._values(0, count) if count else []

    def array(self) -> Array:
        """The array that ``np.array`` makes of the list."""
        count = int(self.state[1])
        numbers = {number for column in self._items.columns for number in column.numbers}
        if count == 0 or self._items.kind == "grid" or not numbers.isdisjoint({CHARACTER, NONE}):
            return np.array(self._values(0, count) if count else [])
        slots = self._slots(0, count)
        if self._items.kind == "array":
            return numbers_of_slots(slots, self._items.columns[0].numbers[0])
        parts = [joined(slots[:, slot : slot + each.width], each) for slot, each in self._items.placed()]
        return parts[0] if self._items.kind == "number" else np.stack(parts, axis=1)

    def free(self) -> None:
        """Free the memory."""
        raw_memory.free(int(self.state[0]) or None)
        raw_memory.free(int(self.state[8]) or None)
        if self._rows is not None:
            self._rows.free()
        self.state[:] = 0

    def _slots(self, first: int, count: int) -> Array:
        """A copy of the slots of some items."""
        width = (int(self.state[4]) if self._items.kind in ("array", "grid") else 1) * self._items.width
        place = int(self.state[0]) + first * width * SLOT
        return slots_at(place, (count - first) * width).reshape(count - first, width)

    def _values(self, first: int, count: int) -> list[Any]:
        slots = self._slots(first, count)
        if self._items.kind == "array":
            return [*map(np.array, numbers_of_slots(slots, self._items.columns[0].numbers[0]))]
        if self._items.kind == "grid":
            numbers = iter(values_of(slots.reshape(-1, self._items.width), self._items.columns[0]))
            return [[*islice(numbers, int(self.state[4]))] for _ in range(count - first)]
        return items_of_slots(slots, self._items)


class LentMap(Lent):
    """A dictionary or a set while a loop runs."""

    def give_back(self) -> None:
        """Have it hold what it would hold after the loop as written."""
        first, count = 0 if self._held.changes else self._before, int(self.state[1])
        new = [self._rows.give_back()] if self._rows is not None else []
        if count > first:
            columns = columns_of(self._slots(first, count), self._items)
            maps.put_back(self._list, [*columns, *new], self._items.keys)

    def _filled(self) -> Array:
        columns = maps.columns_of(self._list)
        return in_slots(columns if self._rows is None else columns[:-1], len(self._list), self._items)
