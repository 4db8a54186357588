"""Tuples of numbers in compiled loops: the same as written, and compared as Python compares them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

BEST = """
def f(a, best, s, way):
    where = (0, 0)
    for i in range(len(a)):
        new = (a[i], s * i)
        if ({}):
            best, where = new, (i, best[1])
        elif best[-1] == 3:
            best = where
    x, y = best
    return best, i, where, (x, (y, s))
"""
OPERATORS = ["<", "<=", ">", ">=", "==", "!="]
TESTS = " or ".join(f"(way[0] == {k} and new {each} best)" for k, each in enumerate(OPERATORS))


@pytest.mark.filterwarnings("ignore")
def test_same_outcome(make: Callable[[str], Native]) -> None:
    compiled = make(BEST.format(TESTS))
    random = np.random.default_rng(5)
    for _ in range(12):
        dtype = random.choice(["int64", "float64", "float32", "uint8", "bool"])
        a = random.integers(0, 4, random.integers(0, 7)).astype(dtype)
        if a.dtype.kind == "f" and random.random() < 0.3:
            a[a == 1] = np.nan
        start = [(1, 2), (1.0, -1), (a.dtype.type(2), 0.5), (np.inf, True), (2**62, np.int8(3))]
        best, s = start[random.integers(len(start))], int(random.integers(-1, 3))
        for way, operator in enumerate(OPERATORS):
            given = (a, best, s, np.array([way]))
            assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), (operator, given)
    assert compiled.runs["compiled"] >= 4 * len(OPERATORS)


def test_the_same_object_that_is_not_a_number(make: Callable[[str], Native]) -> None:
    """Python takes a number for equal to itself in a tuple, also one that is not equal to itself."""
    text = """
def f(x, n):
    v = x[0]
    best, count = (v, 0), 0
    for i in range(n):
        if best < (v, i):
            count += 1
    return count
"""
    compiled = make(text)
    given = (np.array([np.nan]), 3)
    assert compiled(*given) == compiled.function(*given) == 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", [(1, 2, 3), (), [1.0, 2], 5, (1.0, None), ((1, 2), 3)])
def test_other_arguments_run_as_written(start: object, make: Callable[[str], Native]) -> None:
    compiled = make(BEST.format("new < best"))
    given = (np.arange(3.0), start, 1, np.array([0]))
    assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given)
    assert not compiled.runs["compiled"]
