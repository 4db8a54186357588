"""How the loops of a step run: compiled, on a device, in NumPy, or as written where a guard refuses."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nprewrite.base import forks
from nprewrite.base.environment import disabled
from nprewrite.base.errors import FallbackError
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.aside import ONCE, Aside, AsWritten, Once
from nprewrite.runtime.api.backend import StepFunction
from nprewrite.runtime.api.boxes import Scalars, box_constants, check_counter
from nprewrite.runtime.api.known import Part
from nprewrite.runtime.api.loop_arrays import HeldLoop, Numbers
from nprewrite.runtime.api.refusal import (
    Compilation,
    Compiling,
    Place,
    Refused,
    TooEarly,
    Unusable,
    how_it_ran,
    warn_once,
    was_told,
)
from nprewrite.runtime.api.repeated import KINDS, Ran, Repeated, is_repeatable, likeness
from nprewrite.runtime.api.runner import NotCompiled, Runner, compiled_runner, looped_runner, numpy_runner
from nprewrite.runtime.api.spec import Signature
from nprewrite.runtime.choosing import budget, cost, waiting
from nprewrite.runtime.choosing.choice import Choice, disturb
from nprewrite.runtime.device import devices
from nprewrite.runtime.device.devices import DeviceProblem, Placement
from nprewrite.runtime.torch.portable import NotPortable, pack

if TYPE_CHECKING:
    import torch

    from nprewrite.runtime.device.device_loop import DeviceKernel

# Iterations times elements from which on a loop is compiled, or loaded, the first time that it runs.
MINIMUM_WORK = 1 << 20
# By how many bits these are more than what NumPy is through with before a loop begins to run compiled, and
# than the elements of an iteration over whole arrays for which a call of compiled code takes NumPy no longer.
_BEFORE_IT_BEGINS, _OF_A_CALL = 4, 5
# The work of earlier runs from which on shorter loops, and statements that are no loop, are compiled, or
# loaded: before that they may be ones that run once. A run of more work than the second number does not wait
# for another.
GATHERED_WORK, LARGE_WORK = 1 << 22, 1 << 26
# The same for statements of which a call gains some ten microseconds.
_SHORT_CALL, GATHERED_SHORT = 1 << 17, 1 << 27
# Elements below which an iteration over whole arrays takes NumPy no longer than a call of compiled code.
SMALL = 1 << 15

_ONE = range(1)
_MOST_ASIDES = 4
_OFTEN, _UNSEEN = 64, 63
"""After so many calls in turn for which NumPy was kept, so many run as written unseen, in which arrays that
grow are not noticed."""
_NUMPY_IS_FASTER = "as written: NumPy is faster"

Way = Literal["numpy", "compiled", "looped"]


class StepRuns(Part):
    """A step function with its declarations, and how its loops run.

    ``runs`` counts them by ``"compiled"``, ``"numpy"`` or ``"as written: <reason>"``. ``elements`` counts
    the elements that ``vectorized`` computed in NumPy.
    """

    function: StepFunction
    over: Callable[..., Any]

    def __init__(
        self,
        function: StepFunction,
        signature: Signature,
        *,
        compile: bool = False,
        tune: bool = False,
        on_fallback: str = "warn",
    ) -> None:
        self.__name__ = "step"
        super().__init__(function, on_fallback, tune=tune)
        self.signature = signature
        self.elements = 0
        self._compile = compile
        self._weight = cost.weight(function)
        self._operations = cost.operations(function)
        self._gathered = 0
        # Also by whether this is a forked process, whose kernels may be for fewer threads.
        self._runners: dict[tuple[Way, bool], Runner] = {}
        self._device_kernels: dict[tuple[torch.device, str | None], DeviceKernel] = {}
        # Reason and detail only: a kept exception would keep the user's arrays alive.
        self._unusable: dict[Way, tuple[str, str, bool, bool]] = {}
        # By the magnitudes of sizes: the loops that run as written until another process is done.
        self._compilations: dict[tuple[int, ...], Compilation] = {}
        # The last few: one array may grow while another shrinks.
        self._asides: tuple[Aside, ...] = ()
        self._aside_in_turn = 0
        self.repeated: dict[tuple[Any, ...], Repeated] = {}
        """Kinds of calls that have run compiled and need few checks."""
        self.untold: Callable[[], None] | None = None
        """Warns of the last loop that ran as written, after it ended: an error of the user's comes first."""

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        return self.function(*arguments)

    @property
    def compiles(self) -> bool:
        """Whether the step runs through torch.compile where there is enough work."""
        return self._compile and not disabled()

    def report(self) -> list[str]:
        """How the loops of the step ran, what they import torch for, and which way each size class keeps."""
        lines = [how_it_ran(self.__name__, self.runs)]
        operations = [each for runner in self._runners.values() for each in runner.torch_operations]
        if operations:
            lines.append(f"`{self.__name__}` imports torch, for {', '.join(dict.fromkeys(operations))}")
        for (*sizes, trips), choice in self.choices.items():
            largest = f"arrays below 2**{max(sizes)} elements" if sizes else "no arrays"
            loop = "" if self.signature.once else f", fewer than 2**{trips} trips"
            compilation = self._compilations.get(tuple(sizes))
            state = choice if compilation is None or compilation.over else compilation.reason
            lines.append(f"`{self.__name__}` for {largest}{loop}: {state}")
        return lines

    def choice(self, iterable: Any, arguments: Mapping[str, Any]) -> Choice | None:
        """The turns for loops of such sizes; None where there are none to take."""
        if not self.takes_turns or devices.current() is not None:
            return None
        kind = _magnitudes(iterable, arguments, self.signature)
        known = self.choices.get(kind)
        if known is not None and known.kept == "original":
            # The loop as written may run even where compiled code may not: most short calls end here.
            if type(iterable) is range:
                made = Aside(known, iterable, arguments, self.signature.sizes)
                self._asides = (made, *self._asides[: _MOST_ASIDES - 1])
            return known
        if not self.compiles or forks.lacks_threads():
            return None
        if known is None:
            # Without a name that another process would give it too, what was measured there is not known.
            digest, texts = self._digest, (repr(self.signature), repr(kind))
            known = self.choices[kind] = Choice.of(digest, *texts) if digest else Choice(None)
        return known

    def standing_aside(self, iterable: Any, arguments: Mapping[str, Any]) -> AsWritten | Once | None:
        """The loop as written, where NumPy was kept for such sizes last; None where it needs a look."""
        if not self._asides or not self.takes_turns or devices.current() is not None:
            return None
        for each in self._asides:
            loop = each.loop(iterable, arguments)
            if loop is not None:
                self.runs[_NUMPY_IS_FASTER] += 1
                self._aside_in_turn = self._aside_in_turn + 1 if loop is ONCE else 0
                if self._aside_in_turn >= _OFTEN and each.choice.passes_unseen(_UNSEEN):
                    self.over = self._unseen(each.choice)
                return loop
        self._aside_in_turn = 0
        return None

    def _unseen(self, choice: Choice) -> Callable[..., Any]:
        """``over`` for the next calls, at which nobody looks: that takes as long as two operations of small
        arrays."""
        left, runs = repeat(None, _UNSEEN), self.runs

        def over(iterable: Any, /, **arguments: Any) -> Any:
            for _ in left:
                if not self.takes_turns or devices.current() is not None:
                    break
                choice.asked += 1
                runs[_NUMPY_IS_FASTER] += 1
                return ONCE
            vars(self).pop("over", None)
            return self.over(iterable, **arguments)

        return over

    def ran_again(self, arguments: dict[str, Any], scalars: Scalars | None) -> Ran | None:
        """The loop of a call like one that has run compiled, which has run; None where it needs a look."""
        results = self._run_again(arguments, scalars, takes_turn=False)
        return None if results is None else Ran(results)

    def _run_again(
        self, arguments: dict[str, Any], scalars: Scalars | None, *, takes_turn: bool
    ) -> tuple[Any, ...] | None:
        """The results of a call like one that has run compiled; None where it needs a look.

        Where it ``takes_turn``, its turn has been decided.
        """
        known = self.repeated.get(likeness(self.signature, arguments)) if self.repeated else None
        if known is None or not (takes_turn or known.takes_turn()):
            return None
        results = known.results(arguments, scalars)
        if results is not None:
            self.runs["compiled"] += 1
        return results

    def compilation(self, arguments: Mapping[str, Any]) -> Compilation | None:
        """What a loop of such sizes has to run as written for, until it is over."""
        if not self._compilations or devices.current() is not None:
            return None
        sizes = _sizes(arguments, self.signature)
        compilation = self._compilations.get(sizes)
        if compilation is None or not compilation.over:
            return compilation
        self._compilations.pop(sizes, None)
        return None

    def put_off(self, compilation: Compilation) -> None:
        """Count a loop that runs as written because compiling is not over yet."""
        self.runs[f"as written: {compilation.reason}"] += 1
        disturb()

    @property
    def can_go_on(self) -> bool:
        """Whether it may take over a loop in the middle: no array changes its name in it."""
        return not (self.signature.previous or self.signature.rotates)

    @property
    def rebound(self) -> list[str]:
        """The names that a loop binds anew."""
        return [slot.name for slot in self.signature.carried]

    @functools.cached_property
    def _digest(self) -> str | None:
        try:
            return pack(self.function).digest()
        except NotPortable:
            return None

    def run(
        self, iterable: Any, scalars: Scalars | None, arguments: dict[str, Any], place: Place
    ) -> tuple[Any, ...] | None:
        """Run a whole loop and return its results; None where the loop must run as written.

        Raises ``Compiling`` where it must do so until it is compiled, and ``TooEarly`` where it may not run
        again.
        """
        results = self._run_again(arguments, scalars, takes_turn=True)
        if results is not None:
            return results
        self._enter(place)
        try:
            placement = self._placement(place)
            if placement is not None:
                where, results = self._run_on(placement, iterable, scalars, arguments)
            else:
                runner, results = self._run(iterable, scalars, arguments, place)
                where = runner.name
        except Refused as refusal:
            self.refused(refusal, place, place.describe("array code" if self.signature.once else "the loop"))
            if isinstance(refusal, Compiling):
                self._compilations[_sizes(arguments, self.signature)] = refusal.compilation
            if isinstance(refusal, Compiling | TooEarly):
                raise
            return None
        self.runs[where] += 1
        return results

    def _enter(self, place: Place) -> None:
        budget.last_function.set(place.function)
        waiting.step_asks.set(self.is_waited_for)

    def _placement(self, place: Place) -> Placement | None:
        """The device of the running call, or the one that all calls were asked to use."""
        if devices.current() is not None or not self.compiles:
            return devices.current()
        name = devices.asked_for()
        try:
            return devices.found(name) if name is not None else None
        except DeviceProblem as problem:
            text = f"{problem.detail}; it runs on the CPU"
            self._tell(place, problem.reason, text, everywhere=True)
            return None

    def refused(self, refusal: Refused, place: Place, what: str) -> None:
        """Count a refusal; raise where that was asked for, else leave it to ``untold`` to warn."""
        self.runs[f"as written: {refusal.reason}"] += 1
        self.untold = None
        strict = self.on_fallback == "raise"
        if refusal.silent or (not strict and (refusal.passing or was_told(place, refusal.reason))):
            return
        reason, text = refusal.reason, f"{what} runs as written: {refusal.detail}"
        if strict:
            self._tell(place, reason, text)
        self.untold = lambda: self._tell(place, reason, text)

    def tell(self) -> None:
        """Give the pending warning."""
        untold, self.untold = self.untold, None
        if untold is not None:
            untold()

    def stood_aside(self, choice: Choice) -> None:
        """Count a loop that runs as written because it is NumPy's turn, or NumPy is kept."""
        taking = choice.kept is None
        self.runs["as written: taking turns" if taking else _NUMPY_IS_FASTER] += 1

    def _tell(self, place: Place, reason: str, text: str, *, everywhere: bool = False) -> None:
        if self.on_fallback == "raise":
            raise FallbackError(f"{place.file}:{place.line}: {text}")
        warn_once(place, reason, text, everywhere=everywhere)

    def _run(
        self, iterable: Any, scalars: Scalars | None, arguments: dict[str, Any], place: Place
    ) -> tuple[Runner, tuple[Any, ...]]:
        trips = guards.trips_of(iterable)
        way, work, constants = self._checked(trips, arguments)
        if scalars is None and self.signature.scalars:
            check_counter(self.signature, trips)
        goes_on = self.can_go_on and not (self.signature.once or self.rebound)
        try:
            with waiting.putting_off(goes_on or work < LARGE_WORK):
                runner = self._runner(place, way)
                results = runner.run(arguments, trips, scalars, constants, tune=self.tune)
        except Unusable as failure:
            self._unusable[way] = failure.reason, failure.detail, failure.silent, failure.passing
            raise
        if len(self.repeated) < KINDS and is_repeatable(self.signature, arguments):
            self._remember(runner, arguments, constants)
        return runner, results

    def _remember(self, runner: Runner, arguments: dict[str, Any], constants: list[Any]) -> None:
        """Note a call that has run compiled, for those that are like it."""
        choice = self.choices.get(_magnitudes(_ONE, arguments, self.signature))
        if choice is None and self.takes_turns:
            return
        known = runner.repeated(arguments, constants, choice)
        if known is not None:
            self.repeated[likeness(self.signature, arguments)] = known

    def _checked(self, trips: range, arguments: dict[str, Any]) -> tuple[Way, int, list[Any]]:
        """How a loop runs, its work, and its constants; raises ``Refused`` where a guard does."""
        way: Way = "numpy"
        work = 0
        if self.compiles:
            guards.check_threads()
            way, work = self._way(trips, arguments)
        guards.check_errstate()
        guards.check_calls(self.signature, arguments)
        guards.check_sizes(self.signature, arguments)
        guards.check_arrays(self.signature, arguments)
        constants = box_constants(self.signature, arguments)
        guards.check_bounds(self.signature, arguments)
        guards.check_warnings()
        return way, work, constants

    def held(
        self,
        arguments: dict[str, Any],
        numbers: Numbers,
        given: Mapping[str, Any],
        place: Place,
        *,
        goes_on: bool,
    ) -> HeldLoop:
        """The loop of a ``Run`` after its first iteration; raises ``Refused`` where a guard does.

        If it ``goes_on`` in the middle of the loop, this iteration may be put off.
        """
        self._enter(place)
        if self._placement(place) is not None:
            raise Refused("statements between iterations on a device", silent=True)
        if given.keys() != {*self.signature.given}:
            wrong = ", ".join(sorted(given.keys() ^ {*self.signature.given}))
            raise TypeError(f"advance() got other arrays than the step declares: {wrong}")
        everything = {**arguments, **given}
        way, _, constants = self._checked(_ONE, everything)
        try:
            with waiting.putting_off(goes_on):
                runner = self._runner(place, way)
                held = runner.hold(everything, constants)
                held.advance(numbers, {})
        except Compiling as compiling:
            self._compilations[_sizes(arguments, self.signature)] = compiling.compilation
            raise
        except Unusable as failure:
            self._unusable[way] = failure.reason, failure.detail, failure.silent, failure.passing
            raise
        self.runs[runner.name] += 1
        return held

    def _run_on(
        self, placement: Placement, iterable: Any, scalars: Scalars | None, arguments: dict[str, Any]
    ) -> tuple[str, tuple[Any, ...]]:
        from nprewrite.runtime.device import device_loop

        trips = guards.trips_of(iterable)
        size = guards.work(self.signature, arguments, self._weight)
        # As written, each operation of an iteration is a launch of its own, however few elements it has.
        small = MINIMUM_WORK >> _OF_A_CALL
        guards.check_work(trips, self.signature, size, small, MINIMUM_WORK, many=not self.signature.once)
        guards.check_errstate()
        guards.check_calls(self.signature, arguments)
        guards.check_sizes(self.signature, arguments)
        arguments = device_loop.checked(self.signature, arguments, placement)
        guards.check_bounds(self.signature, arguments)
        guards.check_warnings()
        if scalars is None and self.signature.scalars:
            check_counter(self.signature, trips)
        kind = placement.device, placement.mode
        if kind not in self._device_kernels:
            self._device_kernels[kind] = device_loop.DeviceKernel(self.function, self.signature, *kind)
        kernel = self._device_kernels[kind]
        results = kernel.loop(arguments, trips, scalars, placement)
        graphs = ", without the CUDA graphs" if kernel.graphs_skipped else ""
        return f"compiled on {placement.device}{graphs}", results

    def _way(self, trips: range, arguments: dict[str, Any]) -> tuple[Way, int]:
        """How the loop runs compiled, and its work; raises ``Refused`` where that is too little."""
        size = guards.work(self.signature, arguments, self._weight)
        many = self.signature.looped and size is not None and size < SMALL
        operations = self._operations
        small, least = MINIMUM_WORK >> _OF_A_CALL, MINIMUM_WORK >> _BEFORE_IT_BEGINS
        work = guards.check_work(trips, self.signature, size, small, least, operations=operations, many=many)
        may_be_last = self.signature.once or work < MINIMUM_WORK
        if size is not None and may_be_last and not waiting.is_wanted():
            each = guards.work_of(size, operations)
            is_short = self.signature.once and each < _SHORT_CALL
            before, now = self._gathered, len(trips) * each
            self._gathered += now
            if before < (GATHERED_SHORT if is_short else GATHERED_WORK) and now < LARGE_WORK:
                raise TooEarly
        return ("looped" if many else "compiled"), work

    def _runner(self, place: Place, way: Way) -> Runner:
        if way in self._unusable:
            reason, detail, silent, passing = self._unusable[way]
            raise Unusable(reason, detail, silent=silent, passing=passing)
        kind = way, forks.is_fork_of_torch()
        if kind not in self._runners:
            self._runners[kind] = self._new_runner(place, way)
        return self._runners[kind]

    def _new_runner(self, place: Place, way: Way) -> Runner:
        if way == "looped":
            return looped_runner(self.function, self.signature)
        if way == "compiled":
            try:
                return compiled_runner(self.function, self.signature)
            except NotCompiled as problem:
                self._tell(place, problem.reason, problem.detail, everywhere=problem.everywhere)
        return numpy_runner(self.function, self.signature)


def _magnitudes(iterable: Any, arguments: Mapping[str, Any], signature: Signature) -> tuple[int, ...]:
    """What decides which way a loop is faster: the magnitudes of its arrays' sizes and of its trips."""
    trips = (iterable.stop - iterable.start) // iterable.step if type(iterable) is range else 0
    return (*_sizes(arguments, signature), trips.bit_length())


def _sizes(arguments: Mapping[str, Any], signature: Signature) -> tuple[int, ...]:
    sizes = [each.size.bit_length() for each in arguments.values() if type(each) is np.ndarray]
    sizes += [each.bit_length() for name in signature.sizes if type(each := arguments[name]) is int]
    return tuple(sizes)
