"""Before and after give the same, NumPy against NumPy, at every level and on every call of the case."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue_cases import (
    REFUSALS,
    REWRITES,
    Case,
    calls,
    function_of,
    load,
    module_name,
    steps_of,
)
from catalogue_compare import Closeness, differences, observe

from nprewrite.engine.outcomes import Options
from nprewrite.passes.level import Level

pytestmark = [pytest.mark.usefixtures("steps_in_numpy"), pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("level", list(Level), ids=lambda level: level.name.lower())
@pytest.mark.parametrize("case", REWRITES + REFUSALS, ids=str)
def test_same_behaviour(case: Case, level: Level, tmp_path: Path) -> None:
    rewriting = case.rewritten(Options(level=level))
    path = tmp_path / "after.py"
    path.write_text(rewriting.text, encoding="utf-8", newline="")
    before = load(case.before_path, module_name(case, "before"))
    after = load(path, module_name(case, f"after_{level.name}"))
    closeness = _closeness(case, level)
    for ours, theirs in zip(calls(before), calls(after), strict=True):
        expected = observe(function_of(before, ours.function), ours.arguments)
        seen = observe(function_of(after, theirs.function), theirs.arguments)
        assert differences(expected, seen, closeness) == [], (
            f"{ours.function}{ours.arguments}\n{rewriting.text}"
        )
    for name, runs in steps_of(after).items() if case in REWRITES else ():
        ran = case.comparison.guard_always_refuses != bool(runs["numpy"])
        assert ran, f"{name} ran as {dict(runs)}"


def _closeness(case: Case, level: Level) -> Closeness:
    """Level ``exact`` keeps every bit whatever the case says."""
    comparison = case.comparison
    if comparison.single:
        return Closeness(rounding=True, single=True)
    if level is Level.EXACT:
        return Closeness()
    return Closeness(comparison.rounding, comparison.differing_lanes)


def test_a_wrong_rewrite_is_seen(tmp_path: Path) -> None:
    """The comparison itself: a where that widens the array's type is not the same program."""
    case = next(case for case in REWRITES if case.folder.name == "float-literal-into-integers")
    wrong = case.before.replace("A[A % 3 == 0] = 2.7", "A = np.where(A % 3 == 0, 2.7, A)")
    assert wrong != case.before
    path = tmp_path / "wrong.py"
    path.write_text(wrong, encoding="utf-8", newline="")
    before = load(case.before_path, module_name(case, "before"))
    after = load(path, module_name(case, "wrong"))
    found = [
        differences(observe(before.mark, ours.arguments), observe(after.mark, theirs.arguments), Closeness())
        for ours, theirs in zip(calls(before), calls(after), strict=True)
    ]
    assert all(found)
