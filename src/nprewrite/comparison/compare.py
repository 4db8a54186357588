"""Call a function before and after rewriting, and judge whether the answers are the same.

The comparison covers types, dtypes, shapes and values of the result and of the arguments after the call,
which objects are the same and which arrays share memory, the class of an exception, and the state of the
global random generators. ``judge`` says how values are judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nprewrite.comparison.case import Case
from nprewrite.comparison.judge import as_number, identical
from nprewrite.comparison.observe import Observation, RandomState, not_comparable, structural_differences
from nprewrite.comparison.oracle import NoOracle, Oracle
from nprewrite.comparison.report import CaseReport, Verdict
from nprewrite.comparison.values import CopyError, Findings, Pairs, Question, call, judge_values, near


class Arrays(NamedTuple):
    """The two arrays at the place that differs most, for a picture."""

    place: str
    before: NDArray[Any]
    after: NDArray[Any]


def compare(
    function: str,
    case: Case,
    before: Callable[..., Any],
    after: Callable[..., Any],
    *,
    exact: bool = False,
    single: bool = False,
    oracle: Oracle | NoOracle,
    reference: Callable[..., Any] | None = None,
    keep: Callable[[Arrays], None] | None = None,
) -> CaseReport:
    """Call both sides on copies of the case's arguments, from the same random state, and judge.

    ``exact`` asks for the same bits, ``single`` for half of the digits of float32. ``reference`` is called
    too: its errors are reported but do not count. ``keep`` receives the two arrays at the worst place. What
    the sides raise is compared, never raised; the case is ``FAILED`` if a side runs out of memory or its
    arguments cannot be copied.
    """
    question = Question(case, RandomState.now(), exact, oracle, reference, single)
    try:
        ours, theirs = call(before, question), call(after, question)
    except MemoryError as problem:
        return CaseReport.failed(function, case.label, f"out of memory: {problem}")
    except CopyError as problem:
        return CaseReport.failed(function, case.label, str(problem))
    structural = structural_differences(ours, theirs, narrowed=single)
    opaque = not_comparable(ours, theirs)
    found = Findings("exact" if exact else "not judged", differences=structural + opaque)
    if not structural:
        pairs = _numbers(ours, theirs)
        found.differences += _other_differences(ours, theirs, pairs, exact)
        judge_values(found, pairs, question, ours)
        if keep is not None and found.worst is not None:
            keep(Arrays(found.worst.place, *pairs[found.worst.place]))
    only_opaque = opaque and len(found.differences) == len(opaque)
    verdict = Verdict.DIFFERENT if found.differences else Verdict.SAME
    return CaseReport(
        function,
        case.label,
        Verdict.FAILED if only_opaque else verdict,
        found.judged,
        found.errors,
        found.flips,
        found.worst,
        tuple(found.differences),
        tuple(found.notes),
        tuple(found.costs),
    )


def _numbers(ours: Observation, theirs: Observation) -> Pairs:
    """The numbers on both sides, by place."""
    return {
        place: (number, other)
        for place, value in ours.leaves.values.items()
        if (number := as_number(value)) is not None
        and (other := as_number(theirs.leaves.values[place])) is not None
    }


def _other_differences(ours: Observation, theirs: Observation, pairs: Pairs, exact: bool) -> list[str]:
    """Differences in text, dates, records and objects, and in masked arrays, which have no oracle."""
    found = []
    for place, value in ours.leaves.values.items():
        other = theirs.leaves.values[place]
        if place not in pairs and not _equal(value, other, exact):
            found.append(f"{place}: {value!r} before, {other!r} after")
    return found


def _equal(value: Any, other: Any, exact: bool) -> bool:
    if isinstance(value, np.ma.MaskedArray):
        masks = np.ma.getmaskarray(value), np.ma.getmaskarray(other)
        return np.array_equal(*masks) and _equal(value.data[~masks[0]], other.data[~masks[0]], exact)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        return bool(np.all(identical(value, other) if exact else near(value, other)))
    if isinstance(value, np.ndarray):
        return bool(value.tolist() == other.tolist())
    return bool(value == other)
