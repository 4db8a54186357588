"""What a lowered function is given: arrays and numbers by parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nprewrite.lowering.forms import Bound
from nprewrite.lowering.numbers import Number


@dataclass(frozen=True)
class ArrayArgument:
    """An array: the type of its elements, its rank and shape where they are known.

    ``contents`` gives the least and the greatest element of an array of integers that the loop does not
    change, None where that is not known.
    """

    element: Number
    rank: int | None = None
    shape: tuple[int, ...] | None = None
    contents: Callable[[], tuple[Bound, Bound]] | None = None


@dataclass(frozen=True)
class NumberArgument:
    """A number: its type, and its value where that is known and an integer."""

    number: Number
    value: int | None = None


Entry = Mapping[str, ArrayArgument | NumberArgument]
