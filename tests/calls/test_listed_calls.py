"""Comprehensions of calls become loops where nobody can tell that the list grows while items are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy")


def distance(x: Any, c: Any) -> Any:
    return np.sqrt(np.sum((x - c) ** 2))


def inverse(x: Any, i: int) -> Any:
    return 1.0 / x[i]


def over_rows(x: Any) -> Any:
    found = [distance(x[0], row) for row in x]
    return found, np.argmin(found[1:])


def over_pairs(x: Any) -> Any:
    k = 2
    found = [distance(a, b) * k for k, (a, b) in enumerate(zip(x, x[::-1], strict=True)) if k % 2]
    return found, k


def over_itself(x: Any) -> Any:
    found = [1.0, 2.0]
    found = [distance(x[0], each) for each in found]
    return found, len(found)


def in_a_loop(x: Any) -> Any:
    nearest = np.zeros(len(x))
    for i in range(len(x)):
        apart = [distance(x[i], x[j]) for j in range(len(x)) if j != i]
        nearest[i] = np.min(apart)
    return nearest


def caught(x: Any) -> Any:
    found = None
    try:
        found = [inverse(x[0], i) for i in range(9)]
    except IndexError:
        return found
    return len(found)


def raising(x: Any) -> Any:
    found = [inverse(x[0], i) for i in range(9)]
    return len(found)


def seen_by_another(x: Any) -> Any:
    found = [0.0]

    def length() -> int:
        return len(found)

    found = [distance(row, length()) for row in x]
    return found


def both(x: Any) -> Any:
    found = [distance(row, x[1]) for row in x[: int(distance(x[0], x[1])) + 2]]
    return found, len(found)


MOVED = {over_rows: True, over_pairs: True, in_a_loop: True, raising: True}


@pytest.mark.parametrize(
    "function", [over_rows, over_pairs, over_itself, in_a_loop, caught, raising, seen_by_another, both]
)
def test_the_answers_are_the_same(function: Callable[[Any], Any]) -> None:
    x = np.sin(np.arange(24.0)).reshape(8, 3) + 2

    def outcome(called: Callable[[Any], Any]) -> Any:
        try:
            return called(x)
        except (ValueError, IndexError) as error:
            return type(error), str(error)

    decorated: Any = nprewrite.jit(function)
    for _ in range(2):
        np.testing.assert_equal(outcome(decorated), outcome(function))
    assert ("is appended to in a loop" in str(decorated.report())) == MOVED.get(function, False)


def scaled(v: Any, rows: Any) -> Any:
    parts = [v * row for row in rows if v != 0]
    v = len([v for v in rows if v[0] > 0])
    return sum(part[0] for part in parts) * v + max(row[1] for row in rows)


def of_one_name(rows: Any) -> Any:
    total, row = 0.0, 3.0
    for part in range(3):
        total += scaled(row, rows) + part
        row = row - 1
    return total, row


def later(rows: Any) -> Any:
    return (row[0] for row in rows)


def of_a_generator(rows: Any) -> Any:
    total = 0.0
    for k in range(3):
        found = later(rows)
        rows = rows + k
        total += sum(found)
    return total


def all(values: Any) -> Any:
    return values


def kept(k: Any, rows: Any) -> Any:
    return all(k + row[0] for row in rows)


def of_another_all(rows: Any) -> Any:
    found = []
    for k in range(3):
        found.append(kept(k, rows))
        rows = rows * 2.0
    return [sum(each) for each in found]


def of_a_lambda(rows: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += made(k, rows)
    return total


def made(k: Any, rows: Any) -> Any:
    calls = [lambda k=k, row=row: k + row[0] for row in rows]
    return sum(each() for each in calls)


@pytest.mark.parametrize(
    ("function", "inlined"),
    [(of_one_name, True), (of_a_generator, False), (of_another_all, False), (of_a_lambda, False)],
)
def test_functions_with_comprehensions(function: Callable[[Any], Any], inlined: bool) -> None:
    """Names in them are those of the function; what is evaluated later stays in it."""
    x = np.sin(np.arange(24.0)).reshape(8, 3) + 2
    decorated: Any = nprewrite.jit(function)
    for _ in range(2):
        np.testing.assert_allclose(decorated(x), function(x), rtol=1e-13)
    assert ("stand in the place of its call" in str(decorated.report())) == inlined
