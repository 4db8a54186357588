"""Array code that gives a name an array of another shape, as the layers of a network do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_side")


def forward(x: np.ndarray, weights: Sequence[np.ndarray], biases: Sequence[np.ndarray]) -> np.ndarray:
    for w, b in zip(weights, biases, strict=True):
        x = np.tanh(x @ w + b)
    return x


def differences(x: np.ndarray, n: int) -> np.ndarray:
    for _ in range(n):
        x = np.exp(-x[1:]) + x[:-1]
    return x


def test_the_layers_of_a_network_are_compiled(recwarn: pytest.WarningsRecorder) -> None:
    rng = np.random.default_rng(0)
    sizes = (3, 7, 7, 2)
    weights = [rng.normal(size=pair) for pair in pairwise(sizes)]
    biases = [rng.normal(size=size) for size in sizes[1:]]
    rewritten = nprewrite.jit(wait=True)(forward)
    x = rng.normal(size=(20, 3))
    for _ in range(3):
        np.testing.assert_allclose(rewritten(x, weights, biases), forward(x, weights, biases), rtol=1e-12)
    assert not [each for each in recwarn if "runs as written" in str(each.message)]
    assert "x compiled" in str(rewritten.report())


def test_an_array_that_gets_shorter() -> None:
    rewritten = nprewrite.jit(wait=True)(differences)
    x = np.linspace(0, 1, 30)
    for _ in range(3):
        np.testing.assert_allclose(rewritten(x, 4), differences(x, 4), rtol=1e-12)
