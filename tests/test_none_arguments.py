"""Parameters that are None unless given, and arguments that are checked, or widened, before a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.runtime.numba import gathered


def weighted(x: Any, w: Any = None) -> Any:
    n = len(x)
    if w is None:
        w = np.ones(n)
    total = np.zeros(n)
    for i in range(1, n):
        total[i] = 0.5 * total[i - 1] + w[i] * x[i]
    return total


def in_one_line(x: Any, w: Any = None) -> Any:
    w = w if w is not None else np.full(len(x), 2.0)
    total = np.zeros(len(x))
    for i in range(1, len(x)):
        total[i] = 0.5 * total[i - 1] + w[i] * x[i]
    return total


def filled(x: Any, out: Any = None) -> Any:
    if out is not None:
        out[0] = 1
    else:
        out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = 0.5 * out[i - 1] + x[i]
    return out


def checked(x: Any, w: Any = None) -> Any:
    if w is not None and len(w) != len(x):
        raise ValueError("lengths")
    if np.ndim(x) == 1:
        out = np.zeros(len(x))
    else:
        raise ValueError("one axis")
    for i in range(1, len(x)):
        out[i] = 0.5 * out[i - 1] + x[i]
    return out


def converted(x: Any, w: Any = None) -> Any:
    try:
        given = np.asarray(x, dtype=float)
    except ValueError as error:
        raise TypeError("no numbers") from error
    out = np.zeros(len(given))
    for i in range(1, len(given)):
        out[i] = 0.5 * out[i - 1] + given[i]
    return out


def widened(x: Any, w: Any = None) -> Any:
    x = np.asarray(x)
    if x.ndim < 2:
        x = x.reshape(-1, 1)
    elif len(x.shape) != 2:
        raise ValueError("one or two axes")
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = 0.5 * out[i - 1] + x[i, 0]
    return out


FUNCTIONS = [widened, weighted, in_one_line, filled, checked, converted]
X = np.linspace(-1.0, 1.0, 50_000)
CALLS: list[tuple[Any, ...]] = [
    (X,),
    (X, None),
    (X, X + 1),
    (X.astype(np.float32), X.astype(np.float32)),
    (X, [3.0] * len(X)),
    (X, X[:5].copy()),
    ([1.0, 2.0, 4.0],),
    (np.ones((3, 2)),),
    (np.array(["a", "b"]),),
]


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> list[Any]:
    copied = [each.copy() if isinstance(each, np.ndarray | list) else each for each in given]
    try:
        made: Any = function(*copied)
    except (ValueError, TypeError, IndexError) as error:
        made = type(error)
    return [made, *copied]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_outcome(function: Callable[..., Any]) -> None:
    decorated = nprewrite.jit(wait=True)(function)
    # As written it does the same each time.
    wanted = [outcome(function, given) for given in CALLS]
    for _ in range(6):
        for given, expected in zip(CALLS, wanted, strict=True):
            for left, right in zip(outcome(decorated, given), expected, strict=True):
                assert type(left) is type(right)
                if isinstance(left, np.ndarray):
                    assert left.dtype == right.dtype
                # NumPy would take seconds for the elements of long lists, of which none is nan.
                if isinstance(left, list):
                    assert left == right
                else:
                    np.testing.assert_equal(left, right)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_loops_after_the_choice_run_compiled(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered, "MINIMUM_WORK", 0)
    decorated = nprewrite.jit(wait=True)(function)
    for _ in range(3):
        decorated(X)
    assert decorated.version.compiled_runs, str(decorated.report())


def test_an_alias_is_seen() -> None:
    decorated, given = nprewrite.jit(wait=True)(filled), X.copy()
    for _ in range(3):
        expected, found = X.copy(), given.copy()
        filled(expected, expected)
        assert decorated(found, found) is found
        np.testing.assert_array_equal(found, expected)
