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
from nprewrite.base import forks
from nprewrite.base.errors import NprewriteWarning
from nprewrite.runtime.choosing import budget, choice
from nprewrite.runtime.choosing.choice import Choice, Side, Within


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
        # One run of each side, where one takes half the time of the other; the rewritten side goes first, and
        # its first run tells nothing.
        ([0.43], [4.1, 0.05], "rro", "rewritten"),
        ([1.0], [60.0, 0.5], "rro", "rewritten"),
        ([0.2], [60.0, 1.0], "rro", "original"),
        # Doubtful, or as good as equal: NumPy takes one core.
        ([1.0], [60.0, 0.6], "rrororo", "rewritten"),
        ([1.0], [60.0, 0.97], "rrororo", "original"),
        # Short runs: the first of NumPy tells nothing either, and it is kept after seven rounds.
        ([1e-3], [4e-4], "rroo", "rewritten"),
        ([1e-3], [6e-4], "rroororo", "rewritten"),
        ([5e-4], [1e-3], "rroo" + "ro" * 6, "original"),
        ([0.02], [0.04], "rroororo", "original"),
        # Other programs take the machine for a while: the best time of each side counts.
        ([0.025, 0.025, 0.025], [0.013, 0.044, 0.06, 0.013], "rroororo", "rewritten"),
        ([1e-3], [5e-4, 9e-3, 8e-3, 3e-4], "rrooror", "rewritten"),
    ],
)
def test_rounds(clock: Clock, original: list[float], rewritten: list[float], sides: str, kept: str) -> None:
    turns = Choice("name")
    assert taken(turns, clock, original, rewritten) == sides
    assert turns.kept == kept


@pytest.mark.parametrize(
    ("original", "rewritten", "kept", "rounds"),
    [
        (0.43, 0.05, "rewritten", 1),
        (0.1, 0.5, "original", 1),
        (1.0, 0.6, "rewritten", 3),
        (1.0, 1.0, "original", 3),
    ],
)
def test_turns_are_taken_anew_at_less_than_a_hundredth_of_the_time(
    clock: Clock, original: float, rewritten: float, kept: Side, rounds: int
) -> None:
    times: dict[Side, float] = {"original": original, "rewritten": rewritten}
    turns = Choice(None)
    taken(turns, clock, [original], [rewritten])
    sides: list[Side] = []
    for _ in range(10_000):
        sides.append(turns.next())
        turns.measured(sides[-1], clock.takes(times[sides[-1]]))
    lost = [side for side in sides if side != kept]
    assert len(lost) >= 2 * rounds
    more = sum(times[side] - times[kept] for side in lost)
    assert more <= 0.01 * sum(times[side] for side in sides)


def test_what_has_become_faster_is_kept_from_then_on(clock: Clock) -> None:
    """The machine was busy, or the arrays were in other memory."""
    turns = Choice(None)
    taken(turns, clock, [0.1], [0.3])
    lasts = turns.lasts
    assert (turns.kept, lasts) == ("original", 201)
    sides = ""
    for _ in range(lasts + 5):
        side = turns.next()
        sides += side[0]
        turns.measured(side, clock.takes(0.1 if side == "original" else 0.05))
    assert sides == lasts * "o" + "ro" + 3 * "r"


def test_a_choice_without_times_is_final(clock: Clock) -> None:
    """What the other side takes is not known: it may have to be compiled, or take minutes in Python."""
    remembered, idle = Choice("a", "original", "as remembered"), Choice(None)
    idle.keep("original", "nothing of it ran compiled")
    assert {each.next() for _ in range(2000) for each in (remembered, idle)} == {"original"}


