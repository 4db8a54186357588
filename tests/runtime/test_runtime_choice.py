"""Which of two ways is kept: by the times of the user's own calls, without those that tell nothing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite import forks
from nprewrite.errors import NprewriteWarning
from nprewrite.runtime import budget, choice
from nprewrite.runtime.choice import Choice, Side, Within


class Clock:
    """A clock that stands still but for what is told to take time."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def takes(self, seconds: float) -> Callable[[], None]:
        def call() -> None:
            self.seconds += seconds

        return call


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 0.5, 0.5))
    monkeypatch.setattr(choice, "now", made)
    return made


def taken(turns: Choice, clock: Clock, original: list[float], rewritten: list[float]) -> str:
    """The sides in turn, by their first letters, until one is kept; the last times are repeated."""
    sides = ""
    times: dict[Side, list[float]] = {"original": list(original), "rewritten": list(rewritten)}
    while turns.kept is None:
        side = turns.next()
        sides += side[0]
        left = times[side]
        turns.measured(side, clock.takes(left.pop(0) if len(left) > 1 else left[0]))
    return sides


@pytest.mark.parametrize(
    ("original", "rewritten", "sides", "kept"),
    [
        # Short calls: the first of each side tells nothing, then three rounds where the rewritten side is
        # clearly faster, and seven before NumPy is kept.
        ([1e-3], [5e-4], "roororor", "rewritten"),
        ([1e-3], [1e-6], "roororor", "rewritten"),
        ([5e-4], [1e-3], "ro" + "or" * 7, "original"),
        ([0.1], [0.2], "roororor", "original"),
        # A stall makes one short call look long.
        ([0.25, 0.25, 0.025], [0.013], "roororor", "rewritten"),
        ([0.025], [0.013, 0.07, 0.06, 0.044, 0.044, 0.013], "roororororor", "rewritten"),
        # Other programs take the machine for a while: the best time of each side counts.
        ([1e-3], [5e-4, 9e-3, 8e-3, 5e-4], "roororor", "rewritten"),
        # Long calls: one round where it is clear, two where it is nearly so.
        ([1.0], [60.0, 0.2], "ror", "rewritten"),
        ([0.2], [60.0, 1.0], "roor", "original"),
        ([1.0], [60.0, 0.6], "roror", "rewritten"),
        ([1.0], [60.0, 0.8], "rororor", "rewritten"),
        # As good as equal: NumPy takes one core.
        ([1.0], [0.97], "rororor", "original"),
    ],
)
def test_rounds(clock: Clock, original: list[float], rewritten: list[float], sides: str, kept: str) -> None:
    turns = Choice("name")
    assert taken(turns, clock, original, rewritten) == sides
    assert turns.kept == kept


@pytest.mark.parametrize(("rewritten", "remembered"), [(0.9, False), (1.1, False), (0.5, True), (2.0, True)])
def test_only_clear_choices_are_remembered(
    clock: Clock, tmp_path: Path, rewritten: float, remembered: bool
) -> None:
    turns = Choice.of("a step", "a class of calls")
    taken(turns, clock, [1.0], [rewritten])
    again = Choice.of("a step", "a class of calls")
    assert again.kept == (turns.kept if remembered else None)
    assert Choice.of("another step", "a class of calls").kept is None
    path = tmp_path / "cache" / choice.FILE
    assert (json.loads(path.read_text()) if path.exists() else {}) == (
        {turns.name: turns.kept} if remembered else {}
    )


@pytest.mark.parametrize(("rewritten", "remembered"), [(0.5, "rewritten"), (2.0, None)])
def test_a_machine_that_others_use_says_nothing_against_more_threads(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, rewritten: float, remembered: Side | None
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: ((os.cpu_count() or 1) + 1.0, 0.5, 0.5))
    taken(Choice.of("a step", "calls"), clock, [1.0], [rewritten])
    assert Choice.of("a step", "calls").kept == remembered


def test_a_call_that_waits_for_a_compiler_is_not_counted(clock: Clock) -> None:
    turns = Choice(None)

    def compiling() -> None:
        with budget.current().spending("compiling"):
            time.sleep(2 * choice._NOTHING_S)
        clock.seconds += 5.0

    for _ in range(3):
        turns.measured("rewritten", compiling)
    assert turns.seconds["rewritten"] == []
    assert turns.next() == "original"


