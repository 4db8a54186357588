"""Integers divided by a name: in a step it is a parameter, which could be 0 there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

PROGRAM = """
import numpy as np


def cells(trips: int):
    n, box = 400, 50
    x = np.linspace(0.0, 100.0, 5000)
    j = np.zeros(5000, dtype={dtype})
    for k in range(trips):
        x = np.mod(x * 1.5, box)
        j = {value}
        x = x + j * 0.5
        np.save("cells", x)
    return x, j
"""


@pytest.mark.parametrize(
    "value", ["np.mod(j + 7, n)", "(j + 7) % n", "(j + 7) // n", "np.floor_divide(j, n)"]
)
def test_such_statements_are_part_of_a_step(value: str) -> None:
    text = PROGRAM.format(value=value, dtype="int")
    done = rewrite_source(text, "cells.py", Options(), only="cells")
    assert "npr.int_" in done.text
    assert not [each for each in done.sites if each.code == "NPR601" and each.outcome is Outcome.REFUSED]


def test_unsigned_ones_do_not_prevent_the_rest() -> None:
    text = PROGRAM.format(value="(j + 7) % n", dtype="np.uint32")
    done = rewrite_source(text, "cells.py", Options(), only="cells")
    assert "x = npr.remainder(x * 1.5, " in done.text


@nprewrite.jit
def wrapped(x: Any, n: Any) -> Any:
    j = np.floor(x).astype(int)
    return np.mod(j, n) + x * 0.5 - np.floor_divide(j, n)


@pytest.mark.parametrize("n", [7, -3, -1, 0])
def test_the_values_are_those_of_numpy(n: int) -> None:
    x = np.linspace(-50.0, 50.0, 1 << 17)
    with np.errstate(divide="ignore"):
        for _ in range(3):
            np.testing.assert_array_equal(wrapped(x, n), wrapped.original(x, n))