def test_a_remembered_gain_is_measured_again(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads had both cores to themselves then, and share them with other programs from now on."""
    taken(Choice.of("a step", "calls"), clock, [1.0], [0.6])
    monkeypatch.setattr(os, "getloadavg", lambda: ((os.cpu_count() or 1) + 1.0, 0.5, 0.5))
    turns = Choice.of("a step", "calls")
    lasts = turns.lasts
    assert (turns.kept, lasts) == ("rewritten", 300)
    for _ in range(lasts):
        turns.measured(turns.next(), clock.takes(4.0))
    side = turns.next()
    assert turns.kept is None
    turns.measured(side, clock.takes(4.0))
    taken(turns, clock, [1.0], [4.0])
    assert turns.kept == "original"
    assert Choice.of("a step", "calls").kept is None


@pytest.mark.parametrize(("rewritten", "lasting"), [(0.9, False), (1.1, False), (0.5, True), (2.0, True)])
def test_choices_are_remembered_and_doubtful_ones_for_an_hour(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rewritten: float, lasting: bool
) -> None:
    monkeypatch.setattr(choice, "_named", set())
    turns = Choice.of("a step", "a class of calls")
    taken(turns, clock, [1.0], [rewritten])
    assert (tmp_path / "cache" / choice.FILE).exists() == lasting
    choice.keep_for_the_next()
    assert Choice.of("another step", "a class of calls").kept is None
    (found,) = json.loads((tmp_path / "cache" / choice.FILE).read_text()).values()
    assert found[:3] == [turns.kept, pytest.approx(1.0), pytest.approx(rewritten)]
    assert len(found) == (3 if lasting else 4)
    today = time.time()
    for later, known in ((10, True), (3700, lasting)):
        monkeypatch.setattr(time, "time", lambda later=later: today + later)
        assert Choice.of("a step", "a class of calls").kept == (turns.kept if known else None)


def test_a_later_process_goes_on_where_turns_were_not_decided(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(choice, "_named", set())
    for process in range(3):
        turns = Choice.of("a step", "a class of calls")
        assert [len(each) for each in turns.seconds.values()] == [process, process]
        for side in ("rewritten", "original", "rewritten"):
            assert turns.kept is None
            turns.measured(side, clock.takes(1.1 if side == "original" else 1.0))
        if turns.kept is None:
            choice.keep_for_the_next()
        choice._named.clear()
    assert turns.kept == "original"
    choice._named.add(turns)
    choice.keep_for_the_next()
    assert Choice.of("a step", "a class of calls").kept == "original"


def test_what_lasts_is_not_lost_where_a_process_ends_among_turns(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "_named", set())
    taken(Choice.of("a step", "calls"), clock, [1.0], [0.5])
    turns = Choice.of("a step", "calls")
    turns.begin_anew()
    for _ in range(2):
        turns.measured("rewritten", clock.takes(0.5))
    choice.keep_for_the_next()
    assert Choice.of("a step", "calls").kept == "rewritten"


def test_times_of_undecided_turns_are_forgotten_after_a_day(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(choice, "_named", set())
    one, other = Choice.of("a step", "one class"), Choice.of("a step", "another class")
    one.measured("original", clock.takes(1.0))
    # As earlier versions wrote what they took back.
    (tmp_path / "cache").mkdir(exist_ok=True)
    (tmp_path / "cache" / choice.FILE).write_text('{"taken back": null}')
    choice.keep_for_the_next()
    today = time.time()
    monkeypatch.setattr(time, "time", lambda: today + 90_000)
    other.measured("original", clock.takes(1.0))
    choice._named.remove(one)
    choice.keep_for_the_next()
    assert [*json.loads((tmp_path / "cache" / choice.FILE).read_text())] == [other.name]


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
    assert turns.next() == "rewritten"


def test_a_call_within_which_turns_are_taken_is_not_counted(clock: Clock) -> None:
    """Those of a part, or of another decorated function that is called."""
    inner, other, outer = Choice(None), Choice(None), Choice(None)
    other.next()
    within = Within(lambda: (inner, other))
    for _ in range(2):
        assert outer.next() == "rewritten"
        outer.measured("rewritten", inner.next)
    assert within.reached() == [inner]
    assert not within.decided()
    inner.keep("original", "in a test")
    assert within.decided()
    assert outer.next() == "rewritten"
    outer.measured("rewritten", inner.next)
    assert outer.next() == "original"


@pytest.mark.parametrize(("least", "kept"), [(4e-3, "rewritten"), (16e-3, None)])
def test_what_gains_before_all_its_parts_are_compiled_is_kept(
    clock: Clock, least: float, kept: Side | None
) -> None:
    """A part that has too little to do to be compiled may have it for ever; it decides against nothing."""
    turns = Choice(None)
    for _ in range(choice.ROUNDS):
        assert turns.next() == "rewritten"
        turns.takes_at_most(least)
    assert turns.gains_in_part
    for _ in range(2):
        assert turns.next() == "original"
        turns.measured("original", clock.takes(0.02))
    assert turns.next() == "rewritten"
    turns.takes_at_most(least)
    assert turns.kept == kept


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


def test_looks_are_spared_where_one_loop_is_longer_and_another_has_more_elements(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    step, sizes = stepped(), [(9, 20), (2, 50)]
    for trips, elements in sizes:
        turns = step.choice(range(trips), {"a": np.ones(elements)})
        assert turns is not None
        turns.kept = "original"
        assert [*step.over(range(trips), a=np.ones(elements))] == [*range(trips)]
    monkeypatch.setattr(step, "choice", None)
    for trips, elements in sizes * 2:
        assert [*step.over(range(trips), a=np.ones(elements))] == [*range(trips)]


def test_what_is_no_larger_than_what_numpy_did_faster_needs_no_further_look(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    step = stepped()
    turns = step.choice(range(3), {"a": np.ones(50)})
    assert turns is not None
    turns.kept = "original"
    assert list(step.over(range(3), a=np.ones(50))) == [0, 1, 2]
    with monkeypatch.context() as patched:
        patched.setattr(step, "choice", None)
        loop = step.over(range(2), a=np.ones(20))
        assert list(loop) == [0, 1]
        assert not loop.finished
        for over, a in ((range(3), np.ones(51)), (range(4), np.ones(50))):
            with pytest.raises(TypeError, match="not callable"):
                iter(step.over(over, a=a))
        with pytest.raises(TypeError, match="other arguments"):
            step.over(range(3), b=np.ones(50))
    assert step.runs == {"as written: NumPy is faster": 2}
    assert turns.asked == 2
    turns.kept = None
    for _ in range(9):
        for _ in step.over(range(3), a=np.ones(50)):
            clock.seconds += 1.0
    assert turns.kept == "rewritten"


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
    assert list(step.over(range(1), a=a)) == []
    (turns,) = step.choices.values()
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
