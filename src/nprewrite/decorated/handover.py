"""A function that is called once goes on, at one of its loops, in what its rest is rewritten to.

What the arrays of such a function are is often told by nothing but its call, and no second call comes that
could be rewritten for what the first one showed. So its loops are watched: the first iterations run as
written, another process rewrites the rest of the function for what its names stand for by then (see
``rest``), and between two iterations the loop stops and the rest takes over. A later process finds it done.
"""

from __future__ import annotations

import ast
import math
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from nprewrite.base.environment import waits
from nprewrite.base.errors import OF_SYNTAX, reported, unheard, warn
from nprewrite.base.syntax import names_in, text_tree
from nprewrite.decorated.building import filename, made_with, standing_in
from nprewrite.decorated.instances import variables_read
from nprewrite.decorated.observing import held
from nprewrite.decorated.report import AWAITED, Report
from nprewrite.decorated.rest import Rest, rests_of_function
from nprewrite.decorated.rest_of_loop import Home, RestOfLoop
from nprewrite.decorated.stopping import stopping
from nprewrite.decorated.versions import Settings, Version
from nprewrite.engine.deep import with_room
from nprewrite.engine.outcomes import InternalError, faults_of
from nprewrite.source.names import ModuleNames, find_definition
from nprewrite.types.observed import Observed, Place, of_module
from nprewrite.types.values import Value, suggested, value_of

_WORTH_A_LOOK_S = 0.05
"""A loop that has run for so long is looked at: what it becomes may be known from an earlier process."""
_WORTH_WAITING_S = 0.005
"""Whoever waits goes on in the rest of a loop for good: what further loops work on is to be known by then."""
_POLL_S = 0.1
_SHORT_TRIP_S = 20e-6
_UNSEEN = 16
"""So many short iterations run between two looks, each of which takes as long as a few statements."""
_ATTEMPTS = 3
"""How often the rest of a loop is rewritten, for names whose types have changed since."""
_SLICED = (np.ndarray, str)
"""Of these, the rest of a loop runs over what is left."""
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_PARTS = ("first", "end", "stride")


SCRIPTS: list[WatchedScript] = []
"""Those of the process, for its report."""


class Watched(Home):
    """A function that is called once, or a script, with loops that may stop."""

    def __init__(self, original: Callable[..., Any], text: str, cut: list[Rest], settings: Settings) -> None:
        names = ModuleNames(text_tree(text))
        super().__init__(original, text, settings, tuple(map(names.fresh, _PARTS)))
        self.cut = cut
        self.probe = names.fresh("probe")
        self.rests: dict[int, RestOfLoop] = {}
        """The rest of each loop that was asked for last: a program may yet call the function again."""
        self.took_over: Version[..., Any] | None = None
        """What the rest was rewritten to that ran last."""

    @property
    def is_awaited(self) -> bool:
        """Whether another process was asked what a loop becomes, and nothing of that has run."""
        return self.took_over is None and any(each.is_awaited for each in self.rests.values())

    def names(self, frame: types.FrameType) -> Mapping[str, Any]:
        """The names of the frame of the function, one of them that of the probe."""
        return frame.f_locals

    def report(self, turns: tuple[str, ...] = ()) -> Report:
        """What became of the rest of a loop that took over, if any did."""
        file, version = filename(self.original), self.took_over
        if version is None:
            why = AWAITED if self.is_awaited else "its loops gain nothing, or take too little time"
            left = tuple(site for rest in self.rests.values() for site in rest.left_as_written())
            return Report(file, left, (*turns, f"runs as written: {why}"), source=self.text)
        # The lines of the rest have their numbers, and not all of the user's words.
        return Report(file, version.rewriting.sites, turns, version.parts(), self.text)


class WatchedFunction(Watched):
    """A function that is called once."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; its loops ask a `Handover` whether to go on."""
        return standing_in(self._made(Handover(self)), self.original)(*args, **kwargs)

    @cached_property
    def _made(self) -> Callable[[Handover], Callable[..., Any]]:
        tree = text_tree(self.text)
        node = find_definition(tree, self.original.__qualname__)
        assert isinstance(node, ast.FunctionDef)
        name = ModuleNames(tree).fresh("handover")
        return made_with(self.original, stopping(node, self.cut, name, self.probe), [name])


class WatchedScript(Watched):
    """A script, whose names are those of its module."""

    def __init__(self, original: Callable[..., Any], text: str, cut: list[Rest], settings: Settings) -> None:
        super().__init__(original, text, cut, settings)
        # Held by one dictionary, as the names of the module are.
        self._held = {self.probe: np.empty(1)}
        SCRIPTS.append(self)

    def names(self, frame: types.FrameType) -> Mapping[str, Any]:
        """The names of the module, and that of the probe."""
        return {**frame.f_locals, **self._held}


