"""Tuples of numbers that a function gets, and binds anew in a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite

GIVEN = {
    "integers": ((0, 0), 1),
    "numbers of two kinds": ((2, 0.5), 1),
    "of NumPy": ((np.int64(3), 0), 1),
    "never bound anew": ((7, 7.5), 10**6),
    "of three": ((1, 2, 3), 10**6),
    "a string": (("a", 1), 1),
    "none": (None, 1),
}


def highest(scores: Any, where: Any, least: float) -> Any:
    best = least
    for i in range(len(scores)):
        for j in range(len(scores[i])):
            score = max(0.0, scores[i][j - 1] + 0.5, scores[i - 1][j] - 0.25)
            if score > best:
                best = score
                where = (i, j)
        scores[i][0] = 0.25 * i
    return best, where


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GIVEN)
def test_the_loops_around_such_a_name_run_compiled(name: str) -> None:
    pytest.importorskip("numba")
    where, least = GIVEN[name]
    decorated: Any = nprewrite.jit(highest, wait=True)
    made = np.random.default_rng(2).random((400, 300))
    for _ in range(3):
        before, after = made.copy(), made.copy()
        assert repr(decorated(after, where, least)) == repr(highest(before, where, least))
        assert np.array_equal(before, after)
    if name not in ("a string", "of three"):
        assert "ran 3 x compiled" in str(decorated.report()) or "ran 2 x compiled" in str(decorated.report())
