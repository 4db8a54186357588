"""The decorator that rewritten code puts on a step function, and how its loops run."""

from __future__ import annotations

import functools
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nprewrite.base import forks
from nprewrite.base.errors import FallbackError
from nprewrite.runtime.api import guards, spec
from nprewrite.runtime.api.backend import StepFunction
from nprewrite.runtime.api.boxes import Scalars, box_constants, check_counter
from nprewrite.runtime.api.loop import Loop
from nprewrite.runtime.api.refusal import Place, Refused, Unusable, warn_once, was_told
from nprewrite.runtime.api.runner import NotCompiled, Runner, compiled_runner, looped_runner, numpy_runner
from nprewrite.runtime.api.running import Run
from nprewrite.runtime.choosing import budget, cost
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.runtime.device import devices
from nprewrite.runtime.device.devices import DeviceProblem, Placement
from nprewrite.runtime.torch.portable import NotPortable, pack

if TYPE_CHECKING:
    import torch

    from nprewrite.runtime.api.loop_arrays import HeldLoop, Numbers
    from nprewrite.runtime.device.device_loop import DeviceKernel

# Iterations times elements below which NumPy is done before torch.compile is.
MINIMUM_WORK = 1 << 20
# Elements below which an iteration over whole arrays takes NumPy no longer than a call of compiled code.
SMALL = 1 << 15

_ONE = range(1)

Way = Literal["numpy", "compiled", "looped"]


