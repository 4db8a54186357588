"""Loops and comprehensions of a few known trips that are written out, and near twins whose trips are not."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

_PROGRAM = """
import numpy as np


def moved(n: int, trips: int):
    shifts = [1, 2, 3]
    places = np.array([0, 1, 2])
    size = 3
    counted = np.arange(size)
    f = np.ones((3, n)) + np.linspace(0, 1, n)
    g = f * 2
    seen = []
    for t in range(trips):
        {statement}
    return f, g
"""


def _rewritten(statement: str) -> tuple[str, bool]:
    """The text after the rewriting that the decorator asks for, and whether a loop became its statements."""
    text, codes = _codes(statement)
    return text, "NPR608" in codes


def _program(statement: str) -> str:
    return _PROGRAM.format(statement=statement.replace("\n", "\n        "))


def _codes(statement: str) -> tuple[str, set[str]]:
    """The text after the rewriting that the decorator asks for, and the passes that changed it."""
    text = _program(statement)
    options = Options(ignore=frozenset(["NPR403", "NPR405", "NPR406", "NPR410"]))
    done = rewrite_source(text, "program.py", options, only="moved")
    return done.text, {site.code for site in done.sites if site.outcome is Outcome.REWRITTEN}


def _answers(text: str) -> list[Any]:
    made: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), made)
    return [made["moved"](n, trips) for n, trips in ((5, 0), (5, 3), (1, 2), (0, 2))]


@pytest.fixture(autouse=True)
def _in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "NPREWRITE_DISABLE", "1")


_UNROLLED = [
    "for k in range(3):\n    f[k] = np.roll(f[k], k)",
    "for k in range(3):\n    f[k] = f[k] * 2\n    f[k] += g[2 - k]\n    f[k] = g[k]",
    "for k, s in enumerate(shifts):\n    f[k] = np.roll(f[k], -s)",
    "for k, s in zip(range(3), shifts):\n    f[k] += np.roll(g[k], 2 * s - 1)",
    "for k in range(len(shifts)):\n    f[k] = np.roll(f[k], shifts[k])",
    "for k, p in zip(range(3), places):\n    f[k] = np.roll(f[k], p) * p",
    "for k, p in zip(counted, places):\n    f[k] = np.roll(f[k], p) * p",
    "for k in counted:\n    f[k] = np.roll(f[k], k) * k",
    "for k in (2, 0):\n    f[k] = f[k] + f[1]",
    "for k in range(3):\n    f[k] = f[(k + 1) % 3] + g[k]",
    "for k in range(3):\n    f[k] = 0.5 * f.sum(axis=0)",
    "for k in range(3):\n    f[k] = g[k, :1] * 2",
    "for k in range(3):\n    for s in (1, -1):\n        f[k] = np.roll(f[k], s) + s",
    "h = np.zeros(3)\nfor k in range(3):\n    v = g[k] * 2\n    h[k] = 1 / np.dot(v, f[k])\nf += np.sum(h)",
    "v = f[1]\nfor k in range(3):\n    f[k] = f[k] + v",
    "for k in range(3):\n    f[k] = g[k] + 0\n    g[k] = f[k] * 0.5\n    f[k] *= 0.25",
    "for k in range(3):\n    if k == 1:\n        continue\n    f[k] = np.roll(f[k], k)",
    "for k in range(3):\n    if k % 2:\n        f[k] += g[k]\n"
    "    elif k:\n        f[k] -= g[0]\n    else:\n        pass",
    "for i in (-1, 0, 1):\n    for j in (-1, 0, 1):\n        if (i, j) != (0, 0):\n"
    "            f += np.roll(g, i + j, 1)",
    "for i in (-1, 0, 1):\n    for j in range(-1, 2):\n        if i == 0 and j == 0:\n            continue\n"
    "        f += np.roll(g, j, 1) * i\n        g = g + j",
    "for i in (0, 1):\n    f = f + i\n    for j in (0, 1, 2):\n        if abs(i - j) > 1:\n"
    "            continue\n        f[j] = f[j] * i\n    g = g + f",
    "for i in (0, 1):\n    for j in (0, 1, 2):\n        if i == j:\n            continue\n"
    "        f[j] = f[j] * i\n    if i:\n        continue\n    g = g + f",
]

_LEFT = [
    "shifts.append(4)\nfor k, s in zip(range(3), shifts):\n    f[k] = np.roll(f[k], s)",
    "shifts[0] += 1\nfor k, s in enumerate(shifts):\n    f[k] = np.roll(f[k], s)",
    "other = shifts\nother.reverse()\nfor k, s in enumerate(shifts):\n    f[k] = np.roll(f[k], s)",
    "seen.append(shifts)\nfor k, s in enumerate(shifts):\n    f[k] = np.roll(f[k], s)",
    "shifts = [t, 0, 1]\nfor k, s in enumerate(shifts):\n    f[k] = np.roll(f[k], s)",
    "counted[0] = 1\nfor k in counted:\n    f[k] = np.roll(f[k], 1)",
    "counted = np.arange(t)\nfor k in counted:\n    f[k] = np.roll(f[k], 1)",
    "for k in range(t):\n    f[k] = np.roll(f[k], k)",
    "for k in map(int, shifts):\n    f[k - 1] = np.roll(f[k - 1], k)",
    "for k in range(3):\n    f[k] = np.roll(f[k], k)\ng[k] = 0.0",
    "for k in range(3):\n    f[k] = np.roll(f[k], k)\n    seen.append(k)",
    "for k in range(3):\n    if k == t:\n        continue\n    f[k] = np.roll(f[k], k)",
    "for k in range(3):\n    if f[k].sum() > k:\n        f[k] = np.roll(f[k], k)",
    "for k in range(3):\n    if k == 1:\n        break\n    f[k] = np.roll(f[k], k)",
    "for k in range(3):\n    if size == k:\n        f[k] = np.roll(f[k], k)",
]


@pytest.mark.parametrize("statement", _UNROLLED)
def test_trips_become_statements_with_the_same_answers(statement: str) -> None:
    text, unrolled = _rewritten(statement)
    assert unrolled
    before = _answers(_program(statement))
    np.testing.assert_equal(_answers(text), before)


@pytest.mark.parametrize("statement", _LEFT)
def test_trips_that_are_not_known_stay_a_loop(statement: str) -> None:
    text, unrolled = _rewritten(statement)
    assert not unrolled
    before = _answers(_program(statement))
    np.testing.assert_equal(_answers(text), before)


_WRITTEN_OUT = [
    "g = sum(np.roll(f, i, 1) for i in (-1, 1))",
    "g = sum(np.roll(f, i, 1) for i in (-1, t))",
    "g = sum([np.roll(f, i, 1) for i in shifts], f)",
    "g = sum(np.roll(np.roll(f, i, 0), j, 1) for i in (-1, 0, 1) for j in range(-1, 2) if (i, j) != (0, 0))",
    "g = np.array([np.roll(f[k], k) for k in range(3)])",
    "g = sum(f[k] * s for k, s in enumerate(shifts))",
    "g = sum(s * f[p] for p, s in zip(places, shifts) if s - 2)",
    "g += sum(np.sin(f * k) for k in counted)",
    "f, g = [np.sin(f * w) for w in (0.5, 0.25)]",
    "g = sum(f[k] * k for k in range(size))",
    "g = sum(f * 2 for row in f) + f",
    "g = sum(np.roll(g, i, 1) for i in (-1, 1)) * 0.5\nf = g",
    "seen.append(sum(f[k] for k in range(3)))",
    "g, h = map(np.sin, (f, g))\nf = h * 2",
    "g, h = (np.sin(each) for each in (f, g))\nf = h * 2",
    "g, *h = [np.roll(each, 1, 1) for each in (f, g, f)]\nf = h[1]",
    "g = sum(w * np.sin(each) for each, w in ((f, 2), (g, -1)))",
]

_NOT_WRITTEN_OUT = [
    "g = sum(np.roll(f, i, 1) for i in range(40))",
    "g = sum((lambda: f * i)() for i in (1, 2))",
    "g = f * sum(k for k in (1, 2))",
    "g = sum(each * f for each in seen) + f",
    "g = sum(f * i for i in (1, 2) if i == t) + f",
    "g = f * len([f for _ in range(t)])",
    "sum = max\ng = np.roll(f, 1) + sum(np.array([k, 2])[0] for k in (1, 2)) if n else f",
    "g = sum(np.roll(f, i, 1) for i in range(size))\nsize += 1",
    "g = sum(np.sin(each) for each in (f, g.copy()))",
    "seen.extend(map(np.sin, (f, g)))",
    "h = map(np.sin, (f, g))\ng = next(h)",
]


@pytest.mark.parametrize("statement", _WRITTEN_OUT)
def test_comprehensions_become_their_expressions(statement: str) -> None:
    text, codes = _codes(statement)
    assert "NPR609" in codes
    np.testing.assert_equal(_answers(text), _answers(_program(statement)))


@pytest.mark.parametrize("statement", _NOT_WRITTEN_OUT)
def test_comprehensions_that_are_not_known_stay(statement: str) -> None:
    text, codes = _codes(statement)
    assert "NPR609" not in codes
    np.testing.assert_equal(_answers(text), _answers(_program(statement)))


def test_a_sum_begins_with_zero() -> None:
    text, _ = _codes("g = sum(-0.0 * f[k] for k in (0, 1))")
    for made, before in zip(
        _answers(text), _answers(_program("g = sum(-0.0 * f[k] for k in (0, 1))")), strict=True
    ):
        np.testing.assert_array_equal(np.signbit(made[1]), np.signbit(before[1]))


def test_numbers_of_an_array_that_changes_are_read_when_they_are_needed() -> None:
    statement = "places += 1\nfor k, p in zip(range(3), places):\n    f[k] = f[k] * p"
    text, _ = _rewritten(statement)
    before = _answers(_program(statement))
    np.testing.assert_equal(_answers(text), before)


def test_parts_are_put_together_only_where_each_trip_has_its_own() -> None:
    own, _ = _rewritten("for k in range(3):\n    f[k] = np.roll(f[k], k)")
    others = [
        "for k in range(3):\n    f[k] = np.roll(f[k - 1], k)",
        "for k in range(2):\n    f[k] = np.roll(f[k], k)",
        "for k in (2, 1, 0):\n    f[k] = np.roll(f[k], k)",
        "v = f[1]\nfor k in range(3):\n    f[k] = np.roll(f[k], k) + v",
        "for k in range(3):\n    f[k] = np.roll(f[k], k) + f[0]",
        "for k in range(3):\n    f[k] = np.roll(f[k], k)\n    g = f * 2",
    ]
    assert "np.stack" in own
    assert "np.stack" in _rewritten("for k in counted:\n    f[k] = np.roll(f[k], k)")[0]
    assert not any("np.stack" in _rewritten(each)[0] for each in others)


class Damped:
    """An array of an object that is bound anew in an inner loop."""

    def __init__(self) -> None:
        self.q = np.full(6, 2.0)

    @nprewrite.jit
    def advance(self, trips: int) -> None:
        for n in range(trips):
            for _ in range(2):
                self.q = self.q * 0.5
            self.q += np.sin(n * 0.1)


def test_attributes_are_written_as_attributes() -> None:
    model, plain = Damped(), Damped()
    for _ in range(3):
        model.advance(4)
        vars(Damped)["advance"].original(plain, 4)
    assert np.array_equal(model.q, plain.q)
