"""Functions that objects hold, ``self.f = f``, are inlined like methods, as long as they are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

N = 3000


def pulled(t: Any, y: Any, k: float = 2.0) -> Any:
    return np.array([y[1], -k * y[0]])


def decaying(t: Any, y: Any) -> Any:
    return -0.5 * y + 0.01 * t


def of_another(k: float) -> Callable[[Any, Any], Any]:
    return lambda t, y: -k * y


class Solver:
    """What integrates the function that it is given."""

    def __init__(self, f: Any, limit: Any = lambda t: min(t, 2.0)) -> None:
        self.f, self.limit = f, limit
        self.y, self.t = np.array([1.0, 0.5]), 0.0

    def advance(self, h: float) -> None:
        self.y = self.y + h * self.f(self.limit(self.t), self.y)
        self.t += h

    def solve(self, n: int) -> Any:
        for _ in range(n):
            self.advance(1e-3)
        return self.y

    def f_of_the_class(self, t: Any, y: Any) -> Any:
        return 0 * y

    def solve_by_the_class(self, n: int) -> Any:
        for _ in range(n):
            self.y = self.y + 1e-3 * self.f_of_the_class(self.t, self.y)
        return self.y


class Changing(Solver):
    """One that exchanges the function on the way."""

    def advance(self, h: float) -> None:
        super().advance(h)
        if self.t > 1:
            self.g = decaying

    def solve_changing(self, n: int) -> Any:
        self.g = self.f
        for k in range(n):
            self.y = self.y + 1e-3 * self.g(self.t, self.y)
            if k == n // 2:
                self.g = decaying
        return self.y


FUNCTIONS = (pulled, decaying, lambda t, y: 0.25 * y, of_another(0.3), of_another(0.6), np.maximum)


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NPREWRITE_WAIT", "1")


@pytest.mark.parametrize("function", [pulled, decaying, FUNCTIONS[2]])
def test_they_stand_in_the_place_of_their_calls(function: Any) -> None:
    decorated: Any = nprewrite.jit(Solver.solve)
    for _ in range(6):
        np.testing.assert_array_equal(decorated(Solver(function), N), Solver.solve(Solver(function), N))
    report = str(decorated.report())
    assert "NPR410 rewritten" in report
    assert "x compiled" in report


def test_objects_of_one_class_hold_several() -> None:
    decorated: Any = nprewrite.jit(Solver.solve)
    for _ in range(6):
        decorated(Solver(pulled), N)
    for function in (*FUNCTIONS, *FUNCTIONS):
        np.testing.assert_array_equal(decorated(Solver(function), 50), Solver.solve(Solver(function), 50))


def test_an_object_gets_another_one_between_calls() -> None:
    decorated: Any = nprewrite.jit(Solver.solve)
    one, other = Solver(pulled), Solver(pulled)
    for k in range(12):
        one.f = other.f = FUNCTIONS[k % 3] if k > 5 else pulled
        np.testing.assert_array_equal(decorated(one, N), Solver.solve(other, N))


def test_one_that_is_exchanged_while_the_loop_runs() -> None:
    decorated: Any = nprewrite.jit(Changing.solve_changing)
    for _ in range(6):
        found, wanted = (each(Changing(pulled), N) for each in (decorated, Changing.solve_changing))
        np.testing.assert_array_equal(found, wanted)


def test_one_that_hides_a_method() -> None:
    decorated: Any = nprewrite.jit(Solver.solve_by_the_class)
    for hidden in (False, False, True, True, False, True):
        found, wanted = Solver(pulled), Solver(pulled)
        if hidden:
            found.f_of_the_class = wanted.f_of_the_class = decaying  # type: ignore[method-assign]
        np.testing.assert_array_equal(decorated(found, N), Solver.solve_by_the_class(wanted, N))


def test_one_whose_name_stands_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    decorated: Any = nprewrite.jit(Solver.solve)
    solvers = Solver(pulled), Solver(pulled)
    for k in range(8):
        if k == 5:
            monkeypatch.setitem(globals(), "pulled", decaying)
        np.testing.assert_array_equal(decorated(solvers[0], N), Solver.solve(solvers[1], N))


class Controller:
    """What is called itself, and remembers."""

    gain = 2.0

    def __init__(self) -> None:
        self.total, self.last = 0.0, None

    def __call__(self, error: Any) -> Any:
        slope = 0.0 if self.last is None else error - self.last
        self.total += 0.01 * error
        self.last = error
        return self.gain * error + self.total + 0.1 * slope


class Careful(Controller):
    def __call__(self, error: Any) -> Any:
        self.total += 0.005 * error
        return 0.5 * self.gain * error + self.total


class Hiding(Controller):
    """Its own attribute is not what a call calls."""

    def __init__(self) -> None:
        super().__init__()
        vars(self)["__call__"] = abs


class Plant:
    def __init__(self, controller: Any) -> None:
        self.controller, self.x = controller, 0.0

    def run(self, n: int) -> Any:
        for _ in range(n):
            self.x += 0.01 * self.controller(1.0 - self.x)
        return self.x, self.controller.total


def driven(controller: Any, n: int) -> Any:
    x = 0.0
    for _ in range(n):
        x += 0.01 * controller(1.0 - x)
    return x, controller.total


@pytest.mark.parametrize("kind", [Controller, Careful])
def test_objects_that_are_called(kind: Callable[[], Any]) -> None:
    decorated: Any = nprewrite.jit(driven)
    for _ in range(8):
        assert decorated(kind(), 30 * N) == driven(kind(), 30 * N)
    report = str(decorated.report())
    assert "NPR407 rewritten" in report
    assert "x compiled" in report


def test_objects_of_other_classes_that_are_called() -> None:
    decorated: Any = nprewrite.jit(driven)
    method: Any = nprewrite.jit(Plant.run)
    for _ in range(6):
        decorated(Controller(), 30 * N)
        method(Plant(Controller()), 30 * N)
    for kind in (Controller, Careful, Hiding, Careful, Hiding, Controller):
        assert decorated(kind(), N) == driven(kind(), N)
        assert method(Plant(kind()), N) == Plant.run(Plant(kind()), N)
