"""How often compiled loops check for signals: soon enough for Ctrl-C, and not within short rows."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.lowering import interrupts
from nprewrite.lowering.arrays import ArrayArgument, NumberArgument
from nprewrite.lowering.lower import lower
from nprewrite.lowering.numbers import number_of, of_dtype

# Scaled down, so that Python runs in moments what compiled code would take seconds for.
WORK, UNCOUNTED, STRIP, SHORTEST = 2**10, 2**14, 2**7, 2**4
ROW = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            x[0] += 1
"""
ROWS_OF_ROWS = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            for k in range(m):
                x[0] += 1
"""
FOUR_DEEP = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            for k in range(j, m):
                for l in range(k, m):
                    x[0] += 1
"""
SEARCH = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            x[0] += 1
            if x[1] > 0:
                break
"""
IN_WHILE = """
def f(x, n, m):
    while n > 0:
        n -= 1
        for j in range(m):
            x[0] += 1
"""
WHILE_IN_ROWS = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            k = m
            while k > 0:
                k -= 1
                x[0] += 1
"""
STATED = """
def f(x, n, m):
    for i in range(n):
        for j in range(5):
            for k in range(m):
                for l in (1, 2):
                    x[0] += 1
"""
WINDOW = """
def f(x, n, m):
    for i in range(2, n - 2):
        for j in range(i - 2, i + 3):
            x[0] += 1
"""
ARRAYS = """
def f(x, n, m):
    for i in range(n):
        for j in range(m):
            y = np.sqrt(x)
            x[0] += y[1] + 1
"""
NESTS = [ROW, ROWS_OF_ROWS, FOUR_DEEP, SEARCH, IN_WHILE, WHILE_IN_ROWS, STATED, WINDOW, ARRAYS]


@pytest.fixture
def scaled_down(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("WORK", WORK),
        ("UNCOUNTED", UNCOUNTED),
        ("_STRIP", STRIP),
        ("_SHORTEST", SHORTEST),
        ("_ITERATIONS", 2**6),
        ("_ARRAY", 2**5),
    ):
        monkeypatch.setattr(interrupts, name, value)


def _lowered(text: str) -> str:
    function = ast.parse(textwrap.dedent(text)).body[0]
    assert isinstance(function, ast.FunctionDef)
    element = of_dtype(np.dtype(float))
    assert element is not None
    number = number_of(1)
    assert number is not None
    entry = {
        "x": ArrayArgument(element, 1, (8,)),
        "n": NumberArgument(number),
        "m": NumberArgument(number),
    }
    return lower(function, entry, _resolve, lambda _: True).text


def _resolve(node: ast.expr) -> str | None:
    text = ast.unparse(node)
    return {"range": "builtins.range", "np.sqrt": "numpy.sqrt"}.get(text)


def _iterations_between_checks(text: str, n: int, m: int) -> list[int]:
    """How far the loops come between two checks, to the end."""
    x = np.zeros(8)
    seen = [0]

    def has_raised(kept: object) -> bool:
        seen.append(int(x[0]))
        return False

    def trips_of(first: int, stop: int, step: int) -> int:
        return len(range(first, stop, step))

    home: dict[str, Any] = {"np": np, "has_raised": has_raised, "trips_of": trips_of}
    exec(text, home)
    function: Callable[..., Any] = home["lowered"]
    function(x, n, m, np.zeros(8, np.int64), np.zeros(8), np.zeros(9, np.int64))
    return np.diff([*seen, int(x[0])]).tolist()


@pytest.mark.parametrize("text", NESTS)
@pytest.mark.parametrize(("n", "m"), [(20000, 1), (4000, 5), (300, 17), (30, 40), (2, 130)])
@pytest.mark.usefixtures("scaled_down")
def test_the_work_between_two_checks_is_bounded(text: str, n: int, m: int) -> None:
    found = _iterations_between_checks(_lowered(text), n, m)
    # An iteration has twelve nodes or more.
    assert max(found) <= (3 * UNCOUNTED + WORK + 2 * STRIP) / 12, found


@pytest.mark.parametrize("text", [ROW, ROWS_OF_ROWS, FOUR_DEEP, SEARCH, STATED])
def test_short_rows_are_not_counted(text: str) -> None:
    rows = 5000
    checks = len(_iterations_between_checks(_lowered(text), rows, 3)) - 1
    assert 0 < checks <= rows / 1024 + 1


def test_rows_whose_length_is_known_to_be_small_are_as_without_checks() -> None:
    lines = _lowered(WINDOW).splitlines()
    assert sum("trips_of" in each for each in lines) == 1
    assert sum("if work < 0" in each for each in lines) == 1
