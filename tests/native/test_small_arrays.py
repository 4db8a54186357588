"""Functions of small arrays in loops give what NumPy gives; where NumPy raises, the loop as written does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]
LOOP = """
def f(m, v, out, n):
    for i in range(n):
        {}
"""
STATEMENTS = [
    "out[i] = np.array([[v[0], 1], [m[0, 1], v[i]]]) @ v[:2] @ v[:2]",
    "out[i] = np.array([[1, 2], [3, 4]], dtype=float)[1, i % 2]",
    "out[i] = (np.eye(3) * v[i] + m)[i, 0]",
    "out[i] = np.identity(3, dtype=np.int32)[0, i]",
    "out[i] = (m @ m.T)[i % 2, -1] + (m @ v)[i]",
    "out[i] = (m @ m)[i].sum() + v[1:][i - 2]",
    "out[i] = np.linalg.norm(v - v[i]) + np.linalg.norm(m.T)",
    "out[i] = np.linalg.norm(v * 0.5, 1) + np.linalg.norm((v - v[i]) * 0.5, ord=np.inf)",
    "out[i] = np.linalg.norm(v, 2) + np.linalg.norm(m[i] * 0.5, ord=1) + np.linalg.norm(v[i:] / 3, np.inf)",
    "out[i] = np.cross(m[i], v)[i] + np.cross(2 * v, m[0])[2]",
    "out[i] = np.outer(v, m[i])[0, i] + np.trace(m * v) + m.trace()",
    "out[i] = -np.square(v > 0)[i] + np.square(m)[i, 0] + np.clip(m, 0, 3)[i, 0]",
    "out[i] = v[v > i - 1].sum() + m[m > 1].sum() - m[~(m > 1) & (m < 4)].mean()",
    "k = (m != i) | (m > 3); out[i] = len(m[k]) + m[k][i] + m.T[k].max() + v[v > 100].sum()",
    "out[i] = np.minimum(m, v)[i, 0] - np.maximum(v, m[i]).sum() + np.max([v[i], m[i, 0]])",
    "out[i] = np.fmin(m, v)[i, 0] - np.fmax(v, m[i]).sum() + np.fmax(v[i], np.nan) + np.fmin(np.nan, v[i])",
    "out[i] = np.median(m[:, i:]) + np.median(m * v) + np.median(v[: i + 1]) + np.median(m.T[i])",
    "out[i] = np.hstack((m, m * 2))[i, 3] + np.concatenate([m, m], axis=-1)[i, 4] + np.hstack((v, v))[i + 2]",
    "out[i] = np.column_stack((v, 2 * v))[i, 1] - np.column_stack((m, v))[i, 3] + np.vstack((m, v))[3, i]",
    "out[i] = m[..., i].sum() + m[i, ...][0] + (m * 2)[1:, ..., 0].sum(); v[...] = v + i; m[..., 0] += 1",
    "z = m * 2; z[...] = 1; z[1:, 1:][m[1:, 1:] > 1] = 5; z[...] *= 3; out[i] = z[..., 1].sum() - z.max()",
    "w = np.asarray(m); w[0] += i; z = np.array(m); z[0] = 7; out[i] = m[0, i] + (np.asarray(v * 2) - v)[i]",
    "out[i] = np.array(v * 0.5, dtype=int)[i] + np.array(m > 1, dtype=float).sum() + np.asarray(v[1:])[0]",
    "w = m * 2 if i else m; w = w + v if v[i] > 1 else (-w if i else w[::-1]); out[i] = w[0, i] + w.sum()",
    "m[i] += v if i else 2 * v; m[0] = v if m[0, 0] > 2 else 1; w = v[1:] if i else v; out[i] = w[-1]",
    "out[i] = np.std(m) + v.var(ddof=1) + np.var(m * 2, axis=0)[i] + m.std(1, ddof=2)[i] + (m > v).std()",
]
SYSTEMS = [
    ("out[i] = np.linalg.inv(m + i * np.eye(3))[i, 0]", "float32"),
    (
        "out[i] = (v @ np.linalg.inv(m[:1, :1] * 3))[0] if i > 5 else np.linalg.inv(m[:1, :1])[0, 0]",
        "float64",
    ),
    ("out[i] = np.linalg.solve(m, v)[i] + np.linalg.solve(m, m.T)[0, i]", "int64"),
]
"""Each takes seconds to compile; integers are computed in float64."""
LEFT = [
    "out[i] = np.linalg.norm(m * 0.5, 1)",
    "out[i] = np.linalg.norm(v * 0.5, 3)",
    "out[i] = np.linalg.norm(v * 0.5, -np.inf)",
    "out[i] = v[:i].std(ddof=1) if i else 0",
    "out[i] = np.var(v, ddof=0.5)",
    "out[i] = np.median(m, axis=0)[i]",
    "out[i] = np.median(v > 1)",
    "out[i] = np.median(v[:i])",
    "out[i] = np.stack((v, v * 2), axis=-1)[i, 1]",
    "out[i] = np.concatenate((m, m), axis=None)[i]",
    "out[i] = np.round(v > 0)[i] / 3",
    "out[i] = np.clip(v.astype(np.int8), -300, 300)[i]",
]
RAISING = {
    "singular": (
        "out[i] = np.linalg.inv(np.outer(v, v) * (i > 1) + (i <= 1) * m)[0, 0]",
        np.linalg.LinAlgError,
    ),
    "singular system": ("out[i] = np.linalg.solve(m * 0, v)[0]", np.linalg.LinAlgError),
    "no square": ("out[i] = np.linalg.inv(m[:2])[0, 0]", np.linalg.LinAlgError),
    "place of an expression": ("out[i] = (m @ v)[i + 2]", IndexError),
    "mask of another length": ("out[i] = v[np.ones(2) > 0].sum()", IndexError),
    "place among selected elements": ("out[i] = v[v > 2][i]", IndexError),
    "lengths": ("out[i] = np.cross(v, np.ones(4))[0]", ValueError),
}


def arguments(dtype: str) -> tuple[Any, ...]:
    m = np.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]]).astype(dtype)
    return m, np.array([1, -2, 3]).astype(dtype), np.zeros(3), 3


@pytest.mark.parametrize(
    ("statement", "dtype"), [*product(STATEMENTS, ["float64", "float32", "int64"]), *SYSTEMS]
)
def test_same_values(statement: str, dtype: str, make: Make) -> None:
    compiled = make(LOOP.format(statement))
    expected, given = arguments(dtype), arguments(dtype)
    compiled.function(*expected)
    compiled(*given)
    assert compiled.runs == {"compiled": 1}
    np.testing.assert_allclose(given[2], expected[2], rtol=1e-12 if dtype != "float32" else 1e-5)


@pytest.mark.parametrize("statement", LEFT)
def test_left_to_numpy(statement: str, make: Make) -> None:
    compiled = make(LOOP.format(statement))
    expected, given = arguments("float64"), arguments("float64")
    compiled.function(*expected)
    compiled(*given)
    assert not compiled.runs["compiled"]
    np.testing.assert_array_equal(given[2], expected[2])


@pytest.mark.parametrize("name", RAISING)
def test_raises_the_same(name: str, make: Make) -> None:
    statement, error = RAISING[name]
    compiled = make(LOOP.format(statement))
    expected, given = arguments("float64"), arguments("float64")
    with pytest.raises(error):
        compiled.function(*expected)
    with pytest.raises(error):
        compiled(*given)
    np.testing.assert_allclose(given[2], expected[2], rtol=1e-12)


def test_nearly_singular_matrices_are_left_to_numpy(make: Make) -> None:
    compiled = make(LOOP.format("out[i] = np.linalg.inv(m)[0, 0]"))
    m, *others = arguments("float64")
    m[2] = m[1] * (1 + 1e-14)
    compiled(m, *others)
    assert not compiled.runs["compiled"]
    assert others[1][0] == np.linalg.inv(m)[0, 0]


def test_medians_of_windows(make: Make) -> None:
    loop = make(
        "def f(x, width, out):\n"
        "    for i in range(x.size - width):\n"
        "        out[i] = np.median(x[i:i + width])\n"
    )
    rng = np.random.default_rng(3)
    for values in (rng.random(400), rng.integers(0, 4, 400).astype(float), rng.random(400) < 0.02):
        x = np.where(values, values, np.nan) if values.dtype == bool else values
        x[7:9], x[300] = np.inf, -np.inf
        for width in (1, 2, 9, 64, 101):
            out = np.zeros(x.size - width)
            loop(x, width, out)
            with np.errstate(invalid="ignore"):
                wanted = [np.median(x[i : i + width]) for i in range(out.size)]
            np.testing.assert_array_equal(out, wanted)
    assert set(loop.runs) == {"compiled"}


def test_elements_that_python_would_go_through_are_compiled_beside_long_rows(
    make: Callable[[str], Native],
) -> None:
    """NumPy is faster for the maximum, but not for the loop."""
    loop = make(
        "def f(u, v, steps):\n"
        "    for s in range(steps):\n"
        "        v[0] = np.max(u)\n"
        "        for i in range(1, u.size - 1):\n"
        "            v[i] = 0.5 * (u[i - 1] + u[i + 1])\n"
    )
    u, v = np.sin(np.arange(20000.0)), np.zeros(20000)
    loop(u, v, 2)
    assert loop.runs == {"compiled": 1}
    np.testing.assert_array_equal(v[1:-1], 0.5 * (u[:-2] + u[2:]))


COLUMNS = [
    "near = (x - x[i]) ** 2 + (y - y[i]) ** 2 < 1; out[i] = np.sum(np.cos(x[near]))",
    "x[:] = x - x[i]; out[i] = x.sum()",
    "x -= x[i]; out[i] = x[0]",
    "x[:] = x[0] + x * x[0]; out[i] = x.sum()",
    "x[i] = y[i] - y.mean(); out[i] = (x * y[i]).sum()",
    "z = x * x[0]; z[0] = i; out[i] = z.sum() + x[0]",
    "out[i] = np.where(x > x[i], y, x[i]).sum() + (x[i] * y.T).sum()",
    "out[i] = (x[i : i + 1] + x + y[-1:]).max() + (x[i] + x[i]).sum()",
]
"""Arrays of one column, of which a row has one element that is read for all others."""


@pytest.mark.parametrize("statement", COLUMNS)
def test_columns(statement: str, make: Make) -> None:
    compiled = make(f"def f(x, y, out, n):\n    for i in range(n):\n        {statement}\n")
    for length in (5, 1, 0, 3):
        given = np.random.default_rng(length).normal(size=(3, length, 1))
        results = [given.copy(), given.copy()]
        for function, (x, y, out) in zip((compiled, compiled.function), results, strict=True):
            function(x, y, out, length)
        np.testing.assert_allclose(results[0], results[1], rtol=1e-13)
    assert compiled.runs["compiled"]


@pytest.mark.parametrize("before", ["pass", "w = None", "w = 1.0"])
@pytest.mark.parametrize("after", ["return w, u", "if i == taken or n == 0:\n        return w\n    return u"])
def test_names_that_are_arrays_on_some_paths_only(before: str, after: str, make: Make) -> None:
    """The last run binds nothing in the loop."""
    branch = "if i == taken:\n            w = u.copy()"
    loop = f"for i in range(n):\n        u = u + 0.5\n        {branch}\n        u[0] = i"
    compiled = make(f"def f(u, n, taken):\n    i = -1\n    {before}\n    {loop}\n    {after}\n")
    for n, taken in ((9, 3), (9, 8), (9, 20), (0, 3)):
        results = []
        for function in (compiled.function, compiled):
            try:
                results.append(function(np.zeros(4), n, taken))
            except UnboundLocalError as error:
                results.append(str(error))
        np.testing.assert_equal(results[1], results[0])


def test_one_of_two_arrays_is_returned(make: Make) -> None:
    compiled = make(
        "def f(m, v):\n    for i in range(len(v)):\n        if v[i] > 1:\n"
        "            return m[i] * 2 if v[0] > 0 else v + i\n"
        "    return -v\n"
    )
    for first in (0.0, 0.5):
        m, v = np.arange(9.0).reshape(3, 3), np.array([first, 1.0, 3.0])
        np.testing.assert_array_equal(compiled(m, v), compiled.function(m, v))
    assert compiled.runs == {"compiled": 2}
