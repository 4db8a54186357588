"""The arrays and numbers that a lowered function is given, and what a name that holds an array stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nprewrite.lowering.forms import Bound, Form
from nprewrite.lowering.list_items import Items
from nprewrite.lowering.numbers import Number
from nprewrite.lowering.values import Value
from nprewrite.numpy_api.random import Of

LONGEST = 2**48
"""No axis of an array is longer."""
UNKNOWN = 2**40
"""Bounds from here on tell nothing of a length."""


@dataclass(frozen=True)
class ArrayArgument:
    """An array: the type of its elements, and its rank and shape if known.

    ``contents`` gives the least and the greatest element of an array of integers that the loop does not
    change; None if they are not known.
    """

    element: Number
    rank: int | None = None
    shape: tuple[int, ...] | None = None
    contents: Callable[[], tuple[Bound, Bound]] | None = None


@dataclass(frozen=True)
class NumberArgument:
    """A number: its type, and its value if that is a known integer."""

    number: Number
    value: int | None = None


@dataclass(frozen=True)
class TupleArgument:
    """A tuple of numbers."""

    items: tuple[NumberArgument, ...]


@dataclass(frozen=True)
class TableArgument:
    """A small table, nested tuples of numbers: the loop is made for these."""

    rows: tuple[Any, ...]


@dataclass(frozen=True)
class ListArgument:
    """A list, and what the loop may find in it."""

    items: Items


@dataclass(frozen=True)
class GeneratorArgument:
    """A generator of random numbers."""

    of: Of


Argument = ArrayArgument | NumberArgument | TupleArgument | TableArgument | ListArgument | GeneratorArgument
Entry = Mapping[str, Argument]


@dataclass(frozen=True, kw_only=True)
class ArrayValue(Value):
    """An array with memory of its own, or a view; ``text`` is its name in lowered code.

    ``lengths`` are those of its axes, None if their number is not known; ``roots`` are the parameters whose
    memory it may share.
    """

    array: ArrayArgument
    text: str
    lengths: tuple[Form, ...] | None
    roots: frozenset[str]


@dataclass(frozen=True)
class Unclear(Value):
    """What a name holds that is an array on some paths only: nothing may read it."""


UNCLEAR = Unclear({})


@dataclass(frozen=True, kw_only=True)
class MaybeArray(Unclear):
    """What a name holds that is an array or, as ``codes`` say, ``None`` or nothing; its tag tells which."""

    array: ArrayValue


HOLDS_ARRAY = -1
"""The tag of such a name where it holds the array."""


def array_value(text: str, element: Number, lengths: tuple[Form, ...], roots: frozenset[str]) -> ArrayValue:
    """An array whose elements may be anything."""
    known = [each.constant for each in lengths if not each.terms]
    shape = tuple(known) if len(known) == len(lengths) else None
    return ArrayValue(
        {}, array=ArrayArgument(element, len(lengths), shape), text=text, lengths=lengths, roots=roots
    )
