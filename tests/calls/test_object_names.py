"""Names for objects that a method reaches, ``g = self.grid``, and attributes that are None at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

N = 80000


class Grid:
    def __init__(self) -> None:
        self.u = np.linspace(0.0, 1.0, 8)
        self.t, self.sweeps = 0.0, 0


class Inner:
    def __init__(self) -> None:
        self.grid = Grid()
        self.turned = 0.0

    def speed(self, k: int) -> float:
        return 0.5 + self.turned % 3.0 + k

    def turn(self, k: int) -> float:
        self.turned += self.speed(k)
        return self.turned * 0.25


class Solver:
    """What relaxes a grid."""

    def __init__(self) -> None:
        self.grid, self.inner, self.total = Grid(), Inner(), 0.0
        self.spare = Inner()
        self.table = {"grid": self.grid}
        self.best: Any = None
        self.last: Any = None

    def before_the_loop(self, n: int) -> float:
        g = self.grid
        u = g.u
        for k in range(n // 8):
            for i in range(1, 7):
                u[i] += 0.1 * (u[i - 1] + u[i + 1] - 2 * u[i])
            g.sweeps += 1
            g.t = g.t + 0.5 * k
        return g.t

    def swept(self) -> float:
        g = self.grid
        before = g.u[3]
        for i in range(1, 7):
            g.u[i] += 0.1 * (g.u[i - 1] + g.u[i + 1] - 2 * g.u[i])
        g.sweeps += 1
        return float(abs(g.u[3] - before))

    def within_the_loop(self, n: int) -> float:
        for _ in range(n // 16):
            change = self.swept()
            self.total += change
        return self.total

    def halved(self) -> Any:
        self.grid.u = 0.5 * self.grid.u + 0.1
        return self.grid.u

    def what_nobody_takes(self, n: int) -> float:
        for _ in range(n // 4):
            self.halved()
            self.total += self.grid.u[1]
        return self.total

    def both_names(self, n: int) -> float:
        g = self.grid
        for k in range(n):
            g.t += 0.5
            self.grid.t += k * g.u[k % 8]
        return self.grid.t

    def two_levels(self, n: int) -> float:
        inner = self.inner
        g = inner.grid
        for k in range(n):
            g.t += g.u[k % 8]
        return inner.grid.t

    def methods(self, n: int) -> float:
        inner = self.inner
        for k in range(n):
            self.total += inner.turn(k) + inner.speed(k)
        return self.total

    def private_methods(self, n: int) -> float:
        for k in range(n):
            self.total += self.__weight(k)
        return self.total

    def __weight(self, k: int) -> float:
        return 0.5 * k % 3.0 + self.inner.grid.u[k % 8]

    def methods_of_either(self, n: int) -> float:
        inner = self.inner
        for k in range(n):
            self.total += inner.turn(k)
            inner = self.spare
        return self.total + self.inner.turned - self.spare.turned

    def also_by_itself(self, n: int) -> Any:
        g = self.grid
        for k in range(n):
            g.t += g.u[k % 8]
        return g is self.grid, g.t

    def seen_by_a_function(self, n: int) -> float:
        g = self.grid

        def time() -> float:
            return g.t

        for k in range(n):
            g.t += g.u[k % 8]
        return time()

    def best_at_first_none(self, n: int) -> Any:
        x = self.grid.u.copy()
        for k in range(n):
            x[k % 8] += np.sin(0.1 * k)
            if self.best is None or x.sum() > self.best.sum():
                self.best = x.copy()
            self.last = k * 0.5
        return self.best

    def best_where_a_loop_raises(self, n: int) -> Any:
        for k in range(n):
            self.best = self.grid.u + k
            self.last = 1 / (n - 2 - k)
        return self.best

    def exchanged(self, n: int) -> float:
        g = self.grid
        for k in range(n):
            g.t += g.u[k % 8]
            if k == 5:
                self.grid = Grid()
                self.grid.t = 100.0
        return g.t + self.grid.t

    def exchanged_by_a_call(self, n: int) -> float:
        g = self.grid
        self.renew()
        for k in range(n):
            g.t += g.u[k % 8]
        return g.t + self.grid.t

    def exchanged_in_a_table(self, n: int) -> float:
        key = "grid"
        g = self.table["grid"]
        self.table[key] = self.inner.grid
        for k in range(n):
            g.t += g.u[k % 8]
        return g.t

    def exchanged_at_a_yield(self, n: int) -> float:
        return sum(each for each in self.halves(n // 2) if not self.renew())

    def halves(self, n: int) -> Any:
        g = self.grid
        yield 0.0
        for k in range(n):
            g.t += g.u[k % 8]
        yield g.t

    def renew(self) -> None:
        setattr(self, "grid", Grid())  # noqa: B010

    def without_a_name(self, n: int) -> float:
        if n < 0:
            g = self.grid
        for k in range(n):
            g.t += g.u[k % 8]
        return g.t

    def named_too_late(self, n: int) -> float:
        for k in range(n):
            if k > 0:
                g.t += g.u[k % 8]  # noqa: F821
            g = self.inner.grid
        return g.t


COMPILED = (
    *(Solver.before_the_loop, Solver.within_the_loop, Solver.both_names, Solver.two_levels),
    *(
        Solver.methods,
        Solver.private_methods,
        Solver.also_by_itself,
        Solver.seen_by_a_function,
        Solver.best_at_first_none,
        Solver.what_nobody_takes,
    ),
)
AS_WRITTEN = (
    *(Solver.exchanged, Solver.exchanged_by_a_call, Solver.without_a_name, Solver.named_too_late),
    *(
        Solver.methods_of_either,
        Solver.best_where_a_loop_raises,
        Solver.exchanged_in_a_table,
        Solver.exchanged_at_a_yield,
    ),
)


@pytest.mark.parametrize("function", COMPILED)
def test_loops_that_use_such_names_run_compiled(function: Callable[..., Any]) -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(function)
    for _ in range(8):
        assert _outcome(decorated) == _outcome(function)
    assert "x compiled" in str(decorated.report())


@pytest.mark.parametrize("function", AS_WRITTEN)
def test_names_that_need_not_stand_for_the_object(function: Callable[..., Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(8):
        assert _outcome(decorated) == _outcome(function)


def _outcome(function: Callable[..., Any]) -> str:
    """What a call gives or raises, and what the objects hold then."""
    solver = Solver()
    first = solver.grid
    result: Any = None
    try:
        result = function(solver, N)
    except (ArithmeticError, NameError) as error:
        result = type(error), str(error)
    grids = (vars(each) for each in (first, solver.grid, solver.inner.grid))
    return repr((result, solver.total, solver.best, solver.last, *grids))
