"""Two ways to do the same take turns on the user's own calls, and the faster one is kept.

Each call is executed once. What was kept is remembered for the machine, so that another process neither
compiles nor measures what NumPy does faster.
"""

from __future__ import annotations

import hashlib
import math
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from typing import Literal, TypeVar

import numpy as np

from nprewrite.runtime import budget, cache

R = TypeVar("R")
Side = Literal["original", "rewritten"]

FILE = "turns.json"
ROUNDS, MOST_ROUNDS = 3, 7
"""At least; and at most, for calls so short that others who take the machine are seen in many of them."""
LONG_S = 0.5
"""From here a call is long: what comes with a first run, and other processes, matter little in it."""
_CLEAR_ONCE, _CLEAR_TWICE = 3.0, 1.5
"""How many times as long the slower side of long calls takes where one round, or two, are enough."""
_NOTHING_S = 1e-3
"""Less than what loading or compiling anything takes."""
_REMEMBERED = 1.25
"""A choice that is closer than this is made again in the next process."""
_WORTH = 0.85
"""The rewritten side has to take less than this of NumPy's time: it also takes more cores, and what gains
less in the first calls may lose later, where fresh memory costs less."""


@dataclass
class Choice:
    """The turns for one class of calls; ``kept`` is set when it is decided, and ``why`` where no time did."""

    name: str | None
    kept: Side | None = None
    why: str = ""
    asked: int = 0
    """How many calls have asked whose turn it is."""
    seconds: dict[Side, list[float]] = field(default_factory=lambda: {"original": [], "rewritten": []})
    _ran: set[Side] = field(default_factory=set)

    @classmethod
    def of(cls, *texts: str) -> Choice:
        """The turns of what these texts describe, decided where they are remembered."""
        name = hashlib.sha256("\n".join((*texts, _machine())).encode()).hexdigest()
        kept = cache.read(FILE).get(name)
        if kept in ("original", "rewritten"):
            return cls(name, kept, "as remembered")
        return cls(name)

    def next(self, *, twice: bool = False) -> Side:
        """Whose turn it is; ``twice`` asks to time the rewritten side before the original runs at all."""
        self.asked += 1
        if self.kept is not None:
            return self.kept
        if "rewritten" not in self._ran or (twice and not self.seconds["rewritten"]):
            return "rewritten"
        return "original" if len(self.seconds["original"]) <= len(self.seconds["rewritten"]) else "rewritten"

    def measured(self, side: Side, call: Callable[[], R], within: Within | None = None) -> R:
        """Make a call and note its time, unless something was compiled, or chosen ``within``, in it.

        Raises what the call raises.
        """
        waited, started = budget.waited(), now()
        result = call()
        seconds = now() - started
        chosen = within is not None and not within.decided_before()
        self.note(side, seconds, compiled=chosen or budget.waited() - waited >= _NOTHING_S)
        return result

    def note(self, side: Side, seconds: float, *, compiled: bool) -> None:
        """Note the time of a call; where something was ``compiled`` in it, only that the side has run."""
        if compiled:
            self._ran.add(side)
        else:
            self.record(side, seconds)

    def record(self, side: Side, seconds: float) -> None:
        """Note the time of a call, and decide when enough is known.

        The first run of the rewritten side is never counted, NumPy's only where it is long.
        """
        if self.kept is not None:
            return
        first = side not in self._ran
        self._ran.add(side)
        if first and (side == "rewritten" or seconds < LONG_S):
            return
        self.seconds[side].append(seconds)
        self._decide()

    def keep_original(self, why: str) -> None:
        """Keep the original in this process; what speaks against the other may be gone in the next."""
        self.kept, self.why = "original", why

    def keep_rewritten(self, why: str) -> None:
        """Keep the rewritten side in this process, as no call has shown what the original takes."""
        self.kept, self.why = "rewritten", why

    def _decide(self) -> None:
        original, rewritten = self.seconds["original"], self.seconds["rewritten"]
        rounds = min(len(original), len(rewritten))
        if not rounds:
            return
        best = min(original), min(rewritten)
        if rounds < self._rounds_needed(*best):
            return
        self.kept = "rewritten" if best[1] < _WORTH * best[0] else "original"
        if _ratio(*best) < _REMEMBERED or self.name is None:
            return
        # On a machine that others use, the side with more threads may wait for a core of theirs each time.
        if self.kept == "rewritten" or not is_shared():
            cache.update(FILE, {self.name: self.kept})

    def _rounds_needed(self, original: float, rewritten: float) -> int:
        longest, ratio = max(original, rewritten), _ratio(original, rewritten)
        if longest >= LONG_S:
            return 1 if ratio >= _CLEAR_ONCE else 2 if ratio >= _CLEAR_TWICE else ROUNDS
        if rewritten * _REMEMBERED < original:
            return ROUNDS
        # Others slow the side with more threads, and NumPy that is kept once is not asked again.
        return min(MOST_ROUNDS, max(ROUNDS, math.ceil(LONG_S / longest)))

    def __str__(self) -> str:
        if self.kept is None:
            return "not decided yet"
        verb = "the rewritten version is kept" if self.kept == "rewritten" else "NumPy is kept"
        if self.why:
            return f"{verb}: {self.why}"
        original, rewritten = (min(self.seconds[side]) * 1e3 for side in ("original", "rewritten"))
        return f"{verb}: {rewritten:.3g} ms against NumPy's {original:.3g} ms"


class Within:
    """The turns that are asked within one call, of those that it may ask; made before the call."""

    def __init__(self, choices: Callable[[], Iterable[Choice]]) -> None:
        self._choices = choices
        self._before = {id(each): each.asked for each in choices()}
        self._decided = {id(each) for each in choices() if each.kept is not None}

    def decided_before(self) -> bool:
        """Whether all that were asked had been decided when the call began."""
        return all(id(each) in self._decided for each in self._asked())

    def decided(self) -> bool:
        """Whether all that were asked are decided now."""
        return all(each.kept is not None for each in self._asked())

    def _asked(self) -> Iterator[Choice]:
        return (each for each in self._choices() if each.asked > self._before.get(id(each), 0))


class Turn:
    """A loop of the side whose turn it is, from now on."""

    def __init__(self, choice: Choice) -> None:
        self.side = choice.next()
        self._choice = choice
        self._waited, self._started = budget.waited(), now()

    def ends(self, trips: int) -> None:
        """Note the time of each of its ``trips``."""
        compiled = budget.waited() - self._waited >= _NOTHING_S
        self._choice.note(self.side, (now() - self._started) / trips, compiled=compiled)


def _ratio(one: float, other: float) -> float:
    return max(one, other) / max(min(one, other), 1e-9)


def is_shared() -> bool:
    """Whether more has been running on the machine in the last minute than it has cores."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)


def now() -> float:
    """The clock by which sides are compared, in seconds."""
    return time.perf_counter()


def _machine() -> str:
    """What decides how fast compiled code and NumPy are here."""
    try:
        torch = metadata.version("torch")
    except metadata.PackageNotFoundError:
        torch = "none"
    return f"{platform.machine()} {platform.processor()} {os.cpu_count()} {np.__version__} {torch}"
