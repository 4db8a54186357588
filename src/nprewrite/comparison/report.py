"""What a comparison found: plain data, a table, and JSON.

The JSON of a report (``to_json``) has these keys; version 1:

    version     1
    same        bool: something was compared, and nothing differs or failed
    exit        0 same, 3 different, 2 a case could not be run or nothing was compared
    cases       a list, each with
        function, case      names
        verdict             "same", "different" or "failed" (could not be run)
        judged              "exact", "oracle float64", "oracle long double", "no oracle: why", ...
        errors              {"numpy", "rewritten", "reference"}: the largest error of a float in units in the
                            last place of the result's dtype at the oracle's value; "inf" where one side is
                            not finite; null where there is none
        flips               {"numpy", "rewritten", "elements", "reference"}: integers and booleans that differ
                            from the oracle; null where there is no oracle or no such element
        worst               {"place", "index", "before", "after", "oracle"}: the element that decides, values
                            as text; null where no element differs
        costs               for a function computed in float32, a list for its floats of {"place",
                            "absolute", "relative"}: the largest error against NumPy in double precision, and
                            that divided by the largest value; empty otherwise
        differences         sentences; empty where the verdict is "same"
        notes               sentences about how the case was judged
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from nprewrite.base.columns import in_columns

_SCHEMA = 1


class Verdict(enum.StrEnum):
    """The verdict on a case; ``FAILED``: it could not be run (time, memory, crash, arguments)."""

    SAME = "same"
    DIFFERENT = "different"
    FAILED = "failed"


_ORDER = (Verdict.SAME, Verdict.FAILED, Verdict.DIFFERENT)
"""From the best to the worst."""


@dataclass(frozen=True)
class Errors:
    """The largest errors against the oracle, in units in the last place; None where nothing was measured."""

    numpy: float | None = None
    rewritten: float | None = None
    reference: float | None = None


@dataclass(frozen=True)
class Flips:
    """How many of all ``elements`` that are integers or booleans differ from the oracle's."""

    numpy: int
    rewritten: int
    elements: int
    reference: int | None = None


@dataclass(frozen=True)
class Worst:
    """The element that decides: its place and its values as text; ``oracle`` is empty if there is none."""

    place: str
    index: tuple[int, ...]
    before: str
    after: str
    oracle: str = ""


@dataclass(frozen=True)
class Cost:
    """The largest error of the floats at one place, absolute and relative to the largest of their values."""

    place: str
    absolute: float
    relative: float

    def __str__(self) -> str:
        return f"{self.place}: largest error {self.absolute:.2g}, {self.relative:.2g} of the largest value"


@dataclass(frozen=True)
class CaseReport:
    """The outcome for one case; plain data that can be pickled."""

    function: str
    case: str
    verdict: Verdict
    judged: str
    errors: Errors = field(default_factory=Errors)
    flips: Flips | None = None
    worst: Worst | None = None
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    costs: tuple[Cost, ...] = ()

    @classmethod
    def failed(cls, function: str, case: str, because: str) -> CaseReport:
        """A case that could not be run, and why."""
        return cls(function, case, Verdict.FAILED, "not judged", differences=(because,))

    def to_json(self) -> dict[str, Any]:
        """The case as the JSON described above."""
        flips, worst = self.flips, self.worst
        return {
            "function": self.function,
            "case": self.case,
            "verdict": str(self.verdict),
            "judged": self.judged,
            "errors": {name: _number(error) for name, error in vars(self.errors).items()},
            "flips": flips and vars(flips),
            "worst": worst and {**vars(worst), "index": list(worst.index)},
            "costs": [
                {"place": each.place, "absolute": _number(each.absolute), "relative": _number(each.relative)}
                for each in self.costs
            ],
            "differences": list(self.differences),
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Report:
    """The outcomes for all cases; ``str`` is the table."""

    cases: tuple[CaseReport, ...]

    @property
    def same(self) -> bool:
        """Whether something was compared and every case is the same."""
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """0 same, 3 different, 2 a case could not be run or nothing was compared."""
        verdicts = {case.verdict for case in self.cases}
        if Verdict.DIFFERENT in verdicts:
            return 3
        return 0 if verdicts == {Verdict.SAME} else 2

    def to_json(self) -> dict[str, Any]:
        """The report as the JSON described above."""
        return {
            "version": _SCHEMA,
            "same": self.same,
            "exit": self.exit_status,
            "cases": [case.to_json() for case in self.cases],
        }

    def worst_of_each(self) -> Report:
        """One case for each function: the one that differs or fails, else the one with the largest error."""
        functions = dict.fromkeys(case.function for case in self.cases)
        return Report(tuple(self._worst_of(name) for name in functions))

    def _worst_of(self, function: str) -> CaseReport:
        cases = [case for case in self.cases if case.function == function]
        worst = max(cases, key=lambda case: (_ORDER.index(case.verdict), case.errors.rewritten or 0.0))
        return worst if len(cases) == 1 else replace(worst, case=f"the worst of {len(cases)}: {worst.case}")

    def __str__(self) -> str:
        if not self.cases:
            return "nothing was compared"
        return "\n".join(_lines(self.cases))


def _number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def _lines(cases: Iterable[CaseReport]) -> Iterator[str]:
    cases = tuple(cases)
    columns = _columns(cases)
    rows = [list(columns), *([text(case) for text in columns.values()] for case in cases)]
    head, *lines = in_columns(rows)
    yield head
    for case, line in zip(cases, lines, strict=True):
        yield line
        yield from (f"    {sentence}" for sentence in (*case.differences, *case.costs, *case.notes))


def _columns(cases: tuple[CaseReport, ...]) -> dict[str, Callable[[CaseReport], str]]:
    """Each column's title and text; columns for flips and a reference only where a case has them."""
    columns: dict[str, Callable[[CaseReport], str]] = {
        "function": lambda case: case.function,
        "case": lambda case: case.case,
        "verdict": lambda case: str(case.verdict),
        "judged": lambda case: case.judged,
        "error of NumPy": lambda case: _ulps(case.errors.numpy),
        "rewritten": lambda case: _ulps(case.errors.rewritten),
    }
    if any(case.errors.reference is not None for case in cases):
        columns["reference"] = lambda case: _ulps(case.errors.reference)
    flips = [case.flips for case in cases if case.flips is not None]
    if any(each.numpy + each.rewritten or each.reference is not None for each in flips):
        columns["flips of NumPy"] = lambda case: "-" if case.flips is None else str(case.flips.numpy)
        columns["of rewritten"] = lambda case: "-" if case.flips is None else str(case.flips.rewritten)
    if any(each.reference is not None for each in flips):
        columns["flips of reference"] = _reference_flips
    columns["worst element"] = lambda case: _worst(case.worst)
    return columns


def _reference_flips(case: CaseReport) -> str:
    count = None if case.flips is None else case.flips.reference
    return "-" if count is None else str(count)


def _ulps(error: float | None) -> str:
    return "-" if error is None else f"{error:.3g} ulp"


def _worst(worst: Worst | None) -> str:
    if worst is None:
        return "-"
    index = f"[{', '.join(map(str, worst.index))}]" if worst.index else ""
    oracle = f" (oracle {worst.oracle})" if worst.oracle else ""
    return f"{worst.place}{index}: {worst.before} before, {worst.after} after{oracle}"
