"""Lists of numbers as compiled loops take them: what they hold lies in memory, and what loops add comes back.

The list itself is the one that the program has. It changes once, when the run is over: by what was appended,
or as a whole where items were stored or taken away.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np

from nprewrite.base.syntax import walk
from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.list_items import MAP, ROWS, Column, Items
from nprewrite.lowering.lowered import Lowered
from nprewrite.lowering.numbers import (
    of_real_dtype,
)
from nprewrite.lowering.row_uses import RowUse
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba import maps
from nprewrite.runtime.numba.lent_lists import Lent, LentMap
from nprewrite.runtime.numba.lent_rows import rows_in, rows_of
from nprewrite.runtime.numba.long_lists import LongLists
from nprewrite.runtime.numba.slots import (
    number_of_kind,
    other_items,
)

Array = np.ndarray[Any, Any]
LONG_LIST = "a long list for a few trips"
_OF_LISTS = ("grid", "list")
_SHORT = 1 << 10
_READ = 4
"""The statements that Python runs in the time in which an item is looked at and copied."""


def items_in(given: Sequence[Any], *, is_grid: bool = False, rows: RowUse | None = None) -> Items:
    """What a list holds, which may be taken for a grid, or for rows of any length that are used so.

    Raises ``Refused`` where that is not followed.
    """
    kinds = {type(each) for each in given}
    if kinds == {np.ndarray}:
        return _rows_in(given)
    several = kinds & {tuple, list}
    if several and len(kinds) > 1:
        raise other_items("items of several kinds, expected numbers")
    if not several:
        return Items("number", (_column(kinds),)) if kinds else Items()
    alike = len({*map(len, given)}) == 1 and len(given[0]) > 0
    if rows is not None or (kinds == {list} and is_grid and not alike):
        return rows_in(given, _column, nested=rows is not None and rows.nested)
    if not alike:
        raise other_items("items of several lengths, expected one length")
    if kinds == {list} and is_grid:
        return Items("grid", (_column({*map(type, chain.from_iterable(given))}),))
    columns = (_column({*map(type, each)}) for each in zip(*given, strict=True))
    return Items(kinds.pop().__name__, tuple(columns))


def for_tuples(arguments: Sequence[Any]) -> Sequence[Any]:
    """The arguments with lists in place of tuples of tuples, which a loop cannot tell: it changes neither."""
    if tuple not in map(type, arguments):
        return arguments
    kinds = [{type(part) for part in each} if type(each) is tuple else set() for each in arguments]
    return [[*each] if of & {tuple, list} else each for each, of in zip(arguments, kinds, strict=True)]


def items_of_map(given: maps.Map) -> Items:
    """What a dictionary or a set holds. Raises ``Refused`` where that is not followed."""
    return maps.items_of(given, _column)


@contextmanager
def queues_as_lists(arguments: Sequence[Any], positions: Collection[int]) -> Iterator[Sequence[Any]]:
    """The arguments with lists in place of the queues, which hold what these do in the end.

    Raises ``Refused`` where something else is there, or a queue with a bound.
    """
    queues = {k: arguments[k] for k in positions if k < len(arguments)}
    if any(type(each) is not deque or each.maxlen is not None for each in queues.values()):
        raise Refused("no plain queue", silent=True)
    queues = {k: [*each] for k, each in queues.items()}
    try:
        yield [queues.get(k, each) for k, each in enumerate(arguments)]
    finally:
        for k, items in queues.items():
            arguments[k].clear()
            arguments[k].extend(items)


def _rows_in(given: Sequence[Array]) -> Items:
    alike = {(each.dtype, each.shape) for each in given}
    number = of_real_dtype(given[0].dtype)
    if len(alike) > 1 or given[0].ndim != 1 or not given[0].size or number is None:
        raise other_items("arrays of several kinds, or no vectors of numbers")
    return Items("array", (Column((number,)),))


def _column(kinds: set[type]) -> Column:
    return Column.of([number_of_kind(each) for each in kinds])


def appended_only(tree: ast.FunctionDef) -> frozenset[str]:
    """The names of a function of which it reads no item: ``xs.append(x)`` and ``len(xs)`` are all it does."""
    bare: Counter[str] = Counter()
    appended = set()
    for each in walk(tree):
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
def lent(
    lowered: Lowered,
    given: Mapping[str, Any],
    spent: frozenset[str],
    around: dict[str, Any],
    tables: Sequence[Any],
    long_lists: LongLists,
) -> Iterator[Mapping[str, Lent]]:
    """The lists among the arguments as a loop takes them; what it has done is done to them when it is over.

    Those that are ``spent`` nobody looks at again. What was kept to be printed is printed then, as a function
    with the names ``around`` prints it. ``tables`` are those for whose contents the loop is compiled. Where
    the loop is refused, it has done nothing. Raises ``Refused`` where two arguments are one list, or one
    is in the other, and where to read a list would take longer than the loop by all that ``long_lists`` know.
    """
    layouts = lowered.lists
    own, held_tables = [given[name] for name in layouts], [*_lists_in(tables)]
    filled = [row for name in {each for _, each in lowered.prints if each} for row in given[name]]
    if any(type(row) is not list for row in filled):
        raise other_items("something else than lists, expected those that are appended to")
    has_cells = any(held.cells or held.grows for held, _ in layouts.values())
    # Of a list alone nothing else can be a row.
    alone = len(own) == 1 and not (has_cells or filled or held_tables)
    rows = [] if alone else _inside(layouts, given)
    _check_distinct([*own, *rows] if has_cells else own)
    _check_apart(own, rows)
    _check_apart(filled, [*own, *rows])
    _check_apart([*own, *rows, *filled], held_tables)
    counts = [(_count(given[name], items), items) for name, (held, items) in layouts.items() if held.reads]
    long = [count for count, items in counts if count > max(_SHORT, _work(lowered, items) / _READ)]
    if long and not long_lists.pays(lowered, sum(long)):
        raise Refused(LONG_LIST, silent=True)
    taken = {
        name: (LentMap if maps.is_map(given[name]) else Lent)(given[name], *layout)
        for name, layout in layouts.items()
    }
    try:
        for each in taken.values():
            each.fill()
        try:
            yield taken
        except Refused:
            raise
        except BaseException:
            _give_back(each for name, each in taken.items() if name not in lowered.made)
            _print(lowered, taken, given, around)
            raise
        _give_back(each for name, each in taken.items() if name not in (*spent, *lowered.made))
        _print(lowered, taken, given, around)
    finally:
        for each in taken.values():
            each.free()


def _work(lowered: Lowered, items: Items) -> float:
    """The statements that surely run: a search in a large dictionary, or network, may be over at once."""
    return lowered.seen_work if items.kind in (MAP, ROWS) else lowered.work


def _count(given: list[Any], items: Items) -> int:
    """How many items are read; two numbers of a grid take as long as one."""
    if items.rows is not None:
        rows = rows_of(given, items)
        return sum(map(len, rows)) // 2 + len(given) + len(rows)
    return len(given) * (len(given[0]) // 2 if given and items.kind == "grid" else 1)


def _inside(layouts: Mapping[str, tuple[HeldList, Items]], given: Mapping[str, Any]) -> list[Any]:
    """The lists in those lists whose items are lists."""
    found = [row for name, (_, items) in layouts.items() if items.kind in _OF_LISTS for row in given[name]]
    return [
        *found,
        *(row for name, (_, items) in layouts.items() if items.rows for row in rows_of(given[name], items)),
    ]


def _lists_in(given: Sequence[Any]) -> Iterator[list[Any]]:
    """The lists among some values, and those in them."""
    for each in given:
        if type(each) is list:
            yield each
        if type(each) in (list, tuple):
            yield from _lists_in(each)


def _check_distinct(given: Sequence[list[Any]]) -> None:
    if len({*map(id, given)}) < len(given):
        raise Refused("two names of one list", silent=True)


def _check_apart(some: Sequence[list[Any]], others: Sequence[list[Any]]) -> None:
    if some and others and not {*map(id, some)}.isdisjoint(map(id, others)):
        raise Refused("two names of one list", silent=True)


def _print(
    lowered: Lowered, taken: Mapping[str, Lent], given: Mapping[str, Any], around: dict[str, Any]
) -> None:
    """Do what was kept: print, and append to the lists in those that are ``given``."""
    printed = taken[lowered.made[-1]].items() if lowered.prints else []
    if not printed:
        return
    made = ((eval(text, around), name) for text, name in lowered.prints)
    calls = [call(given[name]) if name else call for call, name in made]
    for number, *numbers in printed:
        calls[number](*numbers)


def _give_back(taken: Iterable[Lent]) -> None:
    for each in taken:
        each.give_back()
