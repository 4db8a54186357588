"""Nests over arrays and numbers that an object keeps, in a decorated method."""

from __future__ import annotations

import numpy as np
import pytest

import nprewrite


class Lattice:
    """Phases on a square lattice with edges that let nothing through."""

    def __init__(self, size: int, coupling: float) -> None:
        self.size, self.coupling = size, coupling
        self.omega = np.cos(np.arange(size * size * 1.0)).reshape(size, size)
        self.state = np.zeros((size, size))

    @nprewrite.jit
    def velocity(self, u: np.ndarray) -> np.ndarray:
        """What the neighbours above and to the left add."""
        d = self.omega.copy()
        for row in range(self.size):
            for col in range(self.size):
                if row > 0:
                    d[row, col] += self.coupling * np.sin(u[row - 1, col] - u[row, col])
                if col > 0:
                    d[row, col] += self.coupling * np.sin(u[row, col - 1] - u[row, col])
        return d

    @nprewrite.jit
    def shift(self) -> None:
        """Adds the coupling to the state, in place."""
        for i in range(self.size):
            for j in range(self.size):
                self.state[i, j] += self.coupling


@pytest.fixture(autouse=True)
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")


@pytest.mark.parametrize("size", [6, 1, 0])
def test_a_method_reads_attributes(size: int) -> None:
    lattice = Lattice(size, 1.5)
    u = np.sin(np.arange(size * size * 1.0)).reshape(size, size)
    method = vars(Lattice)["velocity"]
    expected = method.original(lattice, u)
    for _ in range(3):
        np.testing.assert_allclose(lattice.velocity(u), expected, rtol=1e-12)
    reports = [(site.code, site.verdict) for site in method.report().sites]
    assert ("NPR405", "rewritten") in reports
    assert "self.coupling" in method.source


def test_a_method_stores_into_an_attribute() -> None:
    lattice = Lattice(4, 0.5)
    kept = lattice.state
    for _ in range(3):
        lattice.shift()
    assert lattice.state is kept
    assert (kept == 1.5).all()
    reports = [(site.code, site.verdict) for site in vars(Lattice)["shift"].report().sites]
    assert ("NPR405", "rewritten") in reports


@pytest.mark.parametrize("size", [6, 5, 0])
def test_as_long_as_the_axes_or_shorter(size: int) -> None:
    """Axes just as long as the loops are sliced to their end, in one step; longer ones by numbers."""
    lattice = Lattice(6, 1.5)
    lattice.size = size
    u = np.sin(np.arange(36.0)).reshape(6, 6)
    method = vars(Lattice)["velocity"]
    for _ in range(3):
        np.testing.assert_allclose(lattice.velocity(u), method.original(lattice, u), rtol=1e-12)
    assert method.source.count(".over(") == 1
    assert "self.size == self.omega.shape[0]" in method.source
    assert "self.size <= self.omega.shape[0]" in method.source


def test_beyond_the_axes_raises() -> None:
    lattice = Lattice(6, 1.5)
    u = np.zeros((6, 6))
    lattice.velocity(u)
    lattice.size = 7
    with pytest.raises(IndexError):
        lattice.velocity(u)


@nprewrite.jit
def summed(out: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Sums of the elements before each one; the array that is made before the loop is for something else."""
    n = out.shape[0]
    marks = np.zeros(n, dtype=np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i):
            out[i] += v[j]
    return marks


def test_an_array_made_before_a_nest_that_does_not_use_it() -> None:
    given, expected = (np.linspace(0, 1, 6) for _ in range(2))
    summed.original(expected, np.ones(6))
    assert summed(given, np.ones(6)).tolist() == [0] * 6
    np.testing.assert_array_equal(given, expected)
