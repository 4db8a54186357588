"""Calls in tests stand by themselves only where they are made in each case, and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy")


def near(x: Any, i: int) -> Any:
    total = 0.0
    for k in range(3):
        total += x[i + k]
    return total


def lowered(x: Any, i: int) -> Any:
    x[i + 1] -= 0.25
    return x[i] - x[i + 1]


def guarded(x: Any) -> int:
    n = 0
    for i in range(len(x)):
        if i < len(x) - 2 and near(x, i) < 1.5:
            n += 1
        if i >= len(x) - 2 or near(x, i) < 1.0:
            n += 2
        else:
            n += 4
    return n


def after_another(x: Any) -> int:
    n = 0
    for i in range(len(x) - 3):
        if x[i] > 0.5:
            n += 1
        elif x[i] > 0.25:
            n += 2
        # Neither.
        elif near(x, i) < 1.0:
            n += 4
        else:
            n += 8
    return n


def changing(x: Any) -> int:
    n = 0
    for i in range(len(x) - 3):
        if x[i + 1] > 0.25 and lowered(x, i) > 0:
            n += 1
    return n


def chained(x: Any) -> int:
    n = 0
    for i in range(len(x)):
        if 2 < i < near(x, i - 3) < 7:
            n += 1
    return n


def binding(x: Any) -> int:
    n = k = 0
    for i in range(len(x) - 3):
        if (k := i // 2) < near(x, k):
            n += 1
    return n + k


def peak(x: Any, i: int) -> Any:
    found, most = None, float("-inf")
    for k, (u, v) in enumerate(zip(x[i:], x, strict=False)):
        if u - v > most:
            found, most = k, u - v
    return found


def counting(x: Any) -> Any:
    counts = np.zeros(40)
    for i in range(len(x)):
        counts[peak(x, i)] += near(x, i) if i < 20 else 0.5
        counts[peak(x, i) // 2] = i
        counts[peak(x, i)] -= x[i]
    return counts.sum() + counts[3]


def counting_what_changes(x: Any) -> Any:
    counts = np.zeros(40)
    for i in range(len(x) - 3):
        counts[int(lowered(x, i) > 0)] += x[i]
    return counts[0] + 3 * counts[1]


def around(x: Any, i: int) -> Any:
    found = [i]
    if i > 0:
        found.append(i - 1)
    x[i] += 0.5
    return found


def counted_down(x: Any, i: int) -> Any:
    while i > 0:
        i -= 1
        x[i] *= 0.75
        yield i


def running(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        for k in around(x, i):
            total += x[k] * (k + 1)
        else:
            total -= 1
        for m, k in enumerate(around(x, len(x) - i - 1)):
            total += m * x[k]
    return total


def running_over_what_changes(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        for k in counted_down(x, i):
            total += x[k]
            if total > 9:
                break
    return total


def raising(x: Any) -> int:
    n = 0
    for i in range(len(x)):
        if near(x, i) < 1.5 and i > 3:
            n += 1
    return n


FUNCTIONS = [
    guarded,
    after_another,
    changing,
    chained,
    binding,
    counting,
    counting_what_changes,
    running,
    running_over_what_changes,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_answers_and_changes_are_the_same(function: Callable[[Any], int]) -> None:
    given = 3 * np.sin(np.arange(30.0)) ** 2
    wanted, decorated = given.copy(), nprewrite.jit(function)
    expected = function(wanted)
    for _ in range(2):
        found = given.copy()
        assert decorated(found) == expected
        np.testing.assert_array_equal(found, wanted)


def test_only_what_is_made_in_each_case_stands_by_itself() -> None:
    for function, moves in (
        (guarded, True),
        (after_another, True),
        (changing, False),
        (chained, False),
        (binding, False),
        (counting, False),
        (counting_what_changes, False),
        (running, True),
        (running_over_what_changes, False),
    ):
        decorated: Any = nprewrite.jit(function)
        for _ in range(2):
            decorated(np.ones(30))
        assert ("stands by itself" in str(decorated.report())) == moves


def test_what_the_call_raises_is_raised() -> None:
    decorated = nprewrite.jit(raising)
    for _ in range(2):
        with pytest.raises(IndexError, match="index 30 is out of bounds"):
            decorated(np.ones(30))
