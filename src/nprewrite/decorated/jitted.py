"""A decorated function: it runs as written and rewritten in turn, and keeps what is faster."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, ParamSpec, TypeVar, cast

from nprewrite.base import forks
from nprewrite.base.allocator import keep_freed_memory
from nprewrite.base.environment import disabled, waits
from nprewrite.base.errors import NprewriteError, unheard
from nprewrite.base.tracebacks import leave_out_own_frames
from nprewrite.decorated import turns
from nprewrite.decorated.alike_calls import AlikeCalls
from nprewrite.decorated.building import filename
from nprewrite.decorated.first_calls import gives_the_same
from nprewrite.decorated.flag_class import FlagClass
from nprewrite.decorated.handover import WatchedFunction, watched
from nprewrite.decorated.inner_kinds import InnerKinds, guarded
from nprewrite.decorated.observing import on_copies
from nprewrite.decorated.on_device import OnDevice
from nprewrite.decorated.original import Standing, put_in_place, standing_aside
from nprewrite.decorated.recursion import DEEP, leave_room, nesting
from nprewrite.decorated.report import AWAITED, Report
from nprewrite.decorated.settled import Kind, Known, Looks, known_of, looking
from nprewrite.decorated.specializations import Specializations
from nprewrite.decorated.turns import CallClass, Meanwhile, WhileShort, call_class, raising, recurring
from nprewrite.decorated.versions import Observation, Settings, Version
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.choosing.choice import ROUNDS, Choice, Within, disturb
from nprewrite.runtime.device import devices as devices
from nprewrite.types.observed import Observed

P = ParamSpec("P")
R = TypeVar("R")

_LONG_LOOP_S = 0.1
"""Array or native code that takes this long stands for loops over elements that take Python many seconds,
which nobody is made to wait for."""


_LONG_CALL_S = 1e-3
"""For calls that take this long, deciding anew whose turn it is costs next to nothing."""


WORTH_ASKING_S = 0.05
"""What calls have to take in all before another process finds out what the function becomes, and before the
next look at whether it has."""

SHORT_CALLS = 1000
"""So many calls within that time are so short that looking at each would take a good part of their own;"""
_FEW_CALLS = 100
"""The same where they were found short before."""
_REST_S = 0.2
"""for so long they are left alone."""

_LONGER = 8.0
"""A call for which the original was kept, and that takes so many times as long, has more to do than those
that decided."""

_UNJUDGED = 100
"""Calls of a class among which those that come to none of the steps do not count."""
_IMPLAUSIBLE = 50
"""No step is made so much slower."""

_OFTEN = 64
"""After this many calls it is worthwhile to make each one cheaper."""
_SETTLED = 8
"""For how many combinations of types of arguments a function is settled."""


_AS_WRITTEN = (Meanwhile, WhileShort)

_UNPROVEN_CALLS = 2000
"""So many calls run the rewritten side, none of whose steps has run compiled, until it is judged anew."""
_NESTED = 8
"""How many nested calls take turns; those nested deeper run as written."""


@contextlib.contextmanager
def _one_more_turn() -> Iterator[None]:
    nesting.turns += 1
    try:
        yield
    finally:
        nesting.turns -= 1


_known: weakref.WeakKeyDictionary[Jitted[..., Any], None] = weakref.WeakKeyDictionary()


class Jitted(Standing[P, R]):
    """A function whose loops of array code run compiled.

    ``original`` is the function as written, ``source`` the rewritten text (it stands in a real file, so that
    tracebacks and debuggers show it), ``report()`` the outcomes for every site.
    """

    # Those of `Unproven`, too: an object becomes one of another class with the same slots.
    __slots__ = (
        "_alike",
        "_asks_again",
        "_calls",
        "_devices",
        "_flags",
        "_kept",
        "_looks",
        "_may_stop",
        "_raised",
        "_settings",
        "_settled",
        "_since",
        "_spent",
        "_then",
        "_turns",
        "_verified",
        "_without_rows",
        "specializations",
    )

    def __init__(self, function: Callable[P, R], settings: Settings) -> None:
        functools.update_wrapper(self, function)
        _known[self] = None
        keep_freed_memory()
        self.original = function
        self._settings = settings
        # For calls whose rows are so long that array code is faster than a loop over their elements.
        self._without_rows: dict[CallClass, Version[P, R]] = {}
        self._kept: dict[CallClass, Callable[P, R]] = {}
        self._alike: AlikeCalls[P, R] = AlikeCalls()
        self._verified: set[CallClass] = set()
        # Calls that have been asked about with what one of them left in its arguments: `x` of an object may
        # be a Python number when the next one begins.
        self._asks_again: set[CallClass] = set()
        # How many calls of each class have raised since one returned.
        self._raised: Counter[CallClass] = Counter()
        # The known arguments of settled calls, by their kinds.
        self._settled: dict[tuple[Kind, ...], Known] = {}
        self._looks: Looks | None = None
        # The function with loops that are watched, or None where it has none that may stop, once asked for.
        self._may_stop: tuple[WatchedFunction | None] | None = None
        self._flags: FlagClass | None = None
        self._begin()

    def forget(self) -> None:
        """Forget what is known of the function as written: the program has changed it."""
        self._start_anew()
        self._flags, self._may_stop = None, None
        self._begin()

    def _begin(self) -> None:
        """Read the function's text."""
        self.specializations = Specializations(self.original, self._settings)
        self._devices = OnDevice(self.specializations, self._settings)
        self._turns = self.specializations.turns

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the version that is faster for such arguments; at first, the two in turn.

        Where rewriting waited for types, the function is rewritten for these arguments first.
        """
        nesting.calls += 1
        try:
            if nesting.calls > DEEP and self._takes_turns:
                return self._as_written(args, kwargs)
            kind = call_class(args, kwargs)
            if self._flags is None:
                self._flags = FlagClass(self.original, self.specializations.flags)
            if self._flags.flags:
                kind += self._flags.of(args, kwargs)
            kept = self._kept.get(kind)
            # The function as written looks up by itself what the names of others stand for.
            if not isinstance(kept, _AS_WRITTEN) and self.specializations.is_stale():
                self._start_anew()
                kept = None
            if kept is None or devices.asked_for(self._settings.device) is not None:
                return self._turn(kind, args, kwargs)
            return kept(*args, **kwargs)
        except BaseException as error:
            leave_out_own_frames(error)
            raise
        finally:
            nesting.calls -= 1

    def _as_written(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the function as written, with calls of itself that do not come back here."""
        with standing_aside(self):
            return self.original(*args, **kwargs)

    def _start_anew(self) -> None:
        self._without_rows.clear()
        kept = (self._turns, self._kept, self._alike, self._verified, self._asks_again, self._raised)
        for known in kept:
            known.clear()
        self.specializations.start_anew()

    def _turn(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the version whose turn it is, and keep one when it is known to be faster."""
        leave_room()
        # As text: a class in the key would be kept alive.
        with budget.shared((self.original.__code__, repr(kind))), _one_more_turn():
            placement = None if disabled() else self._devices.placement(args, kwargs)
            if placement is None:
                return self._watched(kind, args, kwargs)
            elsewhere = partial(self._taken, kind, args, kwargs)
            return cast("R", self._devices.call(placement, args, kwargs, elsewhere))

    def _watched(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the version whose turn it is; calls that raise are not measured, and soon run as written."""
        takes_turns = self._takes_turns
        if takes_turns and nesting.turns > _NESTED:
            # A turn takes several stack frames, and a recursion may have few left.
            return self._as_written(args, kwargs)
        try:
            result = self._taken(kind, args, kwargs)
        except NprewriteError:
            raise
        except Exception:
            self._raised[kind] += 1
            if self._raised[kind] >= ROUNDS and takes_turns:
                self._kept[kind] = raising(self.original, partial(self._kept.pop, kind, None))
            raise
        self._raised.pop(kind, None)
        return result

    def _taken(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        handing_over = self._handing_over()
        if handing_over is not None:
            result = cast("R", handing_over(*args, **kwargs))
            if handing_over.took_over is not None:
                self.specializations.last = cast("Version[P, R]", handing_over.took_over)
            elif not handing_over.is_awaited:
                # Its calls take a moment; whoever calls it again may do so often.
                self._may_stop = (None,)
            return result
        awaited = self._alike.meanwhile(kind)
        if awaited is not None:
            self._kept[kind] = awaited
            return awaited(*args, **kwargs)
        with budget.current().spending("rewriting"):
            version = self._without_rows.get(kind) or self.specializations.for_call(
                args, kwargs, waits=self._waits
            )
        if version is None:
            if kind in self._asks_again:
                self._asks_again.discard(kind)
                self.specializations.ask(args, kwargs)
            return self._run_meanwhile(kind, asks=True)(*args, **kwargs)
        if isinstance(version, Observation):
            return self._observe(version, kind, args, kwargs)
        self.specializations.last = version
        if self._settings.verify and kind not in self._verified:
            self._verified.add(kind)
            if not gives_the_same(self.original, version.function, self._settings, args, kwargs):
                self._kept[kind] = self.original
                return self.original(*args, **kwargs)
        for step in version.steps:
            step.takes_turns = turns.ALWAYS is None
        if disabled() or turns.ALWAYS == "rewritten" or forks.lacks_threads():
            return version.function(*args, **kwargs)
        if self.computes_in_single:
            # The original gives other dtypes, and which dtypes a call gives must not depend on its timing.
            return version.function(*args, **kwargs)
        if not version.steps and version.only_prepared:
            # The rewriting came to nothing: its additional statements can only cost time.
            self._kept[kind] = self.original
            result = self.original(*args, **kwargs)
            self._keep_for_good(kind, args, kwargs)
            return result
        if kind not in self._turns:
            longest = self._alike.longest_kept(kind)
            if longest is not None:
                return self._run_as_alike(kind, version, longest, args, kwargs)
            self._begin_turns(kind, version)
        turn, refused = self._turns[kind], version.long_rows
        within, runs, started = Within(version.choices), version.compiled_runs, perf_counter()
        result = self._measured(turn, version, within, args, kwargs)
        seconds, compiled = perf_counter() - started, version.compiled_runs > runs
        if within.put_off() and compiled:
            turn.takes_at_most(seconds)
        is_idle = within.put_off() and not (compiled or turn.gains_in_part)
        if turn.kept is None and is_idle and seconds < WORTH_ASKING_S:
            # As long as its parts are being compiled, looking at each of them takes longer than they do.
            self._run_meanwhile(kind, asks=False)
            return result
        if version.long_rows > refused and kind not in self._without_rows and not self._inner_kinds(version):
            # Such calls get array code for the rows that were too long.
            with budget.current().spending("rewriting"):
                self._without_rows[kind] = self.specializations.without_small_arrays(version)
            self._turns.pop(kind, None)
            return result
        if turn.kept == "original" and version.waiting:
            turn.longest = max(turn.longest, seconds)
            self._count_calls(kind, turn, version)
        elif turn.kept is not None:
            self._keep(kind, turn, version, within, args, kwargs)
            if turn.kept == "original":
                self._keep_for_good(kind, args, kwargs)
        return result

    @property
    def _takes_turns(self) -> bool:
        return turns.ALWAYS is None and not self.computes_in_single

    @property
    def loops_by_itself(self) -> bool:
        """Whether it has loops of its own, and calls that are not brief."""
        return self.specializations.loops_by_itself

    @property
    def shown(self) -> Observed:
        """What its calls have shown of expressions in it, in this process or an earlier one."""
        return self.specializations.shown

    @property
    def _waits(self) -> bool:
        """Whether calls wait until the function is rewritten: turns are not taken, or were asked to wait."""
        decided = turns.ALWAYS is not None or self.computes_in_single or forks.lacks_threads()
        return decided or self._settings.waits or waits()

    def _begin_turns(self, kind: CallClass, version: Version[P, R]) -> None:
        self._turns[kind] = Choice.of(version.source, repr(kind))
        version.look()

    def _run_as_alike(
        self,
        kind: CallClass,
        version: Version[P, R],
        longest: float,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> R:
        """Keep the original, as for calls with other integers, unless these calls have more to do."""

        def begin_turns(_: float) -> None:
            self._begin_turns(kind, version)
            self._kept.pop(kind, None)

        as_written = WhileShort(self.original, max(_LONGER * longest, _LONG_CALL_S), begin_turns)
        self._kept[kind] = as_written
        result = as_written(*args, **kwargs)
        if kind in self._kept:
            self._keep_for_good(kind, args, kwargs)
        return result

    def _run_meanwhile(self, kind: CallClass, *, asks: bool) -> Callable[P, R]:
        """Run the function as written, until it is worthwhile to look at what has become of it."""
        again = partial(self._look_again, kind, asks)
        calls = SHORT_CALLS if self._looks is None else _FEW_CALLS
        function = Meanwhile(self.original, WORTH_ASKING_S * calls / SHORT_CALLS, calls, again)
        self._alike.wait(kind, function)
        self._kept[kind] = function
        return function

    def _look_again(
        self, kind: CallClass, asks: bool, args: tuple[Any, ...], kwargs: Mapping[str, Any], short: bool
    ) -> None:
        """Have a later call look at what has become of the function; another process finds that out."""
        over = self._alike.waited(kind)
        for each in [each for each, kept in self._kept.items() if kept is over]:
            del self._kept[each]
        known = known_of(self.original, args, kwargs) if short else None
        at_first = self._looks is None
        rests = known is not None and self._let_pass(known, _REST_S)
        # Short calls have to go on for a while.
        if asks and not (rests and at_first):
            self.specializations.ask(args, kwargs)
            self._asks_again.add(kind)

    def _handing_over(self) -> WatchedFunction | None:
        """The function with loops that may go on in what their rest is rewritten to, if it is called seldom.

        What is verified has to run whole, and what computes in float32 must do so from the first iteration.
        """
        text = self.specializations.text_of_called_seldom
        whole = self._settings.verify or turns.ALWAYS is not None or self.computes_in_single
        if text is None or whole or disabled() or forks.lacks_threads():
            return None
        if self._may_stop is None:
            self._may_stop = (watched(self.original, text, self._settings),)
        return self._may_stop[0]

    def _keep_for_good(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Run such calls as written; after many of them, with no more than a check of their arguments."""
        known, kept = known_of(self.original, args, kwargs), self._kept[kind]
        if known is not None and isinstance(kept, WhileShort):
            known = replace(known, seconds=kept.seconds)
        if known is not None and (known.kinds in self._settled or len(self._settled) < _SETTLED):
            self._kept[kind] = recurring(kept, _OFTEN, partial(self._settle, kind, known, kept))

    def _settle(self, kind: CallClass, known: Known, kept: Callable[P, R]) -> None:
        self._kept[kind] = kept
        self._settled[known.kinds] = known.joined(self._settled.get(known.kinds))
        self._let_pass(known)

    def _let_pass(self, known: Known, seconds: float = 0.0) -> bool:
        """Let calls with known arguments run as written for so long, with a look at some of them only, where
        that can be done."""
        if devices.asked_for(self._settings.device) is not None:
            return False
        if self._looks is not None:
            self._looks.take(self._settled.values(), known, seconds)
            return True
        otherwise = partial(Jitted.__call__, self)
        looks = Looks(known.parameters, self.original, otherwise, self._may_gain)
        call = looking(self.original, looks)
        if call is None:
            return False
        looks.take(self._settled.values(), known, seconds)
        self._looks = looks
        self.specializations.note_brief()
        # Python looks up `__call__` in the class only, and calling a Python method takes as long as a short
        # function.
        turn_into(self, type("Jitted", (type(self),), {"__slots__": (), "__call__": staticmethod(call)}))
        shown = {"original": self.original, "report": self.report, "source": self.specializations.source}
        put_in_place(call, self, shown)
        return True

    def _may_gain(self) -> bool:
        """Whether some class of calls runs rewritten, or takes turns."""
        return any(each.kept != "original" for each in self._turns.values())

    def _keep(
        self,
        kind: CallClass,
        turn: Choice,
        version: Version[P, R],
        within: Within,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Run the side that is kept from now on, until the sides take turns again."""
        taken = [turn]
        side: Callable[P, R]
        if turn.kept == "original":
            self._alike.keep_original(kind, max(turn.least, turn.longest))
            taken += within.reached()
            side = self._while_short(self.original, kind, turn, version, taken)
        else:
            side = self._for_alike(kind, version, args, kwargs)
        lasting = [each for each in taken if each.lasts is not None]

        def begin_anew() -> None:
            for each in (turn, *lasting):
                each.begin_anew()
            self._kept.pop(kind, None)

        def look_again() -> None:
            if version.compiled_runs:
                self._kept[kind] = side
            else:
                begin_anew()

        function = side
        seconds = max(min(turn.seconds["rewritten"], default=0.0), within.as_written())
        if turn.kept == "rewritten" and version.steps and not (version.compiled_runs or version.vectorized):
            # Objects of one class may be unlike: calls with others come to steps that none has come to yet.
            function = recurring(function, _UNPROVEN_CALLS, look_again)
        if lasting and seconds >= _LONG_CALL_S:
            function = recurring(function, max(each.lasts or 0 for each in lasting), begin_anew)
        self._kept[kind] = function

    def _for_alike(
        self, kind: CallClass, version: Version[P, R], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[P, R]:
        """A version for calls like this one, inside of their arguments too; others take the long way."""
        inner = self._inner_kinds(version)
        if not inner:
            return version.function
        return guarded(version.function, inner, inner.of(args, kwargs), partial(self._turn, kind))

    def _inner_kinds(self, version: Version[P, R]) -> InnerKinds:
        return InnerKinds(self.original, version.given.get(self.original.__qualname__, {}))

    def _count_calls(self, kind: CallClass, turn: Choice, version: Version[P, R]) -> None:
        """Keep the original until enough calls have come to make compiling its scalar loops worthwhile."""
        calls = min(each.calls_left or 1 for each in version.waiting)
        turn.why = f"too little work to compile for in less than {calls} calls"

        def begin_anew() -> None:
            for each in version.waiting:
                each.waits = False
            self._turns.pop(kind, None)
            self._kept.pop(kind, None)

        counted = recurring(self.original, calls, begin_anew)
        short = self._while_short(counted, kind, turn, version, [turn])

        def first(*args: P.args, **kwargs: P.kwargs) -> R:
            # The run that decided was the first of its loops, and what that takes tells little.
            started = perf_counter()
            result = short(*args, **kwargs)
            if self._kept.get(kind) is first:
                short.seconds = min(short.seconds, max(_LONGER * (perf_counter() - started), _LONG_CALL_S))
                self._kept[kind] = short
            return result

        self._kept[kind] = first

    def _while_short(
        self,
        function: Callable[P, R],
        kind: CallClass,
        turn: Choice,
        version: Version[P, R],
        taken: Sequence[Choice],
    ) -> WhileShort[P, R]:
        """A function that runs as long as its calls take no longer than those that decided for it."""

        def begin_anew(seconds: float) -> None:
            turn.longest = seconds
            version.look()
            self._settled.clear()
            if self._looks is not None:
                self._looks.forget()
            for each in taken:
                each.begin_anew()
            self._kept.pop(kind, None)

        usual = _LONGER * max(turn.least, turn.longest)
        return WhileShort(function, max(usual, _LONG_CALL_S), begin_anew)

    def _measured(
        self,
        turn: Choice,
        version: Version[P, R],
        within: Within,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> R:
        """Run the side whose turn it is; the rewritten one is judged once its parts have been decided."""
        if turn.next() == "original":
            return turn.measured("original", lambda: self._plausible(turn, args, kwargs))
        runs, reached = version.compiled_runs, version.reached

        def rewritten() -> R:
            result = version.function(*args, **kwargs)
            if reached and version.reached == reached and turn.asked < _UNJUDGED:
                # As where a test at its start returns: others tell what its steps are worth.
                disturb()
            return result

        result = turn.measured("rewritten", rewritten)
        if turn.kept is not None or not within.decided():
            return result
        fastest = min(turn.seconds["rewritten"], default=0.0)
        in_numpy = version.compiled_runs == runs and all(each.kept == "original" for each in within.reached())
        if version.reached and in_numpy and not version.vectorized:
            turn.keep("original", "nothing of it ran compiled")
        elif version.spares_python and not version.has_short_runs and fastest >= _LONG_LOOP_S:
            turn.keep("rewritten", "the loops that it spares Python would take far longer")
        else:
            turn.original_takes(within.as_written())
        return result

    def _plausible(self, turn: Choice, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the original; a call that takes so little that it can have come to no step does not count."""
        started = perf_counter()
        result = self.original(*args, **kwargs)
        seconds = perf_counter() - started
        if turn.asked < _UNJUDGED and seconds * _IMPLAUSIBLE < min(turn.seconds["rewritten"], default=0.0):
            disturb()
        return result

    @property
    def version(self) -> Version[P, R]:
        """What runs for the last signature called, and what the passes knew and did."""
        return self.specializations.last or self.specializations.of_text

    @property
    def source(self) -> str:
        """The rewritten text of the function and its steps, for the last signature called."""
        return self.version.source

    @property
    def computes_in_single(self) -> bool:
        """Whether the function computes in float32."""
        return self._settings.options.computes_in_single

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The turns of each class of calls that has taken any."""
        return tuple(self._turns.values())

    @property
    def is_awaited(self) -> bool:
        """Whether another process was asked what the function becomes, and nothing of that has run."""
        stopping = self._may_stop[0] if self._may_stop is not None else None
        return self.specializations.is_awaited or (stopping is not None and stopping.is_awaited)

    def report(self) -> Report:
        """The outcomes for every site of the function, for the last signature called."""
        lines = (*self._verdicts(), *self._devices.report())
        version, stopping = self.version, self._may_stop[0] if self._may_stop is not None else None
        if stopping is not None and stopping.took_over is version:
            return stopping.report(lines)
        rewriting, kept = version.rewriting, {each.kept for each in self._turns.values()}
        file, as_written = filename(self.original), kept == {"original"}
        return Report(file, rewriting.sites, lines, version.parts(), rewriting.source, as_written)

    def _verdicts(self) -> Iterator[str]:
        """For each class of calls, what runs and why."""
        for kind, choice in self._turns.items():
            spent = budget.of((self.original.__code__, repr(kind)))
            yield f"{turns.described(kind)}: {choice}" + (f"; {spent}" if spent.spent else "")
        why = AWAITED if self.is_awaited else "its calls have taken too little time to be rewritten"
        if self.is_awaited and not (self._turns or self._kept):
            yield f"runs as written: {AWAITED}"
        for kind, kept in self._kept.items():
            if isinstance(kept, Meanwhile):
                yield f"{turns.described(kind)}: runs as written: {why}"
        if calls := self.specializations.unspecialized:
            yield f"called {calls} x with further signatures, for which its text alone decides"

    def _observe(
        self, seen: Observation[P, R], kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> R:
        """Run the function as written once, to see the types that its text does not tell."""
        if not self._settings.verify and turns.ALWAYS != "rewritten":
            started = perf_counter()
            result = seen.function(*args, **kwargs)
            self.specializations.learn(seen)
            if not self._waits and perf_counter() - started >= WORTH_ASKING_S:
                # It may have been the only such call of this process.
                self.specializations.ask(args, kwargs)
            return result
        # What it raises on copies it will raise again with the user's own arguments.
        with contextlib.suppress(Exception), unheard(Warning):
            on_copies(seen.function, self.original.__globals__, args, kwargs)
        self.specializations.learn(seen)
        return self._turn(kind, args, kwargs)


def turn_into(jitted: Jitted[..., Any], kind: type[Jitted[..., Any]]) -> None:
    """Make a decorated function one of another class, which may say that its class is yet another."""
    vars(object)["__class__"].__set__(jitted, kind)


def decorated() -> list[Jitted[..., Any]]:
    """The decorated functions of the process that still exist."""
    return [*_known]