def step(
    *,
    counter: str | None = None,
    scalars: spec.Declared | None = None,
    constants: spec.Declared | None = None,
    sizes: tuple[str, ...] = (),
    bounds: spec.Bounds | None = None,
    inputs: spec.Declared | None = None,
    state: spec.Declared | None = None,
    carried: spec.Declared | None = None,
    out: spec.Declared | None = None,
    received: tuple[str, ...] = (),
    given: tuple[str, ...] = (),
    calls: Mapping[str, Callable[..., Any]] | None = None,
    apart: tuple[str, ...] = (),
    aligned: tuple[str, ...] = (),
    ranks: Mapping[str, int] | None = None,
    rotates: Mapping[str, str] | None = None,
    previous: Mapping[str, str] | None = None,
    lanewise: bool = False,
    chunked: bool = False,
    once: bool = False,
    grows: bool = False,
    stores_last: bool = False,
    looped: bool = False,
    live: str | None = None,
    compile: bool = False,
    tune: bool = False,
    on_fallback: str = "warn",
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
      slices of them end: integers in the step.
    - ``bounds``: the closed interval in which a real constant must lie.
    - ``inputs``: arrays that are only read. ``state``: arrays changed in place. ``carried``: names
      rebound to new arrays. ``out``: names computed in each iteration and needed after the last.
    - ``received``: numbers among ``out`` that the generator given to ``over`` receives after each iteration.
    - ``given``: inputs that are other arrays in each iteration, which ``Run.advance`` gets.
    - ``calls``: functions that the loop as written gets as arguments, which the step has in itself.
    - ``apart``: arrays of which the scalars are elements; they may not share memory with the state.
    - ``aligned``: arrays that must have one shape, because a mask of the step selects from them.
    - ``ranks``: numbers of dimensions that the step relies on, by array.
    - ``rotates``: names of state arrays that change places after each iteration, by the name whose array each
      takes; the results end with the user's arrays that they stand for then.
    - ``previous``: carried names that an iteration binds to the array that another name was before it.
    - ``lanewise``: all arrays have one shape and each element evolves by itself.
    - ``chunked``: several iterations may run in one call.
    - ``once``: the step is of statements outside of a loop.
    - ``grows``: it makes arrays, or does work, of the size of two of its arrays multiplied.
    - ``stores_last``: everything is read before the state is stored into, so that they may share memory.
    - ``looped``: where an iteration is too little work for a call, many run in a loop that Numba compiles.
    - ``live``: a bool result, True for the lanes that still change. A lane that has become False
      stays so, and its state, carried and ``out`` values stay what they are.
    - ``compile``: use torch.compile; else the step runs in NumPy.
    - ``tune``: measure how many iterations to run in a call, and remember it for this machine.
    - ``on_fallback``: "warn" where a loop has to run as written, or "raise" (``FallbackError``).

    Raises ``TypeError`` or ``ValueError`` where the declarations disagree.
    """
    signature = spec.signature(
        counter=counter,
        scalars=scalars,
        constants=constants,
        sizes=sizes,
        bounds=bounds,
        inputs=inputs,
        state=state,
        carried=carried,
        out=out,
        received=received,
        given=given,
        calls=calls,
        apart=apart,
        aligned=aligned,
        ranks=ranks,
        rotates=rotates,
        previous=previous,
        lanewise=lanewise,
        chunked=chunked,
        once=once,
        grows=grows,
        stores_last=stores_last,
        looped=looped,
        live=live,
    )
    return lambda function: Step(function, signature, compile=compile, tune=tune, on_fallback=on_fallback)


class Step:
    """A step function with its declarations; calling it runs one iteration in NumPy.

    ``runs`` counts how its loops ran: ``"compiled"``, ``"numpy"`` or ``"as written: <reason>"``. ``elements``
    counts those that ``vectorized`` computed in NumPy.
    """

    def __init__(
        self,
        function: StepFunction,
        signature: spec.Signature,
        *,
        compile: bool = False,
        tune: bool = False,
        on_fallback: str = "warn",
    ) -> None:
        self.function = function
        self.__name__ = getattr(function, "__name__", "step")
        self.signature = signature
        self.tune = tune
        self.on_fallback = on_fallback
        # Whether its loops run as written and compiled in turn, until one is known to be faster.
        self.takes_turns = False
        self.choices: dict[tuple[int, ...], Choice] = {}
        self.runs: Counter[str] = Counter()
        self.elements = 0
        self._compile = compile
        self._weight = cost.weight(function)
        # By the way they run, and whether this is a fork: its kernels may be for fewer threads.
        self._runners: dict[tuple[Way, bool], Runner] = {}
        self._device_kernels: dict[tuple[torch.device, str | None], DeviceKernel] = {}
        # Reason and detail only: a kept exception would keep the user's arrays alive.
        self._unusable: dict[Way, tuple[str, str, bool, bool]] = {}
        self.untold: Callable[[], None] | None = None
        """Tells of the last loop that runs as written, when it has: the user's own error comes first."""
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        return self.function(*arguments)

    @property
    def compiles(self) -> bool:
        """Whether the step runs through torch.compile where the work is worth it."""
        return self._compile and not disabled()

    def over(self, iterable: Any, /, *, scalars: Scalars | None = None, **arguments: Any) -> Loop:
        """Return the loop of this step over ``iterable``; iterating it runs the loop.

        ``iterable`` is a range, or a generator of the numbers of each iteration (see ``numbers``):
        then iterating gives one element where a guard refuses, so that a whole loop as written runs.
        ``arguments`` are the constants and arrays by name. ``scalars`` maps the loop variable to the
        values of the step's scalars. Raises ``TypeError`` where an argument is missing or unknown.
        """
        self._check_names("over", arguments)
        if scalars is None and not self.signature.counts and not isinstance(iterable, GeneratorType):
            raise TypeError("over() needs scalars= where a scalar is not the loop variable")
        return Loop(self, iterable, scalars, arguments, Place.of(sys._getframe(1)))

    def running(self, **arguments: Any) -> Run:
        """Return a context for a loop of the user's, in which ``advance`` computes an iteration.

        ``arguments`` are the constants and arrays by name. Raises ``TypeError`` where one is missing or
        unknown.
        """
        self._check_names("running", arguments)
        return Run(self, arguments, Place.of(sys._getframe(1)))

    def _check_names(self, method: str, arguments: Mapping[str, Any]) -> None:
        if arguments.keys() != self.signature.arguments:
            wrong = ", ".join(sorted(arguments.keys() ^ self.signature.arguments))
            raise TypeError(f"{method}() got other arguments than the step declares: {wrong}")

    def report(self) -> list[str]:
        """How the loops of the step ran, and for each class of sizes which way is kept."""
        lines = [how_it_ran(self.__name__, self.runs)]
        for (*sizes, trips), choice in self.choices.items():
            largest = f"arrays below 2**{max(sizes)} elements" if sizes else "no arrays"
            loop = "" if self.signature.once else f", fewer than 2**{trips} trips"
            lines.append(f"`{self.__name__}` for {largest}{loop}: {choice}")
        return lines

    def choice(self, iterable: Any, arguments: Mapping[str, Any]) -> Choice | None:
        """The turns of loops of such sizes; None where there are none to take."""
        if not self.takes_turns or devices.current() is not None:
            return None
        kind = _magnitudes(iterable, arguments, self.signature)
        known = self.choices.get(kind)
        if known is not None and known.kept == "original":
            # As written it runs also where nothing compiled may run: most short calls end here.
            return known
        if not self.compiles or forks.lacks_threads():
            return None
        if known is None:
            known = self.choices[kind] = self._new_choice(kind)
        return known

    def _new_choice(self, kind: tuple[int, ...]) -> Choice:
        try:
            return Choice.of(pack(self.function).digest(), repr(self.signature), repr(kind))
        except NotPortable:
            # Without a name that another process would give it too.
            return Choice(None)

    def run(
        self, iterable: Any, scalars: Scalars | None, arguments: dict[str, Any], place: Place
    ) -> tuple[Any, ...] | None:
        """Run a whole loop and return its results; None where the loop must run as written."""
        budget.last_function.set(place.function)
        try:
            placement = self._placement(place)
            if placement is not None:
                where, results = self._run_on(placement, iterable, scalars, arguments)
            else:
                runner, results = self._run(iterable, scalars, arguments, place)
                where = runner.name
        except Refused as refusal:
            self.refused(refusal, place, place.describe("array code" if self.signature.once else "the loop"))
            return None
        self.runs[where] += 1
        return results

    def _placement(self, place: Place) -> Placement | None:
        """The device of the call that is running, or the one that all calls were asked to use."""
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
        """Count a refusal; raise where that was asked for, else have ``untold`` say what runs as written."""
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
        """Tell what is untold."""
        untold, self.untold = self.untold, None
        if untold is not None:
            untold()

    def stood_aside(self, choice: Choice) -> None:
        """Count a loop that runs as written because it is NumPy's turn, or NumPy is kept."""
        taking = choice.kept is None
        self.runs["as written: taking turns" if taking else "as written: NumPy is faster"] += 1

    def _tell(self, place: Place, reason: str, text: str, *, everywhere: bool = False) -> None:
        if self.on_fallback == "raise":
            raise FallbackError(f"{place.file}:{place.line}: {text}")
        warn_once(place, reason, text, everywhere=everywhere)

    def _run(
        self, iterable: Any, scalars: Scalars | None, arguments: dict[str, Any], place: Place
    ) -> tuple[Runner, tuple[Any, ...]]:
        trips = guards.trips_of(iterable)
        way, constants = self._checked(trips, arguments)
        if scalars is None and self.signature.scalars:
            check_counter(self.signature, trips)
        try:
            runner = self._runner(place, way)
            return runner, runner.run(arguments, trips, scalars, constants, tune=self.tune)
        except Unusable as failure:
            self._unusable[way] = failure.reason, failure.detail, failure.silent, failure.passing
            raise

    def _checked(self, trips: range, arguments: dict[str, Any]) -> tuple[Way, list[Any]]:
        """How a loop runs, and its constants; raises ``Refused`` where a guard does."""
        way: Way = "numpy"
        if self.compiles:
            check_threads()
            way = self._way(trips, arguments)
        guards.check_errstate()
        guards.check_calls(self.signature, arguments)
        guards.check_sizes(self.signature, arguments)
        guards.check_arrays(self.signature, arguments)
        constants = box_constants(self.signature, arguments)
        guards.check_bounds(self.signature, arguments)
        guards.check_warnings()
        return way, constants

    def held(
        self, arguments: dict[str, Any], numbers: Numbers, given: Mapping[str, Any], place: Place
    ) -> HeldLoop:
        """The loop of a ``Run`` after its first iteration; raises ``Refused`` where a guard does."""
        budget.last_function.set(place.function)
        if self._placement(place) is not None:
            raise Refused("statements between iterations on a device", silent=True)
        if given.keys() != {*self.signature.given}:
            wrong = ", ".join(sorted(given.keys() ^ {*self.signature.given}))
            raise TypeError(f"advance() got other arrays than the step declares: {wrong}")
        everything = {**arguments, **given}
        way, constants = self._checked(_ONE, everything)
        try:
            runner = self._runner(place, way)
            held = runner.hold(everything, constants)
            held.advance(numbers, {})
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
        guards.check_work(trips, self.signature, size, MINIMUM_WORK, many=not self.signature.once)
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

    def _way(self, trips: range, arguments: dict[str, Any]) -> Way:
        """How the loop runs compiled; raises ``Refused`` where it is too little work."""
        size = guards.work(self.signature, arguments, self._weight)
        many = self.signature.looped and size is not None and size < SMALL
        guards.check_work(trips, self.signature, size, MINIMUM_WORK, many=many)
        return "looped" if many else "compiled"

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


def _magnitudes(iterable: Any, arguments: Mapping[str, Any], signature: spec.Signature) -> tuple[int, ...]:
    """What decides which way a loop is faster: the magnitudes of its arrays' sizes and of its trips."""
    sizes = [each.size.bit_length() for each in arguments.values() if type(each) is np.ndarray]
    sizes += [each.bit_length() for name in signature.sizes if type(each := arguments[name]) is int]
    trips = (iterable.stop - iterable.start) // iterable.step if type(iterable) is range else 0
    return (*sizes, trips.bit_length())


def how_it_ran(name: str, runs: Mapping[str, int]) -> str:
    """A line of a report: how often something ran in which way."""
    ways = ", ".join(f"{times} x {way}" for way, times in runs.items())
    return f"`{name}` ran {ways}" if ways else f"`{name}` has not run"


def check_threads() -> None:
    """Raise ``Refused`` where a compiled kernel may wait for threads that this process does not have."""
    if forks.lacks_threads():
        raise Refused("a fork of a process that has torch", silent=True)


def disabled() -> bool:
    """Whether the user asked for NumPy with ``NPREWRITE_DISABLE=1``."""
    return os.environ.get("NPREWRITE_DISABLE", "0") not in ("", "0")
