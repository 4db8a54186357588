"""Which way is faster for a loop that is called often, for a few trips each time.

A compiled run costs some microseconds whatever it computes, which is more than Python needs for a few trips
of a loop inside one that is not compiled; to lend a generator, or to copy a large array, costs more. Where
runs are that short, or take longer than what they do explains, both ways take turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nprewrite.runtime.choosing.choice import now

SHORT_S = 300e-6
"""Compiled runs that take longer on average do more than the call itself, also where that lends the state of
a generator of random numbers: as a rule."""
DOUBTFUL_S = 20e-3
"""Runs as written may take far longer than compiled ones: nobody tries those of longer ones, unless all that
they do takes less time as written."""
MOST_GAINED = 100
"""So many times as long they may take."""
_LOST_S = 0.05
"""Once so much is lost by copying, both ways take turns for the first time."""
ROUNDS = 64
FEW_ROUNDS = 4
"""So many are enough where runs as written are clearly slower."""
_CLEAR = 2.0
_LONG = 20
"""A run as written that takes so many times as long as a short compiled one has all runs compiled again."""
_LATER = 16
"""The factor by which the number of runs until the next decision grows."""


@dataclass
class Tally:
    """The number of some runs, and their total time."""

    count: int = 0
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds


class ShortRuns:
    """The runs of one loop; with ``written`` it runs as written, because its runs are short."""

    def __init__(self) -> None:
        self.written = False
        self._awaited, self._lost = ROUNDS, 0.0
        self._limit = 0.0
        self._needed = FEW_ROUNDS
        self._begin(compares=False)

    def is_written_turn(self) -> bool:
        """Whether the next run is to be as written."""
        return self.written or (self._compares and self._as_written.count < self._compiled.count)

    def compiled_run(self, seconds: float, python: float = math.inf, copying: float = 0.0) -> None:
        """Note the time of a run, and an estimate of the seconds that it would take as written.

        ``copying`` is what it took to bring lists to where the loop reads them, and back.
        """
        self._lost += max(0.0, copying - _CLEAR * python)
        self._compiled.add(seconds)
        self._python += python
        if self._compares:
            self._decide()
        elif self._compiled.count >= self._awaited or (self._lost > _LOST_S and self._awaited == ROUNDS):
            mean = self._compiled.seconds / self._compiled.count
            self._limit = _LONG * mean
            self._needed = FEW_ROUNDS if mean < SHORT_S else 1
            doubtful = mean < DOUBTFUL_S and self._compiled.seconds * _CLEAR > self._python
            self._begin(compares=mean < SHORT_S or doubtful or self._is_lost)

    @property
    def _is_lost(self) -> bool:
        """Whether compiled runs take longer than those as written would, by all that is known."""
        return self._compiled.seconds > _CLEAR * self._python

    def run_as_written(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Run the loop as written, and note how long that took; raises what it raises."""
        started = now()
        result = function(*arguments)
        seconds = now() - started
        if seconds > self._limit:
            self._awaited *= 1 if self.written else _LATER
            self.written = False
            self._begin(compares=False)
        elif not self.written:
            self._as_written.add(seconds)
            self._decide()
        return result

    def _begin(self, *, compares: bool) -> None:
        self._compares = compares
        self._compiled, self._as_written = Tally(), Tally()
        self._python = 0.0

    def _decide(self) -> None:
        rounds = min(self._compiled.count, self._as_written.count)
        less, more = sorted((self._as_written.seconds, self._compiled.seconds))
        is_clear = rounds >= self._needed and more > _CLEAR * less
        is_clear &= more == self._as_written.seconds or more > _LOST_S
        if rounds < ROUNDS and not is_clear:
            return
        self.written = self._as_written.seconds < self._compiled.seconds
        self._awaited *= 1 if self.written else _LATER
        self._begin(compares=False)
