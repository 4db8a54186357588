"""How far the rewritten program goes, and which layer a difference is laid to."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import pytest
from road_tools import WAVES, target, task

from nprewrite.comparison.report import Verdict
from nprewrite.verification.road import verify_file
from nprewrite.verification.stages import STAGES, earlier

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

PROGRAM = """
import numpy as np

def {name}(first, n):
    x = np.full(5, first)
    for k in range(n):
        x[:] = {before}
    return x
"""

STEP = """
import numpy as np
import nprewrite.runtime as npr

@npr.step(state={{"x": "float64"}}, lanewise=True, chunked=True, compile=True)
def _{name}_step(x):
    x = {after}
    return (x,)

def {name}(first, n):
    x = np.full(5, first)
    for k in _{name}_step.over(range(n), x=x):
        x[:] = {before}
    return x
"""

CHANGED = {
    "rewritten": ("x + 1", "x + 2", "(0.0, 3)"),
    # NumPy's sign of nan is nan, torch's is 0.
    "traced": ("np.sign(x)", "np.sign(x)", "(np.nan, 3)"),
    # Inductor divides before it rounds down: -6.0 // 0.3 is -21 in NumPy and -20 there.
    "compiled": ("np.floor_divide(x, 0.3)", "np.floor_divide(x, 0.3)", "(-6.0, 1)"),
}
"""Functions that a stage changes, with the expression of their loop, that of its step, and arguments."""


def noted(folder: Path, names: Sequence[str], stage: str) -> dict[str, tuple[str, ...]]:
    """The notes on functions of ``CHANGED``, which all differ."""
    parts = [{"name": each, "before": CHANGED[each][0], "after": CHANGED[each][1]} for each in names]
    outcome = verify_file(
        task(
            folder,
            "".join(PROGRAM.format(**each) for each in parts),
            "".join(STEP.format(**each) for each in parts),
            calls=[each + CHANGED[each][2] for each in names],
            targets=[target(each, loops=True) for each in names],
            stage=stage,
        )
    )
    assert outcome.problem is None
    assert {case.verdict for case in outcome.report.cases} == {Verdict.DIFFERENT}
    return {case.function: case.notes[-2:] for case in outcome.report.cases}


def test_the_stages_in_their_order() -> None:
    assert STAGES == ("numpy", "eager", "inductor")
    assert (earlier("numpy"), earlier("inductor")) == ((), ("numpy", "eager"))


def test_a_wrong_rewriting_shows_in_numpy(tmp_path: Path) -> None:
    notes = noted(tmp_path, ["rewritten"], "numpy")
    assert notes["rewritten"] == ("ran numpy", "introduced by the rewriting (stage numpy)")


@needs_torch
def test_a_difference_is_laid_to_the_first_stage_that_shows_it(tmp_path: Path) -> None:
    assert noted(tmp_path, [*CHANGED], "inductor") == {
        "rewritten": ("ran compiled", "introduced by the rewriting (stage numpy)"),
        "traced": ("ran compiled", "introduced by NumPy tracing (stage eager)"),
        "compiled": ("ran compiled", "introduced by the compiler (stage inductor)"),
    }


@needs_torch
@pytest.mark.parametrize("stage", STAGES)
def test_a_right_rewriting_is_the_same_at_every_stage(tmp_path: Path, stage: str) -> None:
    outcome = verify_file(task(tmp_path, WAVES, calls=["damp(Box(np.arange(7.0)), 11)"], stage=stage))
    [case] = outcome.report.cases
    assert case.verdict is Verdict.SAME
    assert case.notes[-1] == {"numpy": "ran numpy", "eager": "ran traced", "inductor": "ran compiled"}[stage]
    assert outcome.exit_status == 0


def test_a_loop_that_never_ran_is_nothing_compared(tmp_path: Path) -> None:
    """A guard refuses: the loop runs as written on both sides, and the same answers tell nothing."""
    outcome = verify_file(task(tmp_path, WAVES, calls=["damp(Box([]), 5)"]))
    [case] = outcome.report.cases
    assert (case.verdict, case.notes[-1]) == (Verdict.SAME, "ran as written: shape of x")
    assert outcome.exit_status == 2
    assert str(outcome.problem).startswith("nothing was compared")
    together = verify_file(task(tmp_path, WAVES, calls=["damp(Box([]), 5)", "damp(Box([1.0]), 5)"]))
    assert together.exit_status == 0


def test_a_loop_that_is_not_reached(tmp_path: Path) -> None:
    text = "import numpy as np\n\ndef f(n):\n    x = np.zeros(4)\n    if n < 0:\n        return x\n"
    text += "    for k in range(n):\n        m = x < 3\n        x[m] = x[m] + 1\n    return x\n"
    outcome = verify_file(task(tmp_path, text, calls=["f(-1)"]))
    assert outcome.report.cases[0].notes[-1] == "no rewritten loop was reached"
    assert outcome.exit_status == 2


def test_why_the_decorator_left_a_function_as_it_is(tmp_path: Path) -> None:
    text = """
import numpy as np
import nprewrite

@nprewrite.jit
def f(x, n):
    for k in range(n):
        m = x < 3
        x[m] = x[m] + 1
    return x
"""
    outcome = verify_file(task(tmp_path, text, calls=["f(np.zeros(4), 3)", "f([1, 2], 0)"]))
    first, second = outcome.report.cases
    assert first.notes[-1] == "ran numpy"
    assert any(note.startswith("ran as written: NPR401") for note in second.notes)


def test_a_program_that_answers_nothing_compares_nothing(tmp_path: Path) -> None:
    outcome = verify_file(task(tmp_path, f"{WAVES}\ndef main():\n    print(cut(3))\n", calls=["main()"]))
    [case] = outcome.report.cases
    assert case.notes[-1] == "nothing to compare: it takes no arguments and returns None"
    assert outcome.exit_status == 2
