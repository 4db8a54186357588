"""What a native loop needs to know of a call's arguments: their types, and what its ranges depend on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from nprewrite.lowering.arrays import (
    Argument,
    ArrayArgument,
    Entry,
    GeneratorArgument,
    ListArgument,
    NumberArgument,
    TableArgument,
    TupleArgument,
)
from nprewrite.lowering.list_items import MAP, Items
from nprewrite.lowering.numbers import CHARACTER, INT64, NONE, number_of, of_dtype
from nprewrite.lowering.row_uses import RowUse
from nprewrite.numpy_api.random import of_generator
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba.libraries import has_rows
from nprewrite.runtime.numba.lists import items_in, items_of_map
from nprewrite.runtime.numba.maps import MAPS, is_map
from nprewrite.runtime.numba.tables import Table

Array = np.ndarray[Any, Any]
Range = tuple[int, int]


@dataclass(frozen=True)
class Uses:
    """How a function uses its parameters.

    ``counts`` are integers whose values do not matter, ``appended`` lists of which it does not matter what
    they hold, ``grids`` lists of whose items it takes numbers at places that it computes, and ``rows`` lists
    over whose items it runs.
    """

    counts: frozenset[str]
    appended: frozenset[str]
    grids: frozenset[str]
    rows: Mapping[str, RowUse]


def fingerprint(
    arguments: Sequence[Any],
    appended: Collection[int] = (),
    grids: Collection[int] = (),
    rows: Mapping[int, RowUse] = MappingProxyType({}),
) -> tuple[Any, ...]:
    """What plans depend on except the contents of index arrays: types, layouts, shapes and integers.

    Of lists at the positions ``appended`` it does not matter what they hold; those at ``grids`` may be some,
    and those at ``rows`` hold lists of any length.
    """
    return tuple(
        [
            (each.dtype, each.shape, each.flags.num, has_rows(each))
            if type(each) is np.ndarray
            else fingerprint(each)
            if type(each) is tuple
            else (list, None if k in appended else items_in(each, is_grid=k in grids, rows=rows.get(k)))
            if type(each) is list
            else (type(each), items_of_map(each))
            if type(each) in MAPS
            else (Table, each)
            if type(each) is Table
            else (type(each), each if isinstance(each, int | np.integer) else None)
            for k, each in enumerate(arguments)
        ]
    )


def without_values(known: tuple[Any, ...], positions: Collection[int]) -> tuple[Any, ...]:
    """A fingerprint in which the integers at some positions may have any value that fits an int64."""
    return tuple([_without_value(each) if k in positions else each for k, each in enumerate(known)])


def types_in(known: tuple[Any, ...]) -> tuple[Any, ...]:
    """A fingerprint without shapes, and of integers only whether they fit an int64."""
    return tuple(map(_type_in, known))


def _type_in(known: tuple[Any, ...]) -> tuple[Any, ...]:
    match known:
        case (np.dtype() as dtype, tuple() as shape, *layout):
            return dtype, len(shape), *layout
        case (tuple(), *_):
            return types_in(known)
    return _without_value(known)


def _without_value(known: tuple[Any, ...]) -> tuple[Any, ...]:
    match known:
        case (type() as kind, int() | np.integer() as number):
            return kind, "fits" if INT64[0] <= number <= INT64[1] else "is beyond"
    return known


def flat(arguments: Sequence[Any]) -> list[Any]:
    """The arguments, with the numbers of tuples side by side, and without generators of random numbers."""
    plain = (
        None
        if type(each) is Table or _is_generator(each)
        else _characters(each)
        if type(each) is str
        else each
        for each in arguments
    )
    return [part for each in plain for part in (each if type(each) is tuple else (each,))]


def is_flat(arguments: Sequence[Any]) -> bool:
    """Whether ``flat`` gives arguments of these types as they are."""
    return not any(type(each) in (tuple, str, Table) or _is_generator(each) for each in arguments)


def _characters(text: str) -> Array:
    """The code points of a string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _is_generator(argument: Any) -> bool:
    return of_generator(argument) is not None


