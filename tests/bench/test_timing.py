"""Turns, batches and warming up, with a clock that tells what a test wants."""

from __future__ import annotations

import time
from collections import Counter
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest

from nprewrite.benching.alternation import alternate
from nprewrite.benching.player import MOST_CALLS, Player, batch, until_steady
from nprewrite.benching.spread import Spread
from nprewrite.verification.problems import CannotVerify


def player(function: Any, *args: Any, enter: Any = lambda: None) -> Player:
    """A side of one function."""
    return Player("f as written", enter, function, args, {})


def test_each_side_follows_each_other_equally_often() -> None:
    order: list[str] = []
    told: list[tuple[int, int]] = []

    def timed(side: str) -> float:
        order.append(side)
        return float(len(order))

    times = alternate({each: each for each in "abcd"}, 4, lambda *each: told.append(each), timed)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert {side: len(values) for side, values in times.items()} == dict.fromkeys("abcd", 4)
    rounds = [order[place : place + 4] for place in range(0, 16, 4)]
    follows = Counter(pair for each in rounds for pair in pairwise(each))
    assert len(follows) == 12
    assert set(follows.values()) == {1}


def test_the_spread() -> None:
    assert Spread.of([4.0, 1.0, 2.0, 3.0, 5.0]) == Spread(3.0, 2.0, 4.0, 5)


def test_calls_get_fresh_arguments_and_the_state_of_their_side() -> None:
    seen: list[float] = []
    entered: list[int] = []

    def change(x: Any) -> None:
        seen.append(float(x[0]))
        x += 1

    array = np.zeros(3)
    player(change, array, enter=lambda: entered.append(len(seen))).seconds(3)
    assert seen == [0.0, 0.0, 0.0]
    assert entered == [0], "once, before the clock starts"
    assert array[0] == 0


def test_copies_and_entering_are_outside_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    class Slow:
        def __deepcopy__(self, memo: object) -> Slow:
            now[0] += 100
            return Slow()

    def enter() -> None:
        now[0] += 1000

    def call(value: Slow) -> None:
        now[0] += 2

    assert player(call, Slow(), enter=enter).seconds(5) == 2.0


def test_a_function_that_raises_is_told() -> None:
    def fail() -> None:
        raise ArithmeticError("on purpose")

    with pytest.raises(CannotVerify, match="f as written raises ArithmeticError: on purpose"):
        player(fail).seconds()
    with pytest.raises(CannotVerify, match="f as written raises SystemExit: 3"):
        player(lambda: (_ for _ in ()).throw(SystemExit(3))).seconds()
    with pytest.raises(CannotVerify, match="the arguments cannot be copied: TypeError"):
        player(lambda each: each, (each for each in ())).seconds()


def test_warming_up_ends_when_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    calls: list[int] = []
    side = player(lambda: calls.append(0))
    assert until_steady(side, lambda: len(calls) >= 5) == [1.0] * 5
    assert len(until_steady(side, lambda: True)) == 3
    assert len(until_steady(side, lambda: False)) == MOST_CALLS
    slow = iter([0.0, 50.0, 50.0, 80.0, 80.0, 81.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(slow))
    assert until_steady(side, lambda: False, least=2) == [50.0, 30.0]


@pytest.mark.parametrize(("seconds", "calls"), [(1e-6, 200), (1e-5, 20), (1e-4, 2), (1.0, 1), (0.0, 200)])
def test_short_calls_are_timed_together(seconds: float, calls: int) -> None:
    assert batch(seconds) == calls
