"""Lists of numbers as compiled loops take them: what they hold lies in memory, and what loops add comes back.

The list itself is the one that the program has. It changes once, when the run is over: by what was appended,
or as a whole where items were stored or taken away.
"""

from __future__ import annotations

import ast
import ctypes
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from nprewrite.lowering import (
    BOOL,
    CHARACTER,
    FLOAT,
    INT,
    NONE,
    Column,
    HeldList,
    Items,
    Lowered,
    Number,
    number_of,
)
from nprewrite.lowering.numbers import NUMBERS, TAGS
from nprewrite.runtime.api.refusal import Refused

Array = np.ndarray[Any, Any]
_SLOT = 8

_resize = ctypes.pythonapi.PyMem_RawRealloc
_resize.argtypes, _resize.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_void_p
_free = ctypes.pythonapi.PyMem_RawFree
_free.argtypes, _free.restype = [ctypes.c_void_p], None


def items_in(given: Sequence[Any]) -> Items:
    """What a list holds. Raises ``Refused`` where that is not followed."""
    kinds = {type(each) for each in given}
    several = kinds & {tuple, list}
    if several and len(kinds) > 1:
        raise Refused("items of a list", "a list holds items of several kinds, expected numbers")
    if not several:
        return Items("number", (_column(given, kinds),)) if kinds else Items()
    if len({len(each) for each in given}) > 1 or not given[0]:
        raise Refused("items of a list", "a list holds items of several lengths, expected one length")
    columns = (_column(each, {*map(type, each)}) for each in zip(*given, strict=True))
    return Items(kinds.pop().__name__, tuple(columns))


def _column(given: Sequence[Any], kinds: set[type]) -> Column:
    numbers = [_number(each) for each in kinds]
    return Column.of(numbers)


_PYTHON: dict[type, Number] = {bool: BOOL, int: INT, float: FLOAT, type(None): NONE}


def _number(kind: type) -> Number:
    found = _PYTHON.get(kind)
    if found is None and (kind is complex or issubclass(kind, np.generic)):
        found = number_of(kind())
    if found is None:
        text = f"a list holds {kind.__module__}.{kind.__qualname__}, expected numbers"
        raise Refused("items of a list", text)
    return found


class _Lent:
    """A list while a loop runs: ``state`` is what the loop takes for it."""

    def __init__(self, given: list[Any], held: HeldList, items: Items) -> None:
        self._list, self._held, self._items = given, held, items
        self.state = np.zeros(4, np.int64)
        self._before = len(given) if held.reads else 0
        self.state[3] = len(given) - self._before

    def fill(self) -> None:
        """Put the items from before where the loop reads them."""
        count, width = self._before, self._items.width
        if not count:
            return
        slots = np.zeros((count, width), np.int64)
        columns = zip(*self._list, strict=True) if self._items.kind != "number" else [self._list]
        for values, (slot, column) in zip(columns, self._items.placed(), strict=True):
            _fill(slots[:, slot : slot + column.width], column, list(values))
        place = _resize(None, slots.nbytes)
        if place is None:
            raise MemoryError("a loop has no memory for a list")
        ctypes.memmove(place, slots.ctypes.data, slots.nbytes)
        self.state[:3] = place, count, count

    def give_back(self) -> None:
        """Have the list hold what it would hold after the loop as written."""
        count = int(self.state[1])
        first = 0 if self._held.changes else self._before
        new = self._values(first, count) if count > first else []
        if self._held.changes:
            self._list[:] = new
        else:
            self._list += new

    def free(self) -> None:
        """Free the memory."""
        _free(int(self.state[0]) or None)
        self.state[:] = 0

    def _slots(self, first: int, count: int) -> Array:
        """A copy of the slots of some items."""
        size = self._items.width * _SLOT
        memory = ctypes.string_at(int(self.state[0]) + first * size, (count - first) * size)
        return np.frombuffer(memory, np.int64).reshape(count - first, self._items.width)

    def _values(self, first: int, count: int) -> list[Any]:
        slots = self._slots(first, count)
        columns = [
            _values(slots[:, slot : slot + column.width], column) for slot, column in self._items.placed()
        ]
        if self._items.kind == "number":
            return columns[0]
        rows = zip(*columns, strict=True)
        return [*rows] if self._items.kind == "tuple" else [*map(list, rows)]


def _fill(slots: Array, column: Column, values: list[Any]) -> None:
    """Write the numbers of a column to its slots. Raises ``Refused`` where an integer is too large."""
    if not column.is_tagged:
        _write(slots, slice(None), column.numbers[0], values)
        return
    tags = np.array([TAGS[_number(type(each))] for each in values])
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


def _values(slots: Array, column: Column) -> list[Any]:
    """The numbers of a column, as Python has them."""
    if not column.is_tagged:
        return _of_type(slots, column.numbers[0])
    found = np.empty(len(slots), object)
    tags = slots[:, -1]
    for tag in np.unique(tags).tolist():
        chosen = tags == tag
        found[chosen] = _of_type(slots[chosen], NUMBERS[tag])
    made: list[Any] = found.tolist()
    return made


def _of_type(slots: Array, number: Number) -> list[Any]:
    first = slots[:, 0]
    if number == NONE:
        return [None] * len(first)
    if number == CHARACTER:
        return [*map(chr, first.tolist())]
    if number.is_complex:
        given: Array = np.empty(len(first), np.complex128)
        given.real, given.imag = first.view(np.float64), slots[:, 1].view(np.float64)
    elif number.dtype.kind == "f":
        given = first.view(np.float64)
    else:
        given = first
    given = given.astype(number.dtype, copy=False)
    return given.tolist() if number.weak else [*given]


def appended_only(tree: ast.FunctionDef) -> frozenset[str]:
    """The names of a function of which it reads no item: ``xs.append(x)`` and ``len(xs)`` are all it does."""
    bare: Counter[str] = Counter()
    appended = set()
    for each in ast.walk(tree):
        match each:
            case ast.Name(id=name):
                bare[name] += 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                bare[name] -= 1
                appended.add(name)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
                bare[name] -= 1
    return frozenset(name for name in appended if not bare[name])


@contextmanager
def lent(lowered: Lowered, names: Sequence[str], arguments: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The arguments as a loop takes them; what it has done to lists is done to them when it is over.

    Where it is refused, it has done nothing. Raises ``Refused`` where two arguments are one list, and where
    to read a list would take longer than the loop.
    """
    given = dict(zip(names, arguments, strict=True))
    layouts = lowered.lists
    if len({id(given[name]) for name in layouts}) < len(layouts):
        raise Refused("two names of one list", silent=True)
    if any(held.reads and len(given[name]) > lowered.work for name, (held, _) in layouts.items()):
        raise Refused("a long list for a few trips", silent=True)
    taken = {name: _Lent(given[name], *layout) for name, layout in layouts.items()}
    try:
        for each in taken.values():
            each.fill()
        try:
            yield [taken[name].state if name in taken else each for name, each in given.items()]
        except Refused:
            raise
        except BaseException:
            _give_back(taken)
            raise
        _give_back(taken)
    finally:
        for each in taken.values():
            each.free()


def _give_back(taken: Mapping[str, _Lent]) -> None:
    for each in taken.values():
        each.give_back()
