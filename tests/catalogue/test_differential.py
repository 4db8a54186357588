"""Before and after give the same, NumPy against NumPy, at every level and on every call of the case.

What asks about rewritings at every level is here, because a process rewrites each once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue_cases import (
    PAIRS,
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

from nprewrite import NprewriteWarning
from nprewrite.engine.outcomes import Options, Outcome
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


@pytest.mark.parametrize("level", list(Level), ids=lambda level: level.name.lower())
@pytest.mark.parametrize("case", REWRITES + REFUSALS, ids=str)
def test_every_reason_given_is_in_the_table(case: Case, level: Level) -> None:
    sites = case.rewritten(Options(level=level)).sites
    given = {(site.reason, site.code) for site in sites if site.outcome is Outcome.REFUSED}
    assert given <= set(PAIRS)


@pytest.mark.parametrize("case", [each for each in REWRITES if not each.comparison.single], ids=str)
def test_warnings(case: Case, tmp_path: Path) -> None:
    """The same where filters make them errors or show all, and none more by default."""
    path = tmp_path / "after.py"
    path.write_text(case.rewritten(Options()).text, encoding="utf-8", newline="")
    before = load(case.before_path, module_name(case, "before"))
    after = load(path, module_name(case, "after_warnings"))
    for action in ("error", "always", "default"):
        for ours, theirs in zip(calls(before), calls(after), strict=True):
            expected = _seen(function_of(before, ours.function), ours.arguments, action)
            found = _seen(function_of(after, theirs.function), theirs.arguments, action)
            if action == "default":
                assert found[1] <= expected[1], (ours.function, action)
            else:
                assert found == expected, (ours.function, action)


def _seen(
    function: Callable[..., Any], arguments: tuple[Any, ...], action: Any
) -> tuple[str, set[tuple[type[Warning], str]]]:
    """The exception of a call, and NumPy's warnings."""
    error = ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter(action)
        warnings.simplefilter("ignore", NprewriteWarning)
        try:
            function(*arguments)
        except (
            ArithmeticError,
            AssertionError,
            LookupError,
            NameError,
            TypeError,
            ValueError,
            Warning,
        ) as raised:
            error = f"{type(raised).__name__}: {raised}"
    return error, {(each.category, str(each.message)) for each in caught}


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
