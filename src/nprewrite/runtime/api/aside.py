"""Loops that run as written at once, where NumPy was kept for arrays that were no smaller.

A loop body of small arrays takes some ten microseconds, and so does a look at all that decides how it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nprewrite.runtime.choosing.choice import Choice


class _NotFinished:
    finished = False
    counter: int | None = None
    numbers: tuple[Any, ...] = ()
    results: tuple[Any, ...] = ()


class AsWritten(_NotFinished):
    """A loop that runs as written; iterating it yields every element of the range."""

    def __init__(self, trips: range) -> None:
        self._trips = trips

    def __iter__(self) -> Iterator[int]:
        return iter(self._trips)


class Once(_NotFinished, tuple[int, ...]):
    """Statements that run as written; as a tuple it is iterated without a call of a method."""


ONCE = Once((0,))


class Aside:
    """The sizes for which NumPy was kept last, by a ``choice``."""

    __slots__ = ("_arrays", "_count", "_numbers", "_trips", "choice")

    def __init__(
        self, choice: Choice, trips: range, arguments: Mapping[str, Any], numbers: tuple[str, ...]
    ) -> None:
        self.choice = choice
        self._trips = len(trips)
        self._count = len(arguments)
        self._arrays = [(name, each.size) for name, each in arguments.items() if type(each) is np.ndarray]
        self._numbers = [(name, arguments[name]) for name in numbers]

    def loop(self, trips: object, arguments: Mapping[str, Any]) -> AsWritten | Once | None:
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
        if not self.choice.passes("original"):
            return None
        return ONCE if len(trips) == 1 and not trips[0] else AsWritten(trips)
