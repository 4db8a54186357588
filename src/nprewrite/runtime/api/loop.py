"""A loop over a step: iterating it runs the whole loop, or leaves the iterations to the body as written."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import GeneratorType
from typing import Any

from nprewrite.runtime.api import rebound
from nprewrite.runtime.api.boxes import Scalars
from nprewrite.runtime.api.numbers import Ahead, Control, Conversation, Generated
from nprewrite.runtime.api.refusal import Compilation, Compiling, Place, Refused, TooEarly
from nprewrite.runtime.api.step_runs import StepRuns
from nprewrite.runtime.choosing.choice import Choice, Watch, disturb

_POP_TOP = dis.opmap["POP_TOP"]


class Loop:
    """A loop over a step. Iterating it runs the whole loop and yields nothing; where a guard refuses, it
    yields every element of the range, so that the body as written runs.

    ``finished`` tells whether the step ran. Then ``counter`` is the loop variable's last value, ``numbers``
    what a generator has returned, and ``results`` gives the carried arrays and the ``out`` values, each new.
    Functions hold the loop until they return, so it drops its arguments when it has run and its results when
    they have been asked for.
    """

    # Set in the class, because most loops of short arrays are made only to run as written.
    finished = False
    counter: int | None = None
    numbers: tuple[Any, ...] = ()
    _found: tuple[Any, ...] = ()

    def __init__(
        self,
        step: StepRuns,
        iterable: Any,
        scalars: Scalars | None,
        arguments: dict[str, Any],
        place: Place,
    ) -> None:
        self._step = step
        self._iterable = iterable
        self._scalars = scalars
        self._arguments = arguments
        self._place = place
        self._written = iterable

    def __iter__(self) -> Iterator[Any]:
        try:
            return self._started()
        finally:
            self._iterable, self._scalars, self._arguments, self._written = (), None, {}, ()

    @property
    def results(self) -> tuple[Any, ...]:
        """What the loop has computed, once."""
        found, self._found = self._found, ()
        return found

    def _started(self) -> Iterator[Any]:
        if isinstance(self._iterable, GeneratorType) and not self._takes_numbers(self._iterable):
            return self._as_refused()
        choice = self._step.choice(self._iterable, self._arguments)
        compilation = self._step.compilation(self._arguments)
        if compilation is not None:
            self._step.put_off(compilation)
            return self._meanwhile(compilation)
        if choice is not None and choice.next() == "original":
            return self._as_written(choice)
        try:
            results = self._run() if choice is None else self._in_turn(choice)
        except Compiling as compiling:
            disturb()
            return self._meanwhile(compiling.compilation)
        except TooEarly:
            if choice is not None and choice.is_nothing:
                choice.keep("original", "it takes less than a call of compiled code")
                return self._as_written(choice)
            disturb()
            return iter(self._written) if choice is None else self._timed(choice, self._written)
        if results is None:
            return self._as_refused()
        if isinstance(self._scalars, Generated):
            self.numbers = self._scalars.last
        self._finish(self._iterable, results)
        return iter(())

    def _finish(self, trips: range, results: tuple[Any, ...]) -> None:
        self.finished = True
        self.counter = trips[-1]
        self._found = results

    def _meanwhile(self, compilation: Compilation) -> Iterator[Any]:
        """The loop as written while it is compiled; what is then left of a long loop runs compiled."""
        if self._written is not self._iterable or not self._step.can_go_on:
            return iter(self._written)
        return self._until_over(compilation, self._iterable, self._scalars, self._arguments)

    def _until_over(
        self, compilation: Compilation, trips: range, scalars: Scalars | None, arguments: dict[str, Any]
    ) -> Iterator[Any]:
        rest, names = trips, self._step.rebound
        # The frame is that of the loop, and has to be asked for anew: kept here, it would keep itself.
        if names and not rebound.are_variables(sys._getframe(1), arguments, names):
            yield from rest
            return
        while rest and not compilation.over:
            yield rest[0]
            rest = rest[1:]
        if not rest:
            return
        if names:
            arguments = rebound.as_they_are(sys._getframe(1), arguments, names)
        try:
            results = self._step.run(rest, scalars, arguments, self._place)
        except Compiling:
            results = None
        if results is not None:
            self._finish(rest, results)
            return
        yield from rest
        self._step.tell()

    def _takes_numbers(self, control: Control) -> bool:
        """Take the numbers that a generator gives as the loop's scalars; return whether that was possible."""
        self._written = (None,)
        kind = Conversation if self._step.signature.received else Ahead
        try:
            self._scalars = kind(control)
        except Refused as refusal:
            self._step.refused(refusal, self._place, self._place.describe("the loop"))
            return False
        self._iterable = self._scalars.trips
        return True

    def _as_refused(self) -> Iterator[Any]:
        """The loop as written; a pending warning about it is given when it ends, unless by an exception."""
        return iter(self._written) if self._step.untold is None else self._then_told(self._written)

    def _then_told(self, written: Any) -> Iterator[Any]:
        try:
            yield from written
        except GeneratorExit:
            # ``break`` and ``return`` drop the iterator with an instruction, exceptions without one.
            left = sys._getframe(1)
            if left.f_code.co_code[left.f_lasti] == _POP_TOP:
                self._step.tell()
            raise
        self._step.tell()

    def _run(self) -> tuple[Any, ...] | None:
        return self._step.run(self._iterable, self._scalars, self._arguments, self._place)

    def _in_turn(self, choice: Choice) -> tuple[Any, ...] | None:
        try:
            return choice.measured("rewritten", self._results)
        except (Compiling, TooEarly):
            raise
        except Refused:
            choice.keep("original", "nothing of it ran compiled")
            return None

    def _results(self) -> tuple[Any, ...]:
        """The results of a run. Raises ``Refused``, so that the time until a guard refuses is not counted."""
        results = self._run()
        if results is None:
            raise Refused("told already", silent=True)
        return results

    def _as_written(self, choice: Choice) -> Iterator[Any]:
        self._step.stood_aside(choice)
        return iter(self._written) if choice.kept is not None else self._timed(choice, self._written)

    def _timed(self, choice: Choice, written: Any) -> Iterator[Any]:
        watch, complete = Watch(), False
        try:
            yield from written
            complete = True
        finally:
            # Statements outside loops may end in a return, which closes the iterator.
            if complete or self._step.signature.once:
                choice.note("original", watch.seconds())