@unheard(*OF_SYNTAX)
@with_room
def watched(function: Callable[..., Any], text: str, settings: Settings) -> WatchedFunction | None:
    """The function with loops that are watched; None where it has none that may stop."""
    if "__class__" in function.__code__.co_freevars:
        # `super()` asks for the class around it.
        return None
    numpy = {name for name, value in function.__globals__.items() if value is np}
    cut = rests_of_function(text_tree(text), function.__qualname__, numpy)
    return WatchedFunction(function, text, cut, settings) if cut else None


class Handover:
    """One call of a watched function, which stops at most once; ``left`` is the number of the loop then."""

    def __init__(self, watched: Watched) -> None:
        self.left: int | None = None
        self._watched = watched
        self._loop: _Loop | None = None
        self._unseen = 0.0

    def probe(self) -> np.ndarray:
        """An array to which nothing refers but the name that it gets."""
        return np.empty(1)

    def trips(self, number: int, iterable: Iterable[Any]) -> Iterator[Any]:
        """The values of a loop variable, up to the one at which the loop stops."""
        over = iter(iterable)
        if _is_namespace(iterable):
            return over
        return self._trips(number, over, iterable if type(iterable) in (range, *_SLICED) else over)

    def numbered(self, number: int, function: Callable[..., Any], values: Any) -> Iterator[Any]:
        """`trips` over ``enumerate(values)``; ``function`` is what that name stands for."""
        over = function(values)
        if _is_namespace(values):
            return over  # type: ignore[no-any-return]
        if function is not enumerate or type(values) not in _SLICED:
            return self.trips(number, over)
        return self._trips(number, over, values)

    def _trips(self, number: int, over: Iterator[Any], kept: Any) -> Iterator[Any]:
        """``kept`` is what tells the rest of the loop over what it runs."""
        loop = self._loop = _Loop(self._watched, number, kept)
        while not loop.stops(sys._getframe(1)):
            if loop.has_given_up:
                yield from over
                return
            left = loop.unseen
            for value in islice(over, left):
                left -= 1
                yield value
            if left:
                return
            loop.count(loop.unseen)
        self.left = number

    def stays(self, number: int) -> bool:
        """Whether a ``while`` loop goes on, as far as this decides."""
        if self._loop is None or self._loop.number != number:
            self._loop, self._unseen = _Loop(self._watched, number, None), 0.0
        if self._unseen > 0:
            self._unseen -= 1
            return True
        if self._loop.stops(sys._getframe(1)):
            self.left = number
        loop = self._loop
        self._unseen = math.inf if loop.has_given_up else loop.unseen - 1
        loop.count(loop.unseen)
        return self.left is None

    def rest(self) -> Callable[..., Any]:
        """What takes over the rest; its parameters are `values`."""
        assert self._loop is not None
        # The function may go on to further loops.
        self.left = None
        return self._loop.rest()

    def values(self) -> Iterable[Any]:
        """What the names of the caller stand for that the rest needs."""
        assert self._loop is not None
        return self._loop.values(sys._getframe(1).f_locals).values()

    def ended(self, result: Any) -> Any:
        """Take note that the rest has run, and of what it gained; returns what it returned."""
        assert self._loop is not None
        self._loop.ended()
        return result