def key_of(name: str, argument: Any, stored: Sequence[Array], uses: Uses) -> tuple[Any, ...]:
    """The type of an argument, then what ranges depend on: shape and stability, or the integer itself.

    ``stored`` are the arrays into which the loop stores. Raises ``Refused`` for what a loop cannot take.
    """
    if isinstance(argument, np.ndarray):
        _check_array(name, argument, stored)
        integers = argument.dtype.kind in "iu"
        is_stable = integers and not any(np.may_share_memory(argument, each) for each in stored)
        return ((argument.dtype.char, argument.ndim), argument.shape, is_stable)
    if type(argument) is tuple and argument:
        numbers = tuple(map(number_of, argument))
        if None not in numbers:
            return (numbers,)
    if type(argument) is Table:
        return (argument,)
    if _is_generator(argument) or type(argument) is str:
        return (type(argument),)
    if type(argument) is list:
        if name in uses.appended:
            return (Items(),)
        return (items_in(argument, is_grid=name in uses.grids, rows=uses.rows.get(name)),)
    if is_map(argument):
        return (items_of_map(argument),)
    number = NONE if argument is None else number_of(argument)
    if number is None:
        kind_name = f"{type(argument).__module__}.{type(argument).__qualname__}"
        # Of `fringe.pop()` nobody could know before that it is a set, nor of an integer that it has more
        # than 64 bits: the program has it so.
        raise Refused(
            f"type of {name}",
            f"{name!r} is {kind_name}, expected an array or a number; convert it before the loop",
            passing=isinstance(argument, Collection | int),
        )
    return (number, int(argument)) if number.is_integer and name not in uses.counts else (number,)


def _check_array(name: str, array: Array, stored: Sequence[Array]) -> None:
    if type(array) is not np.ndarray or of_dtype(array.dtype) is None:
        raise Refused(
            f"type of {name}",
            f"{name!r} is {type(array).__name__} of {array.dtype}, expected exactly numpy.ndarray of "
            f"booleans, integers, float32 or float64; convert it before the loop",
        )
    if not array.flags.writeable and any(each is array for each in stored):
        raise Refused(f"{name} is read-only", f"{name!r} is read-only, expected a writeable array")


def entry_argument(
    position: int, argument: Any, known: tuple[Any, ...], contents: dict[int, Range]
) -> Argument:
    """What the lowering is told of an argument; ``contents`` collects the ranges that it asks for."""
    if isinstance(argument, tuple):
        return TupleArgument(tuple(NumberArgument(each) for each in known[0]))
    if isinstance(argument, Table):
        return TableArgument(argument.rows)
    if (of := of_generator(argument)) is not None:
        return GeneratorArgument(of)
    if type(argument) is str:
        return ArrayArgument(CHARACTER, 1)
    if isinstance(argument, list) or is_map(argument):
        return ListArgument(known[0])
    if not isinstance(argument, np.ndarray):
        number = known[0]
        return NumberArgument(number, int(argument) if len(known) > 1 else None)
    element = of_dtype(argument.dtype)
    assert element is not None
    if len(known) == 1:
        return ArrayArgument(element, argument.ndim)

    def asked() -> Range:
        if position not in contents:
            contents[position] = _range_of(argument)
        return contents[position]

    return ArrayArgument(element, argument.ndim, argument.shape, asked if known[2] else None)


def _range_of(array: Array) -> Range:
    return (int(array.min()), int(array.max())) if array.size else (0, 0)


def within(array: Array, seen: Range) -> bool:
    low, high = _range_of(array)
    return seen[0] <= low and high <= seen[1]


def described(entry: Entry) -> str:
    """The types of arguments, for a user to read."""
    kinds = [f"{name}: {_kind(each)}" for name, each in entry.items()]
    return f"the arguments are {', '.join(kinds)}"


def _kind(argument: Argument) -> str:
    if isinstance(argument, ListArgument):
        return "dictionary or set" if argument.items.kind == MAP else "list"
    if isinstance(argument, GeneratorArgument):
        return {"generator": "Generator", "state": "RandomState", "python": "random.Random"}[argument.of]
    if isinstance(argument, TableArgument):
        return f"a table of {len(argument.rows)} rows"
    if isinstance(argument, TupleArgument):
        return f"({', '.join(map(_kind, argument.items))})"
    if isinstance(argument, NumberArgument):
        return str(argument.number)
    if argument.element == CHARACTER:
        return "str"
    return f"{argument.element.dtype}[{argument.rank} axes]"
