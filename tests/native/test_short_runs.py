"""Loops that are called often, for a few trips each time, run in the way that is faster."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

from nprewrite.runtime import Native
from nprewrite.runtime.numba.short_runs import ROUNDS, SHORT_S, ShortRuns


class Clock:
    """Seconds that pass when something runs."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def passing(self, seconds: float) -> Callable[[], None]:
        def run() -> None:
            self.seconds += seconds

        return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.short_runs"), "now", made.now)
    return made


def run(runs: ShortRuns, clock: Clock, compiled: float, written: float, count: int) -> int:
    """Make some runs; how many of them were as written."""
    found = 0
    for _ in range(count):
        if runs.is_written_turn():
            found += 1
            runs.run_as_written(clock.passing(written), ())
        else:
            runs.compiled_run(compiled)
    return found


def test_long_runs_are_compiled(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 2 * SHORT_S, 1e-9, 10 * ROUNDS) == 0


def test_short_runs_take_turns(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 1e-5, 1e-6, 3 * ROUNDS) == ROUNDS
    assert runs.written
    assert run(runs, clock, 1e-5, 1e-6, 100) == 100


def test_compiled_where_that_is_faster(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 1e-5, 2e-5, 18 * ROUNDS) == ROUNDS
    assert not runs.written


def test_a_long_run_ends_it(clock: Clock) -> None:
    runs = ShortRuns()
    run(runs, clock, 1e-5, 1e-6, 3 * ROUNDS)
    assert run(runs, clock, 1e-5, 1.0, ROUNDS) == 1
    assert not runs.written


def test_same_results(make: Callable[[str], Native]) -> None:
    """A loop that is through in some trips gives the same in either way, and compiled where it is long."""
    compiled = make("def f(x, i):\n    while x[i] != i:\n        i = x[i]\n    return i\n")
    x = np.array([1, 2, 3, 3])
    for _ in range(4 * ROUNDS):
        result = compiled(x, 0)
        assert result == 3
        assert type(result) is np.int64
    assert compiled.runs["compiled"] >= 2 * ROUNDS - 1