class _Loop:
    """A loop that runs over something, or while something holds; it may stop between two iterations."""

    def __init__(self, watched: Watched, number: int, over: Any) -> None:
        self.number = number
        self._watched = watched
        self._over = over
        self._trips = 0
        self._started = time.perf_counter()
        self._waits = waits() or watched.settings.waits
        # Iterations that hold loops may be few and long: the next process is to begin with what all become.
        self._may_be_long = watched.cut[number].has_loops
        self._next_look = self._first_look()
        self._attempts = _ATTEMPTS
        self.unseen = 1
        """How many iterations run until it looks again."""
        self._rest: RestOfLoop | None = None
        self._whole: RestOfLoop | None = None
        if (type(over) is range) is not watched.cut[number].ranged:
            self._give_up()

    def _first_look(self) -> float:
        """After how many seconds it looks for the first time."""
        if self._may_be_long:
            return 0.0
        if not self._waits:
            return _WORTH_A_LOOK_S
        return 0.0 if self.number + 1 == len(self._watched.cut) else _WORTH_WAITING_S

    @property
    def has_given_up(self) -> bool:
        """Whether it looks no more."""
        return self._next_look == math.inf

    def count(self, trips: int) -> None:
        """Take note of iterations."""
        self._trips += trips

    def stops(self, frame: types.FrameType) -> bool:
        """Whether the loop stops here, between two iterations; ``frame`` is that of its function."""
        elapsed = time.perf_counter() - self._started
        self.unseen = _UNSEEN if elapsed < self._trips * _SHORT_TRIP_S else 1
        if elapsed < self._next_look or not (self._trips or self._may_be_long):
            return False
        try:
            with faults_of("letting a loop go on elsewhere"):
                return self._is_ready(self._watched.names(frame), elapsed)
        except InternalError as fault:
            self._give_up()
            place = filename(self._watched.original)
            warn(f"{place}: a loop runs as written: {reported(fault)}", place, frame.f_lineno)
            return False

    def rest(self) -> Callable[..., Any]:
        """The rest as it is rewritten."""
        assert self._rest is not None
        self._watched.took_over = self._rest.version
        return self._rest.rewritten()

    def ended(self) -> None:
        """Take note that the rest has run."""
        assert self._rest is not None
        self._rest.ended()

    def _is_ready(self, names: Mapping[str, Any], elapsed: float) -> bool:
        self._next_look = elapsed + (_POLL_S if self._trips else _WORTH_A_LOOK_S)
        rest = self._watched.cut[self.number]
        missing = rest.needed.difference(names)
        if missing:
            # Some iteration may yet bind them.
            if not missing <= rest.bound_by_loop:
                self._give_up()
            return False
        owned = _owned(names, self._watched.probe) - rest.seen
        values = self.values(names)
        if self._rest is None or not self._rest.suits(values, owned):
            if not self._attempts:
                self._give_up()
                return False
            self._attempts -= self._trips > 0
            seen = _seen(rest, names) | _of_module(rest, self._watched.original)
            self._rest = self._rest_for(values, owned, seen)
            self._note_whole(elapsed)
        gains = self._rest.gains(float("inf") if self._waits else elapsed)
        if gains is False and self._rest.leaves_out:
            # Functions with loops of their own are inlined once their calls are known to be brief.
            self._next_look = 2 * elapsed
        elif gains is False:
            self._give_up()
        # The loop finds out by itself that it is over, before anything is waited for.
        return bool(gains) and not rest.is_over(names)

    def _note_whole(self, elapsed: float) -> None:
        """Have what all iterations become found out, if the first one has taken long."""
        if not self._trips:
            self._whole = self._rest
        elif self._trips == 1 and self._whole is not None:
            self._whole.ask(elapsed)

    def _rest_for(self, values: Mapping[str, Any], owned: frozenset[str], seen: Observed) -> RestOfLoop:
        """The rest for such values, that of an earlier call if it was the same."""
        known = self._watched.rests.get(self.number)
        if known is None or not known.suits(values, owned) or not known.saw(seen):
            rest = self._watched.cut[self.number]
            known = self._watched.rests[self.number] = RestOfLoop(self._watched, rest, values, owned, seen)
        return known

    def _give_up(self) -> None:
        self._next_look = math.inf

    def values(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """What the parameters of the rest stand for, by name; ``names`` are those of its function's frame."""
        rest = self._watched.cut[self.number]
        values = {name: names[name] for name in rest.names if name in names}
        if type(self._over) is range:
            left = self._over[self._trips :]
            ends = (left.start, left.stop) if left.step == 1 else (left.start, left.stop, left.step)
            values |= zip(self._watched.parts, ends, strict=False)
        elif isinstance(rest.loop, ast.For):
            # A part of an array or a string gives what is left of it.
            is_sliced = type(self._over) in _SLICED
            values[self._watched.parts[0]] = self._over[self._trips :] if is_sliced else self._over
            if is_sliced and rest.numbered:
                values[self._watched.parts[1]] = self._trips
        return values


def _is_namespace(iterable: object) -> bool:
    """Whether it is the namespace of a module, to which looking at a loop may add: NumPy loads parts late."""
    given: Any = iterable
    if type(iterable) in _VIEWS:
        given = given.mapping
    return type(given) in (dict, types.MappingProxyType) and "__spec__" in given


def _owned(names: Mapping[str, Any], probe: str) -> frozenset[str]:
    """The names of a frame that hold arrays to which nothing else refers: no list, no view, no other name.

    ``probe`` is the name of such an array, to compare the counts of references with.
    """
    counts = {name: sys.getrefcount(value) for name, value in names.items() if type(value) is np.ndarray}
    return frozenset(
        name for name, count in counts.items() if count == counts[probe] and names[name].flags.owndata
    )


def _of_module(rest: Rest, original: Callable[..., Any]) -> dict[Place, Value]:
    """What the variables of the module are that the rest reads, or functions that it calls."""
    names = names_in(*rest.statements).difference(rest.names)
    read = ((name, value_of(value, f"{name}@0")) for name, value in variables_read(names, original))
    return {of_module(name): suggested(known) for name, known in read if known is not None}


def _seen(rest: Rest, values: Mapping[str, Any]) -> dict[Place, Value]:
    """What the names, attributes and elements that the rest reads are in the frame where it begins."""
    found: dict[Place, Value] = {}
    for node in rest.reads:
        known = value_of(held(node, values), f"{ast.unparse(node)}@{node.lineno}")
        if known is not None:
            found[node.lineno, ast.unparse(node)] = suggested(known)
    return found
