"""The measurements of one call, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nprewrite.benching.earning import break_even
from nprewrite.benching.spread import Spread

ORIGINAL, REWRITTEN = "as written", "rewritten"


@dataclass(frozen=True)
class Side:
    """One side: seconds and bytes.

    ``cold`` and ``warm`` are the calls of a fresh process until it is steady, with empty caches and with
    those that the process before left (of the original only the first call). ``speed_up`` is the original's
    time divided by this side's, by round. ``memory`` is what a call needs at its peak. For a peer, ``why``
    says why there are no figures, and ``note`` what else to know.
    """

    cold: tuple[float, ...] = ()
    warm: tuple[float, ...] = ()
    steady: Spread | None = None
    speed_up: Spread | None = None
    memory: int | None = None
    why: str = ""
    note: str = ""

    @property
    def is_faster(self) -> bool:
        """Whether it is faster than the original in three rounds of four."""
        return self.speed_up is not None and self.speed_up.lower > 1

    @property
    def is_slower(self) -> bool:
        """Whether it is slower in three rounds of four."""
        return self.speed_up is not None and self.speed_up.upper < 1


@dataclass(frozen=True)
class Measurement:
    """The sides of one call; ``problem`` says why there are none.

    ``index`` is the call's place among the calls, the same at every size and number of threads. ``size`` is
    the ``n`` of the call and ``asked`` the number of threads, where they were asked for. ``threads`` is the
    number that compiled code ran on; each time is the mean of ``calls`` calls.
    """

    index: int
    function: str
    case: str
    size: int | None = None
    asked: int | None = None
    import_torch: float | None = None
    sides: Mapping[str, Side] = field(default_factory=dict)
    threads: int = 0
    rounds: int = 0
    calls: int = 1
    ran: tuple[str, ...] = ()
    problem: str = ""

    @property
    def original(self) -> Side:
        """The function as written."""
        return self.sides[ORIGINAL]

    @property
    def rewritten(self) -> Side:
        """The rewritten function."""
        return self.sides[REWRITTEN]

    @property
    def title(self) -> str:
        """The call, with its size or number of threads where those were asked for."""
        return f"{self.function}: {self.case}{', ' if self.range else ''}{self.range}"

    @property
    def range(self) -> str:
        """The size or number of threads that was asked for; empty where neither was."""
        if self.asked is not None:
            return counted(self.asked, "thread")
        return "" if self.size is None else f"n = {self.size}"

    def break_even(self, side: str, calls: tuple[float, ...]) -> int | None:
        """After how many calls a side with these first calls takes less than the original; None: never."""
        own = self.sides[side]
        if own.steady is None or self.original.steady is None or not own.is_faster or not calls:
            return None
        return break_even(calls, own.steady.median, self.original.steady.median)


def counted(count: int, what: str) -> str:
    """``1 call``, ``2 calls``."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
