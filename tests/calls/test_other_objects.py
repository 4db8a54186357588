"""Objects that come after a function is compiled, and do something else under the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

N = 60_000


class Grid:
    def __init__(self) -> None:
        self.u, self.t = np.linspace(0.0, 1.0, 10), 0.0

    def speed(self, k: int) -> float:
        return 0.5 + self.t * 1e-3


class Relaxation:
    def __init__(self, grid: Any) -> None:
        self.grid = grid

    def run(self, n: int) -> float:
        for k in range(n):
            self.grid.u[k % 10] *= 0.999
            self.grid.t += 0.5
        return self.grid.t

    def run_named(self, n: int) -> float:
        g = self.grid
        for k in range(n):
            g.u[k % 10] *= 0.999
            g.t += 0.5
        return g.t

    def run_methods(self, n: int) -> float:
        for k in range(n):
            self.grid.u[k % 10] += self.weight(k)
            self.grid.t += self.grid.speed(k)
        return self.grid.t

    def weight(self, k: int) -> float:
        return 0.25


class Watched(Grid):
    """Its ``t`` is a property."""

    seen = 0

    @property  # type: ignore[override]
    def t(self) -> float:
        return self._t

    @t.setter
    def t(self, value: float) -> None:
        self._t = value if value < 10 else 3.25
        self.seen += 1


class Counting(Grid):
    """It does more than set its attributes."""

    seen = 0

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, "seen", self.seen + 1)
        object.__setattr__(self, name, value)


def with_function(of_grid: bool) -> Relaxation:
    made = Relaxation(Grid())
    if of_grid:
        vars(made.grid)["speed"] = lambda k: 2.0
    else:
        vars(made)["weight"] = lambda k: -1.0
    return made


OTHERS: dict[str, Callable[[], Relaxation]] = {
    "a property": lambda: Relaxation(Watched()),
    "attributes that are counted": lambda: Relaxation(Counting()),
    "a function in place of a method": lambda: with_function(of_grid=False),
    "a function in place of a method of what it holds": lambda: with_function(of_grid=True),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("function", [Relaxation.run, Relaxation.run_named, Relaxation.run_methods])
def test_what_was_compiled_is_for_objects_like_those_before(function: Callable[..., Any], name: str) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(6):
        assert _outcome(decorated, Relaxation(Grid())) == _outcome(function, Relaxation(Grid()))
    assert "x compiled" in str(decorated.report())
    for _ in range(3):
        assert _outcome(decorated, OTHERS[name]()) == _outcome(function, OTHERS[name]())


def _outcome(function: Callable[..., Any], given: Relaxation) -> str:
    """What a call gives, and what the grid holds then."""
    result = function(given, N)
    held = {name: each for name, each in vars(given.grid).items() if not callable(each)}
    return repr((result, held))
