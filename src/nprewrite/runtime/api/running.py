"""A step inside a loop that does other things too: it holds the loop's arrays between the iterations.

    with _heat_step.running(rate=rate, u=u) as run:
        for n in range(trips):
            if not run.advance():
                u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])     # as written
            if n % 10 == 0:
                run.store()
                frames.append(u.copy())

Arrays that the step changes in place are private between two calls of ``store``, and those that it rebinds
between two calls of ``own``, so that an iteration needs no copies. However the loop ends, the user's arrays
hold what it has computed.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any, Self

from nprewrite.runtime.api import rebound
from nprewrite.runtime.api.loop_arrays import HeldLoop, Numbers
from nprewrite.runtime.api.refusal import Compilation, Compiling, Place, Refused, TooEarly
from nprewrite.runtime.api.step_runs import StepRuns
from nprewrite.runtime.choosing.choice import Choice, Turn, disturb


class Run:
    """One loop that a step runs in."""

    def __init__(self, step: StepRuns, arguments: dict[str, Any], place: Place) -> None:
        self._step = step
        self._arguments = arguments
        self._place = place
        self._choice: Choice | None = None
        self._turn: Turn | None = None
        self._held: HeldLoop | None = None
        self._aside = False
        self._early = False
        self._compilation: Compilation | None = None
        self._trips = 0

    def __enter__(self) -> Self:
        choice = self._step.choice(None, self._arguments)
        compilation = self._step.compilation(self._arguments)
        if compilation is not None:
            self._step.put_off(compilation)
            self._aside = True
            self._await(compilation)
        elif choice is not None:
            self._choice, self._turn = choice, Turn(choice)
            self._aside = self._turn.side == "original"
        if self._aside and self._compilation is None:
            self._forget()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.store()
        self._forget()
        if kind is None:
            self._step.tell()
        if self._turn is not None and self._trips and kind is None:
            self._turn.ends(self._trips)

    def advance(self, numbers: Numbers = tuple, /, **given: Any) -> bool:
        """Compute the next iteration; return False, with nothing changed, where it has to run as written.

        ``numbers`` gives the step's scalars, ``given`` the inputs that each iteration makes anew.
        """
        self._trips += 1
        if self._compilation is not None and self._step.rebound:
            self._look_up(sys._getframe(1))
        if self._compilation is not None and self._compilation.over:
            self._aside, self._compilation = False, None
        if self._aside:
            if self._trips == 1 and self._choice is not None:
                self._step.stood_aside(self._choice)
            return False
        if self._early and self._step.rebound and self._held is None:
            self._arguments = rebound.as_they_are(sys._getframe(1), self._arguments, self._step.rebound)
        try:
            if self._held is None:
                self._held = self._begun(numbers, given)
            else:
                self._held.advance(numbers, given)
        except TooEarly as refusal:
            self._put_off(refusal, sys._getframe(1))
            return False
        except Refused as refusal:
            self._stand_aside(refusal)
            if self._compilation is not None and self._step.rebound:
                self._look_up(sys._getframe(1))
            return False
        return True

    def _begun(self, numbers: Numbers, given: dict[str, Any]) -> HeldLoop:
        goes_on = self._step.can_go_on and (self._early or not self._step.rebound)
        return self._step.held(self._arguments, numbers, given, self._place, goes_on=goes_on)

    def _put_off(self, refusal: TooEarly, frame: FrameType) -> None:
        """Try again at the next iteration, unless nobody would know what its arrays are."""
        names = self._step.rebound
        known = self._early or not names or rebound.are_variables(frame, self._arguments, names)
        if not known or not self._step.can_go_on:
            self._stand_aside(refusal)
            return
        self._early, self._turn = True, None
        disturb()
        self._step.refused(refusal, self._place, self._place.describe("the loop"))

    def _look_up(self, frame: FrameType) -> None:
        """Follow the names that the loop binds anew; where that cannot be done, it is not taken over."""
        assert self._compilation is not None
        names = self._step.rebound
        if self._trips == 1 and not rebound.are_variables(frame, self._arguments, names):
            self._compilation = None
            self._forget()
        elif self._compilation.over and self._trips > 1:
            self._arguments = rebound.as_they_are(frame, self._arguments, names)

    @property
    def results(self) -> tuple[Any, ...]:
        """The values of the names that the last iteration binds."""
        return () if self._held is None else self._held.results_now

    def store(self) -> None:
        """Bring the user's arrays up to date; the next iteration reads what they hold then."""
        if self._held is not None:
            self._held.store()

    def own(self, array: Any) -> Any:
        """``array``, or a copy where the step still computes in its memory."""
        return array if self._held is None else self._held.own(array)

    def _forget(self) -> None:
        """Drop all arrays: functions hold the run until they return."""
        self._held, self._arguments = None, {}

    def _await(self, compilation: Compilation) -> None:
        """Take the loop over again when it is compiled, if that is possible in the middle."""
        # Later on, nobody knows which variables the first arrays were.
        if self._step.can_go_on and (self._trips <= 1 or self._early or not self._step.rebound):
            self._compilation = compilation

    def _stand_aside(self, refusal: Refused) -> None:
        """Leave the remaining iterations to the loop as written."""
        self.store()
        self._held = None
        self._aside = True
        if isinstance(refusal, Compiling):
            disturb()
            self._await(refusal.compilation)
        elif self._choice is not None and self._trips == 1 and not isinstance(refusal, TooEarly):
            self._choice.keep("original", "nothing of it ran compiled")
        if self._compilation is None:
            self._forget()
        self._turn = None
        self._step.refused(refusal, self._place, self._place.describe("the loop"))
