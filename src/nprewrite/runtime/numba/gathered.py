"""Whether a loop has had so much to do that compiling it is worth a second or two of another process."""

from __future__ import annotations

import math
from dataclasses import dataclass

# Statements that take Python a few hundredths of a second; those that call NumPy take longer, and are timed.
MINIMUM_WORK = 1 << 18
MINIMUM_S = 0.05
# A look takes some microseconds, more than Python needs for a few trips of a loop inside one that is not
# compiled: this part of the calls that are left has none.
UNSEEN = 1 / 16


@dataclass
class Gathered:
    """What a loop has had to do before it is compiled: statements, and the seconds of its runs as written."""

    work: float = 0.0
    seconds: float = 0.0
    runs: int = 0
    last: float | None = None
    """The statements of the last run, where that was put off because there was too little work."""

    def puts_off(self, work: float) -> bool:
        """Whether a run with so many statements is to be as written, and counts here."""
        self.work += work
        is_little = self.work < MINIMUM_WORK and self.seconds < MINIMUM_S
        self.last = max(work, 1) if is_little else None
        return is_little

    def run_as_written(self, seconds: float) -> None:
        """Count the time of a run."""
        self.seconds += seconds
        self.runs += 1

    @property
    def calls_left(self) -> int | None:
        """While runs are put off: the number of further ones like these until the loop is compiled."""
        if self.last is None:
            return None
        calls = math.ceil((MINIMUM_WORK - self.work) / self.last)
        if self.seconds > 0.0:
            calls = min(calls, math.ceil((MINIMUM_S - self.seconds) * self.runs / self.seconds))
        return max(1, calls)

    def unseen(self) -> int:
        """The number of further calls that are not worth a look; they count like those before."""
        if self.last is None or self.seconds == 0.0:
            return 0
        calls = int((self.calls_left or 0) * UNSEEN)
        self.work += calls * self.last
        self.seconds += calls * self.seconds / self.runs
        self.runs += calls
        return calls
