"""Dictionaries and sets of numbers as compiled loops take them: as lists of their items, in their order.

They change once, when the run is over: by the values that were stored, and the keys that are new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeGuard

import numpy as np

from nprewrite.lowering.list_items import MAP, MOST_KEYS, Column, Items
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba.lent_rows import rows_in
from nprewrite.runtime.numba.slots import other_items

Map = dict[Any, Any] | set[Any]
MAPS: dict[type, str] = {dict: "dict", defaultdict: "dict", Counter: "counter", set: "set"}
_DEFAULTS: dict[Any, str] = {int: "int", float: "float", list: "list"}
OTHER_KEYS = "keys of a dictionary"


def is_map(given: object) -> TypeGuard[Map]:
    """Whether it is a dictionary or a set of Python's own."""
    return type(given) in MAPS


def items_of(given: Map, column: Callable[[set[type]], Column]) -> Items:
    """What a dictionary or a set holds; ``column`` gives that of numbers of some types.

    Raises ``Refused`` where a key is no integer, no tuple of integers, and no floating-point number.
    """
    made = MAPS[type(given)]
    if isinstance(given, defaultdict):
        made = _DEFAULTS.get(given.default_factory, "dict")
    if not given:
        return Items(MAP, made=made, rows=Items() if made == "list" else None)
    kinds = {*map(type, given)}
    lengths = {1}
    if tuple in kinds:
        lengths = {*map(len, given)} if len(kinds) == 1 else {0}
    # A tuple of one number is no number.
    is_followed = len(lengths) == 1 and max(lengths) <= MOST_KEYS and (tuple not in kinds or min(lengths) > 1)
    if not is_followed:
        raise _other_keys("tuples of other lengths, or beside numbers")
    keys, under = max(lengths), columns_of(given)
    columns = [_key_column(each, column) for each in under[:keys]]
    if isinstance(given, dict) and list in {*map(type, given.values())}:
        if any(type(each) is not list for each in given.values()):
            raise other_items("lists and something else, under the keys of a dictionary")
        rows = rows_in([*given.values()], column).rows
        return Items(MAP, tuple(columns), keys=keys, made=made, rows=rows)
    columns += [column({*map(type, each)}) for each in under[keys:]]
    return Items(MAP, tuple(columns), keys=keys, made=made)


def _key_column(numbers: Collection[Any], column: Callable[[set[type]], Column]) -> Column:
    found = column({*map(type, numbers)})
    if all(each.dtype.kind in "ib" for each in found.numbers):
        return found
    doubles = not found.is_tagged and found.numbers[0].dtype == np.float64
    if not doubles or any(map(_is_unlike, numbers)):
        raise _other_keys("something else than integers, or floats but for not-a-number and the zero -0.0")
    return found


def _is_unlike(number: float) -> bool:
    """Whether a key is not found by its bits."""
    return number != number or (number == 0.0 and bool(np.signbit(number)))


def _other_keys(text: str) -> Refused:
    return Refused(OTHER_KEYS, f"the keys of a dictionary or set are {text}", passing=True)


def columns_of(given: Map) -> list[Collection[Any]]:
    """The numbers of the keys, those in the same place of each together, and what stands under them."""
    of_tuples = type(next(iter(given), None)) is tuple
    columns: list[Collection[Any]] = [*zip(*given, strict=True)] if of_tuples else [given]
    if isinstance(given, dict):
        columns.append(given.values())
    return columns


def put_back(given: Map, columns: Sequence[list[Any]], keys: int) -> None:
    """Have a dictionary or a set hold the items that a loop has stored or added, in their order."""
    own = columns[0] if keys == 1 else zip(*columns[:keys], strict=True)
    if isinstance(given, set):
        given.update(own)
    else:
        # A counter would add to what it has.
        dict.update(given, zip(own, columns[keys], strict=True))
