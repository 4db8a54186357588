"""Attributes that are tuples of numbers: places on a grid, sizes, the best that was seen."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

N = 60_000
Place = namedtuple("Place", "row column")


class World:
    def __init__(self) -> None:
        self.shape = (5, 7)
        self.start = (4, 0)
        self.goal = (0, 6)
        self.place: Any = self.start
        self.steps = 0

    def reset(self) -> Any:
        self.place = self.start
        return self.place

    def step(self, action: int) -> Any:
        i, j = self.place
        if action == 0:
            i = max(i - 1, 0)
        elif action == 1:
            i = min(i + 1, self.shape[0] - 1)
        elif action == 2:
            j = max(j - 1, 0)
        else:
            j = min(j + 1, self.shape[1] - 1)
        self.place = (i, j)
        self.steps += 1
        return self.place, self.place == self.goal


class Agent:
    def __init__(self) -> None:
        self.world, self.other = World(), World()
        self.values = np.zeros((5, 7))
        self.rng = np.random.default_rng(2)
        self.best: Any = None
        self.range: Any = (0.0, 1)
        self.named = Place(1, 2)
        self.mixed: Any = (1, "a")
        self.bad = N

    def walks(self, n: int) -> Any:
        total = 0
        for _ in range(n // 16):
            place = self.world.reset()
            for _ in range(16):
                place, done = self.world.step(int(self.rng.integers(4)))
                self.values[place] += 0.5
                if done:
                    total += 1
                    break
        return total, place

    def by_a_local_name(self, n: int) -> Any:
        w = self.world
        for k in range(n):
            i, j = w.place
            w.place = ((i + k) % 5, (j + 3) % 7)
            self.values[w.place] += k
        return w.place, w.place[0]

    def none_at_first(self, n: int) -> Any:
        for k in range(n):
            x = np.sin(0.25 * k) * k
            if self.best is None or x > self.best[0]:
                self.best = (x, k)
        return self.best

    def of_several_types(self, n: int) -> Any:
        for k in range(n):
            low, high = self.range
            if k % 7 == 3:
                self.range = (low - 0.5, max(high, k))
            if k > 5:
                self.range = (self.range[1], self.range[0])
        return self.range

    def sizes(self, n: int) -> Any:
        rows, columns = self.world.shape
        x = np.zeros(self.world.shape)
        for k in range(30 * n):
            x[k % rows, k % columns] += k
        return x

    def raises(self, n: int) -> Any:
        for k in range(n):
            i, j = self.world.place
            self.world.place = (i + 1, j)
            self.values[i % 5, j] += 1 // (self.bad - k)
        return self.world.place

    def of_another_length(self, n: int) -> Any:
        for k in range(n):
            self.world.place = (k, k, k) if k == n - 1 else (k, k)
        return self.world.place

    def of_two_worlds(self, n: int) -> Any:
        for k in range(n):
            i, j = self.world.place
            self.other.place = (j + k, i)
            self.world.place = (i + 1, self.other.place[0])
        return self.world.place, self.other.place

    def with_fields(self, n: int) -> Any:
        for k in range(n):
            i, j = self.named
            self.named = Place(i + k, j)
        return self.named

    def with_a_string(self, n: int) -> Any:
        for k in range(n):
            number, text = self.mixed
            self.mixed = (number + k, text)
        return self.mixed


COMPILED = (
    *(Agent.walks, Agent.by_a_local_name, Agent.none_at_first, Agent.sizes, Agent.raises),
    *(Agent.of_several_types,),
)
AS_WRITTEN = (Agent.of_another_length, Agent.of_two_worlds, Agent.with_fields, Agent.with_a_string)


@pytest.mark.parametrize("function", COMPILED)
def test_loops_that_read_and_set_them_run_compiled(function: Callable[..., Any]) -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(function)
    for _ in range(6):
        assert _outcome(decorated) == _outcome(function)
    assert "x compiled" in str(decorated.report())


@pytest.mark.parametrize("function", AS_WRITTEN)
def test_what_is_no_such_tuple_stays_what_it_is(function: Callable[..., Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for _ in range(6):
        assert _outcome(decorated) == _outcome(function)


@pytest.mark.filterwarnings("ignore")
def test_the_object_may_hold_something_else_at_a_later_call() -> None:
    decorated: Any = nprewrite.jit(Agent.by_a_local_name)
    for place in [(1, 2)] * 5 + [(1.0, 2.0), [1, 2], Place(1, 2), np.array([1, 2]), (1, 2, 3), (1,), 5]:
        assert _outcome(decorated, place) == _outcome(Agent.by_a_local_name, place)


def _outcome(function: Callable[..., Any], place: Any = None, bad: int = N) -> str:
    """What a call gives or raises, and what the objects hold then."""
    agent = Agent()
    agent.bad = bad
    agent.world.place = place if place is not None else agent.world.place
    result: Any = None
    try:
        result = function(agent, N)
    except (ArithmeticError, IndexError, TypeError, ValueError) as error:
        result = type(error), str(error)
    held = {**vars(agent), "world": vars(agent.world), "other": vars(agent.other)}
    held["rng"] = agent.rng.bit_generator.state
    types = [type(each) for each in agent.world.place] if isinstance(agent.world.place, tuple) else ()
    return repr((result, held, types))


def test_a_loop_that_raises_leaves_the_last_tuple() -> None:
    decorated: Any = nprewrite.jit(Agent.raises)
    for bad in (N, N, N, N, N - 5, 7):
        assert _outcome(decorated, bad=bad) == _outcome(Agent.raises, bad=bad)
    assert "x compiled" in str(decorated.report())
