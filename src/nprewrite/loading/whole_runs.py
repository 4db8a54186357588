"""Whether a program runs rewritten or as written, by the seconds that its earlier runs have taken.

Parts of a program take turns by themselves, but no part is charged with what rewriting costs a process at its
start (a library to open, choices to read), and the rest of a loop is not compared with the loop. A short
program may lose by them. So once its runs find out nothing new, one that may have lost runs as written once,
and the faster side is kept for a day.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal

from nprewrite.base import notes
from nprewrite.base.environment import disabled, waits
from nprewrite.base.version import VERSION
from nprewrite.loading.program import Program

if TYPE_CHECKING:
    from nprewrite.loading.finder import Finder

Side = Literal["rewritten", "written"]

_FOLDER = "runs"
_LASTS_S = 24 * 3600.0
_SHORT_S = 20.0
"""Longer runs are decided by their parts."""
_STARTING_S = 0.3
"""What rewriting costs a first run, at least; the rest of it ran as written."""
_SURE = 0.5
"""Runs that take less than this fraction of what the first one took as written have gained."""
_CLEAR = 1.5
_ROUNDS = 2
"""Runs of each side where the faster one is not that clear."""
_IN_VAIN, _LOSES = 0.95, 1.15
"""Nor does it take that where a run takes as long as the first one, which ran as written and found out what
there is to rewrite, and so many times as long as the one as written."""
_OTHER_WORK = 1.5
"""A run that takes so many times what it took has other work to do."""
_WAITED_S = 0.5
"""A run that has waited so long for compilers tells nothing of later ones."""
_UNSETTLED = 5
"""Runs that find out something new, until the next one counts all the same."""
_KEPT = 3
"""What such a run has decided holds for so many runs: by then its compilers may be through."""


@dataclass
class WholeRuns:
    """The runs of one program with the same arguments; ``first`` are the seconds of the first one.

    ``files`` are the size and the time of each file that it is made of; ``since`` is when it first ran.
    ``provisional`` where a run counts that found out something new, ``kept`` the runs as written since then.
    """

    first: float = 0.0
    rewritten: list[float] = field(default_factory=list)
    written: list[float] = field(default_factory=list)
    unsettled: int = 0
    provisional: bool = False
    kept: int = 0
    files: dict[str, list[int] | None] = field(default_factory=dict)
    since: float = field(default_factory=time.time)

    @property
    def decided(self) -> Side | None:
        """The side that is kept; None as long as nothing is."""
        if not self.rewritten:
            return None
        rewritten = min(self.rewritten)
        if rewritten > _SHORT_S or rewritten < _SURE * (self.first - _STARTING_S):
            return "rewritten"
        if not self.written:
            return None
        written = min(self.written)
        clear = max(rewritten, written) >= _CLEAR * min(rewritten, written)
        clear |= rewritten >= _IN_VAIN * self.first and rewritten >= _LOSES * written
        if not clear and min(len(self.rewritten), len(self.written)) < _ROUNDS:
            return None
        return "written" if written <= rewritten else "rewritten"

    @property
    def next(self) -> Side:
        """How the program is to run."""
        is_behind = len(self.written) < len(self.rewritten)
        return self.decided or ("written" if is_behind else "rewritten")

    @property
    def why(self) -> str:
        """Why the program runs as written now."""
        if self.decided != "written":
            return f"ran as written, to compare: {min(self.rewritten):.2g} s rewritten"
        seconds = min(self.written), min(self.rewritten)
        return "ran as written, because that is faster: {:.2g} s against {:.2g} s".format(*seconds)

    def note(self, side: Side, seconds: float) -> bool:
        """Note a run; returns whether that is news."""
        found_out = side == "rewritten" and _found_out()
        keeps = side == self.decided == "written"
        if not self.first:
            self.first = seconds
        elif found_out and self.unsettled < _UNSETTLED:
            self.unsettled += 1
        elif self.decided is None:
            (self.rewritten if side == "rewritten" else self.written).append(seconds)
            self.provisional |= found_out
        elif keeps and seconds > _OTHER_WORK * min(self.written):
            self.first, self.unsettled = seconds, 0
            self._compare_anew()
        elif keeps and self.provisional:
            self.kept += 1
            if self.kept == _KEPT:
                self._compare_anew()
        else:
            return False
        return True

    def _compare_anew(self) -> None:
        self.rewritten, self.written = [], []
        self.provisional, self.kept = False, 0


class Ledger:
    """The file that keeps the runs of a program with its arguments."""

    def __init__(self, program: Program) -> None:
        self._started = _clocks()
        self._process = os.getpid()
        self._program = program
        asked = sorted(each for each in os.environ.items() if each[0].startswith("NPREWRITE_"))
        named = [program.module, program.name, *program.arguments]
        self._stem = os.path.basename(program.name).partition(".")[0]
        decides = [VERSION, sys.version, os.getcwd(), named, program.packages, asked]
        self._name = notes.digest(json.dumps(decides).encode())
        self._runs = self._read()
        self.side = self._runs.next
        # Said at the end, when the runs that have decided may be forgotten.
        self._why = self._runs.why if self.side == "written" else ""

    def _read(self) -> WholeRuns:
        found = notes.read(_FOLDER, self._stem, self._name)
        runs = WholeRuns() if found is None else WholeRuns(**found)
        is_new = 0 <= time.time() - runs.since < _LASTS_S
        is_same = all(_state(each) == state for each, state in runs.files.items())
        return runs if is_new and is_same else WholeRuns()

    @property
    def most_saved(self) -> float | None:
        """So many seconds more an earlier run has taken; None where there was none."""
        earlier = min(self._runs.written, default=self._runs.first)
        return max(0.0, earlier - (time.perf_counter() - self._started[0])) if earlier else None

    def ended(self) -> None:
        """Note that the program has ended without an error."""
        # Beside other programs a run takes longer than it computes, and with several threads less.
        seconds = min(end - start for end, start in zip(_clocks(), self._started, strict=True))
        finders = [*_finders()]
        if os.getpid() != self._process or any(
            each.configurations.ask_for_more_than_speed for each in finders
        ):
            return
        if self._runs.note(self.side, seconds):
            # A configuration that there is not yet may ask for something else.
            files = [os.path.join(self._program.root, "pyproject.toml")]
            modules = (sys.modules.get(name) for each in finders for name in each.outcomes)
            files += (file for each in modules if (file := getattr(each, "__file__", None)) is not None)
            self._runs.files |= {each: _state(each) for each in files}
            # A full disk or a read-only home: nothing is decided.
            with contextlib.suppress(OSError):
                notes.write(_FOLDER, self._stem, self._name, asdict(self._runs))

    def __str__(self) -> str:
        return self._why


def ledger_of(program: Program) -> Ledger | None:
    """The ledger of a program; None where it is to run in one way."""
    if disabled() or waits():
        return None
    return Ledger(program)


def _finders() -> Iterator[Finder]:
    """Those of the program, whose module is not imported for it."""
    module = sys.modules.get("nprewrite.loading.finder")
    if module is not None:
        yield from (each for each in sys.meta_path if isinstance(each, module.Finder))


def _found_out() -> bool:
    """Whether this process has found out, asked for or compiled what makes later runs others."""
    processes = sys.modules.get("nprewrite.base.processes")
    budget = sys.modules.get("nprewrite.runtime.choosing.budget")
    has_waited = budget is not None and budget.waited() >= _WAITED_S
    return has_waited or notes.written() or (processes is not None and processes.Unattended.started)


def _clocks() -> tuple[float, float]:
    """The time by the clock, and that which the process has computed, of all its threads."""
    return time.perf_counter(), time.process_time()


def _state(path: str) -> list[int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]
