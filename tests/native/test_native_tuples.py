"""Tuples of numbers in compiled loops: the same as written, and compared as Python compares them."""

from __future__ import annotations

import textwrap
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


OR_NONE = {
    "the place of the greatest": """
        best = 0.0
        for i in range(n):
            for j in range(len(x)):
                if x[j] > best:
                    best, where = x[j], (i, j)
        return best, where
    """,
    "forgotten again": """
        last, total = None, 0
        for i in range(len(x)):
            if last is not None and last[0] > n:
                total += last[1]
            if x[i] > k:
                last = (i, int(x[i]))
            elif x[i] < 0:
                last = None
        return total, last
    """,
    "under two names": """
        first = None
        for i in range(len(x)):
            if x[i] > k:
                where = (i, x[i])
            if x[i] < 0:
                first = where
            if i == n:
                p, q = first
                x[0] = first[1] + p + q
        return first, where
    """,
    "taken apart": """
        for i in range(len(x)):
            if x[i] > k:
                where = (i, x[i])
            if i == n:
                at = where[0]
                x[at] += 1
        return where
    """,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OR_NONE)
def test_names_that_hold_none_or_a_tuple(name: str, make: Callable[[str], Native]) -> None:
    compiled = make("def f(x, where, n, k):" + textwrap.indent(textwrap.dedent(OR_NONE[name]), "    ") + "\n")
    random = np.random.default_rng(3)
    for _ in range(30):
        x = random.integers(-2, 9, random.integers(1, 9)).astype(float)
        where = [None, (1, 2.5), (0, np.float64(3))][random.integers(3)]
        given = (x, where, int(random.integers(-1, 6)), int(random.integers(-1, 9)))
        compiled._repeated = 0
        assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), given
    assert compiled.runs["compiled"] >= 8, compiled.runs
