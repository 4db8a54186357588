"""Stores into parts of arrays of bools, as binary images and cellular automata have them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import nprewrite

Step = Callable[[np.ndarray], np.ndarray]


pytestmark = pytest.mark.usefixtures("rewritten_side")


def erosion(m: np.ndarray) -> np.ndarray:
    n = m.copy()
    n[1:] &= m[:-1]
    n[:-1] &= m[1:]
    n[:, 1:] &= m[:, :-1]
    n[:, :-1] &= m[:, 1:]
    return n


def smearing(m: np.ndarray) -> np.ndarray:
    n = m.copy()
    n[1:] |= n[:-1]
    n[:, 1:] ^= m[:, :-1]
    return n


def edges(x: np.ndarray) -> np.ndarray:
    m = x > 0.5
    m[1:] &= x[:-1] < 0.7
    m[:, 0] = True
    m[::2, 1:] |= x[::2, :-1] > 0.9
    return m.astype(np.uint8) + 2 * m


@pytest.mark.parametrize("step", [erosion, smearing, edges])
def test_they_are_compiled(step: Step, recwarn: pytest.WarningsRecorder) -> None:
    rng = np.random.default_rng(0)
    rewritten = nprewrite.jit(wait=True)(step)
    for _ in range(3):
        x = rng.random((37, 70))
        given = x if step is edges else x < 0.6
        found, right = rewritten(given.copy()), step(given.copy())
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
    assert not [each for each in recwarn if "runs as written" in str(each.message)]
    assert "x compiled" in str(rewritten.report())
