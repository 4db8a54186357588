"""Loops over parts and rows of arrays give the same as written and compiled, for random arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

HEADERS = [
    "for v in a[::2]:",
    "for v in a[k:s]:",
    "for v in reversed(a):",
    "for v in reversed(a[1:]):",
    "for k, v in enumerate(a[s:], start=t):",
    "for k, v in enumerate(a[::-3], 2):",
    "for v, w in zip(a[:-1], a[1:]):",
    "for k, (v, w) in enumerate(zip(reversed(a), m[0])):",
    "for v, w in m:",
    "for k, (v, w) in enumerate(m):",
    "for v in m[:, 0]:",
    "for v in (1, 2.5, t):",
    "for v, w in [(1, 0), (s, -1)]:",
]
BODY = """
        x = x * 0.5 + v
        if x > 40 and way[0]:
            {}
        elif x > 40:
            {}
        if k < len(a):
            a[k] = w
        k += 1
"""
ELSE = """
    else:
        x = -x
        w = 7
"""
DTYPES = ["float64", "float32", "int64", "int8", "uint8", "bool"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("header", HEADERS)
def test_same_outcome(header: str, make: Callable[[str], Native]) -> None:
    random = np.random.default_rng(3)
    runs = 0
    for ends in (("break", "m[k] = w, x"), ("continue", "v, w = m[k % 3]")):
        text = "\n".join(["def f(a, m, s, t, way):", "    x, w, k = 0.0, 1, 0", f"    {header}"])
        text += BODY.format(*ends) + (ELSE if "break" in ends else "") + "    return x, w, k\n"
        compiled = make(text)
        for _ in range(3):
            dtype, other = random.choice(DTYPES, 2)
            a = (random.random(random.integers(0, 9)) * 50).astype(dtype)
            m = (random.random((3, random.choice([2, 2, 2, 3]))) * 50).astype(other)
            numbers = int(random.integers(-3, 9)), int(random.integers(-5, 5))
            for way in (0, 1):
                given = (a, m, *numbers, np.array([way]))
                assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), (text, given)
        runs += compiled.runs["compiled"]
    assert runs >= 4


def test_changed_while_it_runs(make: Callable[[str], Native]) -> None:
    """Elements are read when their trip begins, from the array that the loop began with."""
    text = """
def f(x):
    s = 0.0
    for v in reversed(x[1:]):
        x[2] = -1.0
        x = x[:3]
        s = 2 * s + v
    return s
"""
    compiled = make(text)
    given = (np.arange(6.0),)
    assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given)


def test_rows_of_a_read_only_array(make: Callable[[str], Native]) -> None:
    """A store into a row is a store into the array that the loop runs over."""
    text = """
def f(m, s):
    for k, row in enumerate(m):
        row[0] = s
        s += row[1]
    return s
"""
    compiled = make(text)
    m = np.ones((3, 2))
    assert Outcome.of(compiled, (m, 1.5)) == Outcome.of(compiled.function, (m, 1.5))
    m.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        compiled(m, 1.5)
