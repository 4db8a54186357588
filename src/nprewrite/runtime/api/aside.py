"""Loops that run as written at once, where NumPy was kept for arrays that were no smaller.

A loop body of small arrays takes some ten microseconds, and so does a look at all that decides how it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nprewrite.runtime.choosing.choice import Choice


class AsWritten:
    """A loop that runs as written; iterating it yields every element of the range."""

    finished = False
    counter: int | None = None
    numbers: tuple[Any, ...] = ()
    results: tuple[Any, ...] = ()

    def __init__(self, trips: range) -> None:
        self._trips = trips

    def __iter__(self) -> Iterator[int]:
        return iter(self._trips)


_ONCE = AsWritten(range(1))


class Aside:
    """The sizes for which NumPy was kept last."""

    __slots__ = ("_arrays", "_choice", "_count", "_numbers", "_trips")

    def __init__(
        self, choice: Choice, trips: range, arguments: Mapping[str, Any], numbers: tuple[str, ...]
    ) -> None:
        self._choice = choice
        self._trips = len(trips)
        self._count = len(arguments)
        self._arrays = [(name, each.size) for name, each in arguments.items() if type(each) is np.ndarray]
        self._numbers = [(name, arguments[name]) for name in numbers]

    def loop(self, trips: object, arguments: Mapping[str, Any]) -> AsWritten | None:
        """The loop over ``trips``; None where it is larger, or the sides take turns again."""
        if type(trips) is not range or len(trips) > self._trips or len(arguments) != self._count:
            return None
        for name, size in self._arrays:
            array = arguments.get(name)
            if type(array) is not np.ndarray or array.size > size:
                return None
        for name, most in self._numbers:
            number = arguments.get(name)
            if type(number) is not int or number > most:
                return None
        if not self._choice.passes("original"):
            return None
        return _ONCE if len(trips) == 1 and not trips[0] else AsWritten(trips)