def test_a_call_within_which_turns_are_taken_is_not_counted(clock: Clock) -> None:
    inner, other, outer = Choice(None), Choice(None), Choice(None)
    other.next()
    within = Within(lambda: (inner, other))
    outer.measured("rewritten", inner.next, within)
    assert not within.decided()
    inner.keep_original("in a test")
    assert within.decided()
    assert not within.decided_before()
    within = Within(lambda: (inner, other))
    outer.measured("rewritten", inner.next, within)
    assert within.decided_before()
    assert outer.next() == "original"


def test_a_call_that_raises_is_not_counted(clock: Clock) -> None:
    turns = Choice(None)
    with pytest.raises(ZeroDivisionError):
        turns.measured("original", lambda: 1 / 0)
    assert turns.seconds["original"] == []


def halved(a: Array) -> tuple[Array, ...]:
    return (a * 0.5 + 0.25,)


def stepped(**declared: Any) -> npr.Step:
    made = npr.step(**({"state": {"a": "float64"}, "compile": True} | declared))(halved)
    made.takes_turns = True
    return made


def test_loops_of_a_step_take_turns(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """The body as written is timed where it stands, and does what the step does."""
    step, a, bodies = stepped(), np.linspace(0, 1, 50), 0
    wanted = a.copy()
    for _ in range(9):
        for _ in range(3):
            wanted = wanted * 0.5 + 0.25
        for _ in step.over(range(3), a=a):
            a[...] = a * 0.5 + 0.25
            clock.seconds += 1.0
            bodies += 1
        np.testing.assert_allclose(a, wanted, rtol=1e-14)
    (turns,) = step.choices.values()
    assert turns.kept == "rewritten"
    assert bodies == 3
    assert step.runs == {"compiled": 8, "as written: taking turns": 1}


def test_a_loop_that_numpy_does_faster_runs_as_written(clock: Clock) -> None:
    step = stepped()
    (turns,) = [step.choice(range(3), {"a": np.ones(50)})]
    assert turns is not None
    turns.kept = "original"
    assert list(step.over(range(3), a=np.ones(50))) == [0, 1, 2]
    assert step.runs == {"as written: NumPy is faster": 1}


def test_statements_that_return_are_timed(clock: Clock) -> None:
    step = stepped(state=None, inputs={"a": "float64"}, out={"b": "float64"}, once=True)

    def function(a: Array) -> Any:
        for _ in (region := step.over(range(1), a=a)):
            clock.seconds += 2.0
            return a * 0.5 + 0.25
        return region.results[0]

    a = np.ones(50)
    for _ in range(4):
        assert function(a).tolist() == [0.75] * 50
    (turns,) = step.choices.values()
    assert turns.seconds["original"] == [2.0]
    assert turns.kept == "rewritten"


def test_sizes_and_trips_have_turns_of_their_own() -> None:
    step = stepped()
    a, b = np.ones(50), np.ones(500)
    found = [
        step.choice(range(3), {"a": a}),
        step.choice(range(300), {"a": a}),
        step.choice(range(3), {"a": b}),
        step.choice(range(2), {"a": a * 2}),
    ]
    assert found[0] is found[3]
    assert len({id(each) for each in found}) == 3


def test_a_step_that_cannot_run_compiled_keeps_to_numpy() -> None:
    step, a = stepped(), np.ones(50, np.float32)
    with pytest.warns(NprewriteWarning, match="has dtype float32"):
        assert list(step.over(range(3), a=a)) == [0, 1, 2]
    (turns,) = step.choices.values()
    assert (turns.kept, turns.why) == ("original", "nothing of it ran compiled")


def test_no_turns_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    assert stepped().choice(range(3), {"a": np.ones(50)}) is None


def test_the_time_until_a_guard_refuses_counts_for_nothing(clock: Clock) -> None:
    """It is short, and would say that compiled code is fast."""
    step, a = stepped(), np.ones(50)
    for _ in range(2):
        for _ in step.over(range(1), a=a):
            clock.seconds += 5.0
    (turns,) = step.choices.values()
    assert turns.seconds == {"original": [5.0], "rewritten": []}
    with np.errstate(all="raise"), pytest.warns(NprewriteWarning, match="errstate"):
        assert list(step.over(range(1), a=a)) == [0]
    assert turns.seconds["rewritten"] == []
    assert (turns.kept, turns.why) == ("original", "nothing of it ran compiled")


def test_no_turns_in_a_fork_that_lacks_threads(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(forks, "lacks_threads", lambda: True)
    step, a = stepped(), np.ones(50)
    assert list(step.over(range(3), a=a)) == [0, 1, 2]
    assert step.choices == {}
    assert step.runs == {"as written: a fork of a process that has torch": 1}
