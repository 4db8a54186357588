"""The profile of a program: its functions by time, each with what nprewrite would do there."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nprewrite.config import Configurations
from nprewrite.engine.cells import ALONE, Context
from nprewrite.engine.outcomes import Options
from nprewrite.files.folders import belongs
from nprewrite.profiling.attribution import Attribution, Unit, attributed
from nprewrite.profiling.outlook import Outlook, outlook
from nprewrite.profiling.sampling import Samples

_OURS = str(Path(__file__).parents[1]) + os.sep
_MOST_ROWS = 12
_WORTH = 0.05
"""What gains less than this part of the program's time is not advised."""


@dataclass(frozen=True)
class Row:
    """A function with its time, and what nprewrite would do there.

    ``measured`` are the seconds that a run through nprewrite has saved there, where there was one.
    """

    unit: Unit
    outlook: Outlook
    measured: float | None = None

    @property
    def gain(self) -> float:
        """The seconds that would be saved, as measured or else as estimated."""
        return self.outlook.gain if self.measured is None else self.measured


@dataclass(frozen=True)
class Profile:
    """What a run of ``program`` has shown."""

    program: str
    command: str
    samples: Samples
    attribution: Attribution
    rows: tuple[Row, ...]

    @property
    def total(self) -> float:
        """The seconds of the program, without imports."""
        return self.attribution.total

    def advised(self) -> list[Row]:
        """The functions to decorate, those that gain most first; none is read with another."""
        worth = [each for each in self.rows if each.gain >= _WORTH * self.total or _may_gain(each)]
        chosen: list[Row] = []
        for each in sorted(worth, key=lambda row: -row.gain):
            if not any(_reads(other.unit, each.unit) for other in chosen):
                chosen.append(each)
        return chosen


def _may_gain(row: Row) -> bool:
    return row.measured is None and row.outlook.deferred


def _reads(unit: Unit, other: Unit) -> bool:
    """Whether most of what was spent in ``other`` is a part of what ``unit`` is given."""
    part = sum(seconds for place, seconds in unit.focus.items() if place in other.focus)
    return unit is not other and part >= other.own / 2 and other.key in _called(unit)


def _called(unit: Unit) -> set[tuple[str, str]]:
    found = set(unit.passed_on)
    for path, line in unit.focus:
        if path == unit.source.path:
            found |= {(path, name) for name, lines in unit.source.functions.items() if line in lines}
    return found - {unit.key}


def owner(root: str) -> Callable[[str], bool]:
    """What tells whether a file is the user's: one of the project at ``root``."""

    @cache
    def owns(file: str) -> bool:
        path = os.path.realpath(file)
        return os.path.isfile(path) and not path.startswith(_OURS) and belongs(path, root)

    return owns


def profiled(
    program: str,
    command: str,
    samples: Samples,
    owns: Callable[[str], bool],
    configurations: Configurations,
    around: Context = ALONE,
) -> Profile:
    """The profile that samples give; ``around`` is what cells find in others. Raises ConfigurationProblem."""
    found = attributed(samples, owns)
    first = found.ranked()[:_MOST_ROWS]
    rows = (Row(unit, outlook(unit, _options(unit, configurations), around)) for unit in first)
    return Profile(program, command, samples, found, tuple(rows))


def _options(unit: Unit, configurations: Configurations) -> Options:
    path = unit.source.path
    return configurations.of(path).choices(path).options()
