"""What NumPy makes of ``range(n)``: integers, or floats where there are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

PROGRAM = """
import numpy as np


def disc(n: int, trips: int):
    X, Y = np.meshgrid(range(n), {second})
    u = (X - n / 2) ** 2 + (Y - n / 2) ** 2
    for k in range(trips):
        u = u * 0.5 + X * 0.25
    return u
"""


@pytest.mark.parametrize("second", ["range(n)", "range(0, n, 2)", "np.arange(n)"])
def test_grids_of_ranges_are_arrays(second: str) -> None:
    done = rewrite_source(PROGRAM.format(second=second), "disc.py", Options(), only="disc")
    assert {each.code for each in done.sites if each.outcome is Outcome.REWRITTEN} >= {"NPR401", "NPR603"}


@nprewrite.jit
def weighed(n: Any) -> Any:
    total = np.array(range(n))
    for k in range(5):
        total = total * 2 + k
    return total


@pytest.mark.parametrize("n", [0, 1, 5])
def test_without_elements_they_are_floats(n: int) -> None:
    for _ in range(3):
        result, wanted = weighed(n), weighed.original(n)
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(result, wanted)
