"""The profile of a program: its functions by time, each with what nprewrite would do there."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from nprewrite.config import Configurations
from nprewrite.engine.cells import ALONE, Context
from nprewrite.engine.outcomes import Options
from nprewrite.files.folders import belongs
from nprewrite.profiling.attribution import Attribution, Unit, attributed
from nprewrite.profiling.outlook import Outlook, outlook
from nprewrite.profiling.sampling import Samples
from nprewrite.profiling.source import MODULE
from nprewrite.watching.trial import Trials, tried

_OURS = str(Path(__file__).parents[1]) + os.sep
_MOST_ROWS = 12
_WORTH = 0.05
"""What gains less than this part of the program's time is not advised."""
_MOST_TRIALS = 4

Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """A function with its time, and what nprewrite would do there.

    ``measured`` are the seconds that were saved when it was tried, where it was.
    """

    unit: Unit
    outlook: Outlook
    measured: float | None = None

    @property
    def gain(self) -> float:
        """The seconds that would be saved, as measured or else as estimated."""
        return self.outlook.gain if self.measured is None else self.measured

    @property
    def may_gain(self) -> bool:
        """Whether only a call can show what would be saved."""
        return self.measured is None and self.outlook.deferred

    @property
    def may_be_tried(self) -> bool:
        """Whether it is a function that can get the decorator, which might do something there."""
        named = self.unit.name != MODULE and "<locals>" not in self.unit.name
        return named and (self.outlook.deferred or bool(self.outlook.parts))


@dataclass(frozen=True)
class Profile:
    """What a run of ``program`` has shown."""

    program: str
    command: str
    samples: Samples
    attribution: Attribution
    rows: tuple[Row, ...]
    trials: Trials | None = None

    @property
    def total(self) -> float:
        """The seconds of the program, without imports."""
        return self.attribution.total

    def advised(self) -> list[Row]:
        """The functions to decorate, those that gain most first; none is read with another."""
        worth = [each for each in self.rows if each.gain >= _WORTH * self.total or each.may_gain]
        in_order = sorted(worth, key=lambda row: -row.gain)
        if self.trials is not None:
            # What was measured of a function holds what it calls.
            return in_order[:1]
        chosen: list[Row] = []
        for each in in_order:
            if not any(_reads(other.unit, each.unit) for other in chosen):
                chosen.append(each)
        return chosen


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


def with_trials(profile: Profile, command: str, configurations: Configurations, say: Say) -> Profile:
    """The profile of what ``command`` runs, with gains that are measured. Raises ``CannotVerify``."""
    worth = [each for each in profile.rows if each.unit.whole >= _WORTH * profile.total and each.may_be_tried]
    functions = {each.unit.key: _options(each.unit, configurations) for each in worth[:_MOST_TRIALS]}
    trials = tried(command, functions, configurations, say)
    rows = (replace(each, measured=_measured(each.unit, trials)) for each in profile.rows)
    return replace(profile, rows=tuple(rows), trials=trials)


def _measured(unit: Unit, trials: Trials) -> float | None:
    trial = trials.whole if unit.name == MODULE else trials.functions.get(unit.key)
    return None if trial is None else trial.gain if trial.paid else 0.0


def _options(unit: Unit, configurations: Configurations) -> Options:
    path = unit.source.path
    return configurations.of(path).choices(path).options()
