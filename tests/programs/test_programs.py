"""Every program, and every near twin, gives under the decorator what it gives without.

``nprewrite.verify`` judges. Here all run in NumPy, and a few compiled; ``make programs-small`` compiles all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from program_files import EVERY, Program

import nprewrite

pytestmark = pytest.mark.filterwarnings("ignore")

COMPILED = ["jacobi_2d", "gemm", "softmax_rows"]
BY_NUMBA = ["edit_distance", "csr_matvec", "csr_wrong_index", "byte_hash_unbounded"]
BY_NUMBA += ["kalman_filter", "kalman_singular", "viterbi", "viterbi_in_place"]
CALLS_IN_TURNS = 9


def assert_same(path: Path) -> Any:
    """The answers are the same; returns the decorated program."""
    program = Program.load(path)
    decorated = program.decorated(nprewrite.jit)
    report = nprewrite.verify(program.original, decorated, [program.case("small")])
    assert report.same, str(report)
    return decorated


@pytest.mark.usefixtures("steps_in_numpy")
@pytest.mark.parametrize("name", EVERY)
def test_same_answers_in_numpy(name: str) -> None:
    assert_same(EVERY[name])


@pytest.mark.usefixtures("steps_compiled")
@pytest.mark.parametrize("name", COMPILED)
def test_same_answers_compiled(name: str) -> None:
    assert assert_same(EVERY[name]).version.compiled_runs > 0


@pytest.mark.usefixtures("steps_compiled")
@pytest.mark.parametrize("name", BY_NUMBA)
def test_same_answers_by_numba(name: str) -> None:
    pytest.importorskip("numba")
    assert_same(EVERY[name])


@pytest.mark.usefixtures("in_turns")
@pytest.mark.parametrize("name", ["jacobi_2d", "edit_distance"])
def test_same_answers_in_turns(name: str) -> None:
    program = Program.load(EVERY[name])
    decorated = program.decorated(nprewrite.jit)
    report = nprewrite.verify(program.original, decorated, [program.case("small")] * CALLS_IN_TURNS)
    assert report.same, str(report)
    assert decorated.report().turns  # type: ignore[attr-defined]
