"""Loops that are called often, for a few trips each time, run in the way that is faster."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from nprewrite.runtime import Native
from nprewrite.runtime.api.refusal import Compilation, Compiling
from nprewrite.runtime.numba import build, gathered
from nprewrite.runtime.numba.short_runs import FEW_ROUNDS, ROUNDS, SHORT_S, ShortRuns


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


def test_runs_that_take_longer_than_what_they_do_explains_take_turns(clock: Clock) -> None:
    """A copy of a large array is kept for each run of a few trips, say."""
    runs = ShortRuns()
    for _ in range(10 * ROUNDS):
        if runs.is_written_turn():
            runs.run_as_written(clock.passing(4e-5), ())
        else:
            runs.compiled_run(2e-3, 4e-5)
    assert runs.written


def test_what_copies_long_lists_soon_takes_turns(clock: Clock) -> None:
    """Each run of a few trips copied a list of tens of thousands of items: a second became four minutes."""
    runs = ShortRuns()
    compiled = 0
    for _ in range(ROUNDS):
        if runs.is_written_turn():
            runs.run_as_written(clock.passing(4e-5), ())
        else:
            compiled += 1
            runs.compiled_run(25e-3, 5e-4, 24e-3)
    assert runs.written
    assert compiled < 10


def test_one_run_is_enough_where_python_takes_longer_than_was_thought(clock: Clock) -> None:
    runs = ShortRuns()
    written = 0
    for _ in range(10 * ROUNDS):
        if runs.is_written_turn():
            written += 1
            runs.run_as_written(clock.passing(0.1), ())
        else:
            runs.compiled_run(2e-3, 4e-5)
    assert written == 1
    assert not runs.written


def test_short_runs_take_turns(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 1e-5, 1e-6, 3 * ROUNDS) == ROUNDS
    assert runs.written
    assert run(runs, clock, 1e-5, 1e-6, 100) == 100


def test_compiled_where_that_is_faster(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 1e-5, 2e-5, 18 * ROUNDS) == ROUNDS
    assert not runs.written


def test_runs_that_lend_a_generator_take_turns_too(clock: Clock) -> None:
    """Its state has to be read and set: a while-loop that draws anew in rare cases is through before that."""
    runs = ShortRuns()
    run(runs, clock, 7e-5, 1e-6, 3 * ROUNDS)
    assert runs.written


def test_few_runs_are_enough_where_python_is_clearly_slower(clock: Clock) -> None:
    runs = ShortRuns()
    assert run(runs, clock, 1e-4, 1e-3, 16 * ROUNDS) == FEW_ROUNDS
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


FOLLOWED = "def f(x, i):\n    while x[i] != i:\n        i = x[i]\n    return i\n"


def test_what_another_process_compiles_is_looked_for_now_and_then(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look takes some 60 microseconds, and a loop inside one that is not compiled a fraction of one."""
    looks = []

    def compiling(*_: object, **__: object) -> None:
        looks.append(1)
        raise Compiling(Compilation())

    monkeypatch.setattr(build.Loop, "run_for", compiling)
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.decorator"), "LOOK_S", 1000.0)
    followed = make(FOLLOWED)
    assert [followed(np.array([1, 1]), 0) for _ in range(50)] == [1] * 50
    assert len(looks) == 1
    assert followed.runs == {"as written: compiling": 50}


def test_few_of_the_runs_that_python_is_through_with_are_measured(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = make(FOLLOWED)
    followed.short_runs.written, followed.short_runs._limit = True, 1000.0
    measured = []
    monkeypatch.setattr(followed.short_runs, "run_as_written", lambda *_: measured.append(1))
    for _ in range(80):
        followed(np.array([1, 1]), 0)
    assert len(measured) == 10


def test_not_every_call_counts_the_work_to_come(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A loop that an earlier process has compiled does not wait.
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(gathered, "MINIMUM_WORK", 1 << 18)
    # On a busy machine the calls would take so long that few are needed.
    monkeypatch.setattr(gathered, "MINIMUM_S", 1000.0)
    followed, looks = make("def f(x):\n    for i in range(len(x)):\n        x[i] += 1\n"), []
    look = followed._check_usable
    monkeypatch.setattr(followed, "_check_usable", lambda: (looks.append(1), look())[1])
    x = np.zeros(2)
    calls = 0
    while not followed.runs["compiled"]:
        followed(x)
        calls += 1
    assert (x == calls).all()
    assert len(looks) < calls / 20
