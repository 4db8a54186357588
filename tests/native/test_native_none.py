"""Names that hold None until a number is found: the same as written."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

LEAST = """
def f(x, best, at, limit):
    for i in range(len(x)):
        if best is None or x[i] < best:
            best, at = x[i], i
        elif x[i] > limit:
            best = None
    return best, at, i
"""
EARLY = """
def f(x, best, at, limit):
    last = None
    for i in range(len(x)):
        if best is not None and best > x[i]:
            last = at
            break
        best = x[i] if best is None else best + x[i]
        at = None if best is None else i
    if last is None:
        return -1
    return last, best
"""
UNCHECKED = """
def f(x, best, at, limit):
    for i in range(len(x)):
        if x[i] > limit:
            best = x[i]
        x[i] = best + 1
    return best, at
"""
STORED = """
def f(x, best, at, limit):
    for i in range(len(x)):
        if x[i] > limit:
            at = i
        x[i] = at
        x[at] += 1
    return at
"""


BY_NUMBER = """
def f(x, best, at, limit):
    for i in range(len(x)):
        if i > limit and best > x[i]:
            at = best
        if i == 2:
            best = x[i]
    return best, at
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [LEAST, EARLY, UNCHECKED, STORED, BY_NUMBER])
def test_same_outcome(text: str, make: Callable[[str], Native]) -> None:
    compiled = make(text)
    random = np.random.default_rng(7)
    for _ in range(25):
        dtype = random.choice(["int64", "float64"])
        x = random.integers(0, 6, random.integers(0, 8)).astype(dtype)
        if dtype != "int64" and random.random() < 0.3:
            x[x == 1] = np.nan
        best, at = [(None, None), (2.0, None), (None, 1), (3, 0)][random.integers(4)]
        given = (x, best, at, int(random.integers(-1, 5)))
        compiled._repeated = 0
        assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), given
    assert compiled.runs["compiled"] >= 8, compiled.runs
