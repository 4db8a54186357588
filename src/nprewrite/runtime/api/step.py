"""The decorator that rewritten code puts on a step function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any, Unpack

from nprewrite.runtime.api import spec
from nprewrite.runtime.api.aside import AsWritten, Once
from nprewrite.runtime.api.backend import StepFunction
from nprewrite.runtime.api.boxes import Scalars
from nprewrite.runtime.api.loop import Loop
from nprewrite.runtime.api.refusal import Place
from nprewrite.runtime.api.repeated import Ran
from nprewrite.runtime.api.running import Run
from nprewrite.runtime.api.step_runs import StepRuns


def step(
    *,
    compile: bool = False,
    tune: bool = False,
    on_fallback: str = "warn",
    **declared: Unpack[spec.Declaration],
) -> Callable[[StepFunction], Step]:
    """Declare a function to be one iteration of a loop.

    The function takes scalars, constants, sizes, inputs, state and carried arrays in that order and returns
    a tuple of the new state, carried and ``out`` values, then the live mask where ``live`` names one.
    Dtypes are given as NumPy spells them; ``pair(...)`` makes two parameters or results of one value.

    - ``counter``: the loop variable.
    - ``scalars``: values that change in each iteration, 0-d in the step; the loop variable itself
      unless ``over`` is given ``scalars=``.
    - ``constants``: Python numbers fixed over the loop, 0-d in the step.
    - ``sizes``: Python integers fixed over the loop, not negative, that say how long arrays are and where
      slices of them end; integers in the step too.
    - ``bounds``: the closed interval in which a real constant must lie.
    - ``inputs``: arrays that are only read. ``state``: arrays changed in place. ``carried``: names
      rebound to new arrays. ``out``: names computed in each iteration and needed after the last.
    - ``received``: numbers among ``out`` that the generator given to ``over`` receives after each iteration.
    - ``given``: inputs that are other arrays in each iteration, passed to ``Run.advance``.
    - ``calls``: functions that are arguments in the loop as written, and built into the step.
    - ``apart``: arrays of which the scalars are elements; they may not share memory with the state.
    - ``aligned``: arrays that must have one shape, because a mask of the step selects from them.
    - ``ranks``: numbers of dimensions that the step relies on, by array.
    - ``rotates``: names of state arrays that change places after each iteration, each with the name whose
      array it takes; the results end with the user's arrays that the names stand for in the end.
    - ``previous``: carried names that an iteration binds to the array that another name stood for before it.
    - ``lanewise``: all arrays have one shape and each element evolves by itself.
    - ``chunked``: several iterations may run in one call.
    - ``once``: the step holds statements outside a loop.
    - ``grows``: it makes arrays, or does work, of the product of two of its arrays' sizes.
    - ``picks``: it picks elements by positions, which compiled code finds out of range as it computes.
    - ``read_first``: inputs that are read only before the state is stored into, so that they may share its
      memory.
    - ``looped``: where an iteration is too little work for a call, many run in a loop that Numba compiles.
    - ``live``: a bool result, True for the lanes that still change. A lane that has become False
      stays so, and its state, carried and ``out`` values stay what they are.
    - ``compile``: use torch.compile; otherwise the step runs in NumPy.
    - ``tune``: measure how many iterations to run in a call, and remember that for this machine.
    - ``on_fallback``: where a loop has to run as written, "warn" or "raise" (``FallbackError``).

    Raises ``TypeError`` or ``ValueError`` where the declarations disagree.
    """
    signature = spec.signature(**declared)
    return lambda function: Step(function, signature, compile=compile, tune=tune, on_fallback=on_fallback)


class Step(StepRuns):
    """A step function with its declarations; calling it runs one iteration in NumPy."""

    def over(
        self, iterable: Any, /, *, scalars: Scalars | None = None, **arguments: Any
    ) -> Loop | AsWritten | Once | Ran:
        """Return the loop of this step over ``iterable``; iterating it runs the loop.

        ``iterable`` is a range, or a generator of the numbers of each iteration (see ``numbers``). With a
        generator, iterating gives one element where a guard refuses, so that a whole loop as written runs.
        ``arguments`` are the constants and arrays by name. ``scalars`` maps the loop variable to the
        values of the step's scalars. Raises ``TypeError`` where an argument is missing or unknown.
        """
        if (aside := self.standing_aside(iterable, arguments)) is not None:
            return aside
        if type(iterable) is range and (ran := self.ran_again(arguments, scalars)) is not None:
            return ran
        self._check_names("over", arguments)
        if scalars is None and not self.signature.counts and not isinstance(iterable, GeneratorType):
            raise TypeError("over() needs scalars= where a scalar is not the loop variable")
        return Loop(self, iterable, scalars, arguments, Place.of(sys._getframe(1)))

    def running(self, **arguments: Any) -> Run:
        """Return a context for a user's loop, in which ``advance`` computes an iteration.

        ``arguments`` are the constants and arrays by name. Raises ``TypeError`` where one is missing or
        unknown.
        """
        self._check_names("running", arguments)
        return Run(self, arguments, Place.of(sys._getframe(1)))

    def _check_names(self, method: str, arguments: Mapping[str, Any]) -> None:
        if arguments.keys() != self.signature.arguments:
            wrong = ", ".join(sorted(arguments.keys() ^ self.signature.arguments))
            raise TypeError(f"{method}() got other arguments than the step declares: {wrong}")
