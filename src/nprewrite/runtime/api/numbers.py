"""The numbers of a loop's iterations, where a generator computes them.

The generator holds the part of the loop that computes with numbers only. It yields those that an iteration
needs, ends where the loop ends, and returns those that are read afterwards. It changes nothing else, so that
the loop as written can still run from its first iteration.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from nprewrite.runtime.api import guards
from nprewrite.runtime.api.refusal import Refused, refused_by

Control = Generator[tuple[Any, ...], tuple[Any, ...] | None, tuple[Any, ...]]

# What Python arithmetic on numbers raises; the loop as written meets the same error at its own time.
SCALAR_ERRORS = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)
MOST = 1 << 20
"""Iterations whose numbers are computed ahead: an endless loop must not fill the memory."""


class Generated:
    """What a generator yields, and the ``last`` numbers, which it returns."""

    def __init__(self, control: Control) -> None:
        guards.check_errstate()
        guards.check_warnings()
        self._control = control
        self.last: tuple[Any, ...] = ()

    def _asked(self, given: tuple[Any, ...] | None = None) -> tuple[Any, ...] | None:
        """What the generator yields; None where it ends, after keeping what it returned."""
        try:
            return self._control.send(given)
        except StopIteration as end:
            self.last = end.value
            return None
        except SCALAR_ERRORS as error:
            raise refused_by_scalars(error, "a number of the loop") from error


class Ahead(Generated):
    """The numbers of all iterations, computed before the first."""

    def __init__(self, control: Control) -> None:
        """Raises ``Refused`` where computing them raises."""
        super().__init__(control)
        self._rows: list[tuple[Any, ...]] = []
        while (row := self._asked()) is not None:
            self._rows.append(row)
            if len(self._rows) > MOST:
                raise Refused("too many iterations", f"more than {MOST} iterations, expected fewer")
        self.trips = range(len(self._rows))

    def __call__(self, number: int) -> Sequence[Any]:
        return self._rows[number]


class Conversation(Generated):
    """The numbers of one iteration after another, computed from what the iteration before has given."""

    trips = range(MOST)
    """An upper bound: nobody knows how many there will be."""

    def __init__(self, control: Control) -> None:
        """Raises ``Refused`` where computing the first numbers raises, and where there is no iteration."""
        super().__init__(control)
        first = self._asked()
        if first is None:
            raise Refused("no iterations", silent=True)
        self._row = first

    def __call__(self, number: int) -> Sequence[Any]:
        return self._row

    def goes_on(self, given: tuple[Any, ...]) -> bool:
        """Whether another iteration follows one that has ``given`` these numbers."""
        row = self._asked(given)
        if row is None:
            return False
        self._row = row
        return True


def refused_by_scalars(error: Exception, what: str) -> Refused:
    """As ``refused_by``, for an error of what computes numbers."""
    text = f"{what} raises {type(error).__name__}: {error}, expected a number"
    return refused_by(error, "scalars raise", text)
