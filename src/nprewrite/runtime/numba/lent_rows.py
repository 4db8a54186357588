"""Rows as compiled loops take them: lists in a list or a dictionary, one after the other.

The lists themselves are those that the program has. They change once, when the run is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.list_items import MAP, ROWS, Column, Items
from nprewrite.runtime.numba import raw_memory
from nprewrite.runtime.numba.slots import copied, filled, items_of_slots, other_items, slots_at

Array = np.ndarray[Any, Any]
_INDEXED = 3
"""Of each row the index has where it begins, how many items it has, and for how many there is room."""


def rows_in(given: Sequence[Any], column: Callable[[set[type]], Column], *, nested: bool = False) -> Items:
    """What lists in a list hold, or those that are ``nested`` in its lists; ``column`` gives the column of
    numbers of some types.

    Raises ``Refused`` where that is not followed.
    """
    if nested and any(type(each) is not list for each in given):
        raise other_items("something else than lists")
    rows = [*chain.from_iterable(given)] if nested else given
    kinds = {*map(type, rows)}
    if not (kinds <= {list} or kinds == {tuple}):
        raise other_items("something else than lists, or than tuples")
    # They raise other exceptions.
    made = "tuple" if kinds == {tuple} else ""
    return Items(ROWS, made=made, rows=_items_in([*chain.from_iterable(rows)], column), nested=nested)


def _items_in(items: Sequence[Any], column: Callable[[set[type]], Column]) -> Items:
    kinds = {*map(type, items)}
    if not kinds.intersection((list, tuple)):
        return Items("number", (column(kinds),)) if kinds else Items()
    if len(kinds) > 1 or len({*map(len, items)}) > 1 or not items[0]:
        raise other_items("lists of items of several lengths or kinds")
    columns = (column({*map(type, each)}) for each in zip(*items, strict=True))
    return Items(kinds.pop().__name__, tuple(columns))


def rows_of(given: Any, items: Items) -> list[Any]:
    """The rows in a list or a dictionary."""
    if items.kind == MAP:
        # What a loop makes for itself is lent as a list.
        return [*given.values()] if isinstance(given, dict) else []
    return [*chain.from_iterable(given)] if items.nested else [*given]


class LentRows:
    """Rows while a loop runs: ``state`` is what the loop takes for them."""

    def __init__(self, given: Sequence[Any], held: HeldList, items: Items, state: Array) -> None:
        self._rows, self._held, self._items, self._state = given, held, items, state
        self._counts = np.fromiter(map(len, given), np.int64, len(given))
        if (held.grows or held.cells) and any(type(each) is not list for each in given):
            raise other_items("something else than lists, expected those that are appended to")

    def fill(self) -> None:
        """Put their items where the loop reads them."""
        items = [*chain.from_iterable(self._rows)]
        starts = np.cumsum(self._counts) - self._counts
        index = np.stack((starts, self._counts, self._counts), axis=1)
        self._state[0], self._state[8] = copied(filled(items, self._items)), copied(index)
        self._state[1] = self._state[2] = len(items)
        self._state[9] = self._state[10] = len(self._rows)

    def give_back(self) -> list[list[Any]]:
        """Have the rows hold what they would hold after the loop as written; gives those that are new."""
        if not (self._held.grows or self._held.cells):
            return []
        count, known = int(self._state[10]), len(self._rows)
        index = slots_at(int(self._state[8]), count * _INDEXED).reshape(count, _INDEXED)
        starts, sizes = index[:, 0], index[:, 1]
        firsts = np.zeros(count, np.int64)
        if not self._held.cells:
            firsts[:known] = self._counts
        values = iter(self._values(starts, firsts, sizes))
        lengths = (sizes - firsts).tolist()
        for k in np.flatnonzero(lengths[:known]).tolist():
            self._rows[k][int(firsts[k]) :] = islice(values, lengths[k])
        return [[*islice(values, each)] for each in lengths[known:]]

    def _values(self, starts: Array, firsts: Array, sizes: Array) -> list[Any]:
        """What lies in rows behind their first items, one row after the other."""
        width = self._items.width
        if not width:
            # Nothing was put into any of them.
            return []
        slots = slots_at(int(self._state[0]), int(self._state[1]) * width).reshape(-1, width)
        places = [np.arange(0), *map(np.arange, (starts + firsts).tolist(), (starts + sizes).tolist())]
        return items_of_slots(slots[np.concatenate(places)], self._items)

    def free(self) -> None:
        """Free the memory."""
        raw_memory.free(int(self._state[0]) or None)
        raw_memory.free(int(self._state[8]) or None)
