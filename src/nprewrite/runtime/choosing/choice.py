"""Two ways to do the same take turns on the user's own calls, and the faster one is kept.

Each call is executed once, and one level decides at a time, the innermost first. A part of a function (a
step, a region) takes turns by itself each time that it is reached, while the function around it runs
rewritten, so that each part of the function gets the better side. The time of a run in which others took
turns, or something was compiled or loaded, is not counted. If the function takes half of what its parts alone
take as written, their decisions decide for it too; otherwise it takes turns with the original.
The rewritten side goes first, until it has a time. One run of each side decides where one takes half the time
of the other; doubtful cases take more. A choice by time is made anew when so much time has been spent since
that this costs less than one percent. It is remembered for the machine, a doubtful one for an hour, so that
another process neither compiles nor measures what NumPy does faster; that the rewritten side is, it measures
again later. The times of what a process has not decided are kept for the next: many programs call a function
only a few times.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import math
import os
import platform
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np

from nprewrite.base.version import version_of
from nprewrite.runtime.api import cache
from nprewrite.runtime.choosing import budget

R = TypeVar("R")
Side = Literal["original", "rewritten"]

FILE = "turns.json"
ROUNDS, MOST_ROUNDS = 3, 7
_MOST_TIMES = 16
"""Rounds in doubtful cases; the larger number is for runs so short that other load disturbs many of them."""
LONG_S = 0.05
"""From here on a run is long: the extra costs of a first run, and other processes, matter little in it."""
_CLEAR = 2.0
"""One round is enough where the slower side takes this many times as long."""
_NOTHING_S = 1e-3
"""Less time than loading or compiling anything takes."""
_REMEMBERED = 1.25
"""A choice that is closer than this is doubtful, and made again once it is"""
_DOUBTFUL_S = 3600.0
"""so old."""
_UNDECIDED_S = 24 * 3600.0
"""For so long the times of undecided turns are kept."""
_WORTH = 0.85
"""The rewritten side has to take less than this fraction of NumPy's time: it also uses more cores, and a
smaller gain in the first calls may become a loss later, where fresh memory costs less."""
_SPARED = 100
"""Turns are taken anew only after this many times their extra cost has been spent."""
_CALL_S = 10e-6
"""A call of compiled code takes longer, whatever it computes."""


class _Process:
    undecided = 0
    """How often a turn was asked for that was not decided, or could not be taken yet."""
    put_off = 0
    """How often it could not be taken yet."""


def disturb() -> None:
    """Let no run around this place count, or decide: a part of it runs as written until it is compiled."""
    _Process.undecided += 1
    _Process.put_off += 1


class Watch:
    """The time of a run from now on."""

    def __init__(self) -> None:
        self._waited, self._undecided, self._started = budget.waited(), _Process.undecided, now()

    def seconds(self) -> float | None:
        """None where something was compiled, or turns were taken, since."""
        seconds = now() - self._started
        disturbed = budget.waited() - self._waited >= _NOTHING_S or _Process.undecided != self._undecided
        return None if disturbed else seconds


def _no_seconds() -> dict[Side, list[float]]:
    return {"original": [], "rewritten": []}


@dataclass(eq=False)
class Choice:
    """The turns for one class of calls; ``kept`` is set when they are decided, ``why`` if not by time."""

    name: str | None
    kept: Side | None = None
    why: str = ""
    asked: int = 0
    """How many runs have asked whose turn it is."""
    rewritten_runs: int = 0
    """How many of them have taken the rewritten side."""
    seconds: dict[Side, list[float]] = field(default_factory=_no_seconds)
    remembered_s: tuple[float, float] | None = None
    """The seconds of the two sides in the earlier process that decided."""
    longest: float = 0.0
    """The time of the longest run of the original that its choice was made for."""
    lasts: int | None = None
    """After how many runs turns are taken anew; None where no time decided."""
    _left: int = 0
    _ran: set[Side] = field(default_factory=set)
    _lasting: Side | None = None
    """The side that the file has for more than an hour."""
    _doubtful: list[Any] | None = None
    """The side kept last and the times of both, where these are so close that it holds for an hour."""
    _earlier: list[list[float]] | None = None
    """The times of earlier processes that did not decide."""
    _at_most: list[float] = field(default_factory=list)
    """The times of runs of the rewritten side that may take less once all its parts are compiled."""

    @classmethod
    def of(cls, *texts: str) -> Choice:
        """The turns for what these texts describe, already decided where a choice is remembered."""
        name = hashlib.sha256("\n".join((*texts, _machine())).encode()).hexdigest()
        choice = cls(name)
        match cache.read(FILE).get(name):
            case ["original" | "rewritten" as kept, float(original), float(rewritten)]:
                choice._as_remembered(kept, original, rewritten)
                choice._lasting = kept
            case ["original" | "rewritten" as kept, float(original), float(rewritten), float(until)]:
                if time.time() < until:
                    choice._as_remembered(kept, original, rewritten)
            case [None, [*earlier], [*rewritten], float()]:
                choice._earlier = [earlier, rewritten]
                choice.seconds = {"original": [*earlier], "rewritten": [*rewritten]}
        _named.add(choice)
        return choice

    def _as_remembered(self, kept: Side, original: float, rewritten: float) -> None:
        self.kept, self.why, self.remembered_s = kept, "as remembered", (original, rewritten)
        if kept == "rewritten":
            self._last_for(ROUNDS, original, rewritten)

    def next(self) -> Side:
        """Whose turn it is."""
        if self.kept is not None:
            kept = self.kept
            if self.passes(kept):
                return kept
            self.begin_anew()
        self.asked += 1
        _Process.undecided += 1
        original, rewritten = self.seconds["original"], self.seconds["rewritten"]
        is_compared = len(self._at_most) >= ROUNDS and not original
        side: Side = "original" if is_compared or len(original) < len(rewritten) else "rewritten"
        self.rewritten_runs += side == "rewritten"
        return side

    def passes(self, side: Side) -> bool:
        """Whether this side is kept for one more run, which counts as one that has asked."""
        if self.kept != side or (self.lasts is not None and self._left <= 0):
            return False
        self.asked += 1
        self.rewritten_runs += side == "rewritten"
        self._left -= 1
        return True

    def passes_unseen(self, runs: int) -> bool:
        """Whether the original is kept for so many more runs at least, which then do not ask."""
        if self.kept != "original" or (self.lasts is not None and self._left <= runs):
            return False
        self._left -= runs
        return True

    def begin_anew(self) -> None:
        """Take turns again, with new times."""
        self.kept, self.lasts, self.seconds = None, None, _no_seconds()

    def measured(self, side: Side, call: Callable[[], R]) -> R:
        """Make a call and note its time; raises what the call raises."""
        if self.kept is not None:
            return call()
        watch = Watch()
        result = call()
        self.note(side, watch.seconds())
        return result

    def note(self, side: Side, seconds: float | None) -> None:
        """Note the time of a run (None where it tells nothing), and decide when enough is known.

        The first run of the rewritten side is never counted, that of NumPy only if it is long.
        """
        if self.kept is not None:
            return
        first = side not in self._ran
        self._ran.add(side)
        if seconds is None or (first and (side == "rewritten" or seconds < LONG_S)):
            return
        times = self.seconds[side]
        times.append(seconds)
        if len(times) > _MOST_TIMES:
            # One side may run for long before the other one can.
            times.remove(max(times))
        self._decide()

    def original_takes(self, least: float) -> None:
        """Decide without a run of the original, if the ``least`` seconds that it takes are clearly more."""
        rewritten = self.seconds["rewritten"]
        if self.kept is None and rewritten and least >= _CLEAR * min(rewritten):
            self.seconds["original"].append(least)
            self._decide()

    @property
    def least(self) -> float:
        """The seconds of the shortest run, here or in the process that decided; 0 if not known."""
        times = [*self.seconds["original"], *self.seconds["rewritten"]]
        if times:
            return min(times)
        return 0.0 if self.remembered_s is None else self.remembered_s[0]

    @property
    def gains_in_part(self) -> bool:
        """Whether the rewritten side may gain with the parts that are compiled, before all are."""
        return bool(self._at_most)

    def takes_at_most(self, seconds: float) -> None:
        """Note a run of the rewritten side in which one part ran compiled, and another not yet.

        It may decide for this side, but never against it.
        """
        original = self.seconds["original"]
        self._at_most.append(seconds)
        if self.kept is not None or len(self._at_most) < ROUNDS or not original:
            return
        least = min(self._at_most)
        self._at_most.clear()
        if min(original) >= _CLEAR * least:
            self.seconds["rewritten"].append(least)
            self._decide()

    @property
    def is_nothing(self) -> bool:
        """Whether the original takes less time than a call of compiled code."""
        original = self.seconds["original"]
        return len(original) >= ROUNDS and min(original) < _CALL_S

    def keep(self, side: Side, why: str) -> None:
        """Keep a side in this process only: no time decided, and the reason may be gone in the next."""
        self.kept, self.why = side, why

    @property
    def saved(self) -> float | None:
        """The seconds that the rewritten side has saved; None where no more than a short run was timed."""
        if self.kept != "rewritten":
            return None
        both = self.remembered_s
        if all(len(each) > 1 or min(each, default=0.0) >= LONG_S for each in self.seconds.values()):
            both = min(self.seconds["original"]), min(self.seconds["rewritten"])
        return None if both is None else self.rewritten_runs * (both[0] - both[1])

    def _decide(self) -> None:
        original, rewritten = self.seconds["original"], self.seconds["rewritten"]
        rounds = min(len(original), len(rewritten))
        if not rounds:
            return
        best = min(original), min(rewritten)
        if rounds < _rounds_needed(*best):
            return
        self.kept, self.why = "rewritten" if best[1] < _WORTH * best[0] else "original", ""
        self._last_for(rounds, *best)
        if rounds >= ROUNDS or max(best) >= LONG_S:
            self._remember(*best)

    def _last_for(self, rounds: int, original: float, rewritten: float) -> None:
        # Each round costs the difference of the two sides; sides that are alike have cost nothing yet.
        self.lasts = self._left = math.ceil(_SPARED * rounds * max(1.0, _ratio(original, rewritten) - 1))

    def _remember(self, original: float, rewritten: float) -> None:
        self._doubtful = None
        if self.name is None or self.kept == self._lasting:
            return
        clear = _ratio(original, rewritten) >= _REMEMBERED
        # On a machine that others use, the side with more threads may wait for a busy core each time.
        told = self.kept == "rewritten" or not is_shared()
        found = [self.kept, original, rewritten]
        self._doubtful = found if told and not clear else None
        lasting = self.kept if told and clear else None
        if lasting != self._lasting:
            self._lasting = lasting
            cache.update(FILE, {self.name: found if lasting else None})

    @property
    def at_the_end(self) -> list[Any] | None:
        """What the file is to hold when the process ends; None where that is no news."""
        if self._doubtful is not None:
            return [*self._doubtful, time.time() + _DOUBTFUL_S]
        times = [sorted(each)[:MOST_ROUNDS] for each in self.seconds.values()]
        decided = self.kept is not None or self._lasting is not None
        if decided or not any(times) or times == self._earlier:
            return None
        return [None, *times, time.time() + _UNDECIDED_S]

    def __str__(self) -> str:
        if self.kept is None:
            return "not decided yet"
        verb = "the rewritten version is kept" if self.kept == "rewritten" else "NumPy is kept"
        if self.why:
            return f"{verb}: {self.why}"
        original, rewritten = (min(self.seconds[side]) * 1e3 for side in ("original", "rewritten"))
        if self.kept == "original" and rewritten < original:
            verb += ", as little would be gained"
        return f"{verb}: {rewritten:.3g} ms against NumPy's {original:.3g} ms"


class Within:
    """Which parts of a function are reached in one call; made before the call."""

    def __init__(self, parts: Callable[[], Iterable[Choice]]) -> None:
        self._parts = parts
        self._before = {id(each): each.asked for each in parts()}
        self._put_off = _Process.put_off

    def reached(self) -> list[Choice]:
        """The parts that have run since."""
        return [each for each in self._parts() if self._runs(each)]

    def decided(self) -> bool:
        """Whether all that were reached are decided."""
        return not self.put_off() and all(each.kept is not None for each in self.reached())

    def put_off(self) -> bool:
        """Whether a part could not take its turn, because it is being compiled."""
        return self._put_off != _Process.put_off

    def as_written(self) -> float:
        """The seconds that the parts that have run take as written."""
        return sum(self._runs(each) * min(each.seconds["original"], default=0.0) for each in self._parts())

    def _runs(self, part: Choice) -> int:
        return part.asked - self._before.get(id(part), 0)


class Turn:
    """A loop of the side whose turn it is, from now on."""

    def __init__(self, choice: Choice) -> None:
        self.side = choice.next()
        self._choice = choice
        self._watch = Watch()

    def ends(self, trips: int) -> None:
        """Note the time of each of its ``trips``."""
        seconds = self._watch.seconds()
        self._choice.asked += trips - 1
        self._choice.rewritten_runs += trips - 1 if self.side == "rewritten" else 0
        self._choice.note(self.side, None if seconds is None else seconds / trips)


_named: weakref.WeakSet[Choice] = weakref.WeakSet()


def keep_for_the_next() -> None:
    """Keep doubtful choices, and the times of turns that have not been decided, for the next process.

    Not before the end: some turns are taken again every few milliseconds.
    """
    told = {each.name: found for each in _named if each.name and (found := each.at_the_end) is not None}
    if told:
        over = (name for name, each in cache.read(FILE).items() if _is_over(each))
        cache.update(FILE, dict.fromkeys(over) | told)


def _is_over(entry: object) -> bool:
    """Whether what the file holds was for some time only, which has passed."""
    match entry:
        case [_, _, _, float(until)]:
            return until < time.time()
    return False


atexit.register(keep_for_the_next)


def _rounds_needed(original: float, rewritten: float) -> int:
    longest = max(original, rewritten)
    if _ratio(original, rewritten) >= _CLEAR and (longest >= LONG_S or rewritten < original):
        return 1
    if rewritten * _REMEMBERED < original:
        return ROUNDS
    # Once NumPy is kept for short calls that may be final, and other load slows the side with more threads.
    return min(MOST_ROUNDS, max(ROUNDS, math.ceil(LONG_S / longest)))


def _ratio(one: float, other: float) -> float:
    return max(one, other) / max(min(one, other), 1e-9)


def is_shared() -> bool:
    """Whether in the last minute more has been running on the machine than it has cores."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)


def now() -> float:
    """The clock by which sides are compared, in seconds."""
    return time.perf_counter()


@functools.cache
def _machine() -> str:
    """What decides how fast compiled code and NumPy are here."""
    return f"{platform.machine()} {os.cpu_count()} {np.__version__} {version_of('torch') or 'none'}"
