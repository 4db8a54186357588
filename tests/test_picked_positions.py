"""Elements that positions pick, in compiled steps: the same elements, and the same errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns

N = 60_000
RNG = np.random.default_rng(0)
X, GRID = RNG.standard_normal(N), RNG.standard_normal((90, 70))
ANY = RNG.integers(-N, N, N)


def picked(x: Any, i: Any) -> Any:
    return x[i] * 2 + 1


def of_a_grid(x: Any, i: Any, j: Any) -> Any:
    return np.sqrt(x[i, j] * x[i, j] + 1)


def summed(x: Any, i: Any) -> Any:
    return (x[i] * x[i]).sum()


def stored(x: Any, y: Any, i: Any) -> None:
    y += x[i]
    y *= 2


def between(x: Any, p: Any) -> Any:
    k = (p * 10).astype(np.int64)
    w = p * 10 - k
    return (1 - w) * x[k] + w * x[k + 1]


def neighbours(u: Any, left: Any, right: Any, n: int) -> Any:
    for _ in range(n):
        u = 0.5 * u + 0.25 * (u[left] + u[right])
    return u


def neighbours_in_place(u: Any, left: Any, right: Any, n: int) -> None:
    for _ in range(n):
        u[:] = 0.5 * u + 0.25 * (u[left] + u[right])
        left += 1


def with_one(at: int, value: int) -> Any:
    return np.where(np.arange(N) == at, value, ANY)


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (picked, (X, ANY)),
    (picked, (X, ANY.astype(np.int32))),
    (picked, (X, ANY.reshape(300, 200))),
    (picked, (X[::2], ANY // 2)),
    (picked, (X.astype(np.float32), ANY)),
    (picked, ((X * 10).astype(np.int16), ANY)),
    (picked, (X > 0, ANY)),
    (picked, (X, np.abs(ANY).astype(np.uint16))),
    (picked, (X, np.abs(ANY).astype(np.uint8))),
    (picked, (GRID, RNG.integers(-90, 90, 900))),
    (picked, (X, with_one(7, N))),
    (picked, (X, with_one(N - 1, -N - 1))),
    (picked, (X, with_one(0, 2**40))),
    (picked, (X[:0], ANY)),
    (of_a_grid, (GRID, RNG.integers(-90, 90, N), RNG.integers(-70, 70, N))),
    (of_a_grid, (GRID, RNG.integers(0, 90, (200, 1)), RNG.integers(0, 70, (1, 300)))),
    (of_a_grid, (GRID, RNG.integers(0, 90, N), RNG.integers(0, 71, N))),
    (summed, (X, ANY)),
    (summed, (X, with_one(N // 2, N))),
    (stored, (X, X.copy(), ANY)),
    (stored, (X, X.copy(), with_one(N - 1, N))),
    (between, (RNG.random(12), RNG.random(N))),
    (between, (RNG.random(10), RNG.random(N))),
    (between, (RNG.random(12), np.where(np.arange(N) == 9, np.nan, 0.5))),
    (neighbours, (X, np.roll(np.arange(N), 1), np.roll(np.arange(N), -1), 20)),
    (neighbours, (X, np.roll(np.arange(N), 1), np.arange(1, N + 1), 20)),
    (neighbours_in_place, (X.copy(), np.arange(-N, 0), np.arange(N), 9)),
    (neighbours_in_place, (X.copy(), np.arange(N) - 5, np.arange(N), 9)),
]


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_picked_elements_and_errors_are_numpys(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    outcomes: list[tuple[Any, str | None, list[Any]]] = []
    for called in (function, nprewrite.jit(function)):
        given = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        try:
            outcomes.append((called(*given), None, given))
        except IndexError as error:
            outcomes.append((None, str(error), given))
    (expected, raised, changed), (result, also_raised, also_changed) = outcomes
    assert (type(result), also_raised) == (type(expected), raised)
    if expected is not None:
        assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(result, expected, rtol=1e-12)
    for mine, theirs in zip(also_changed, changed, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


@pytest.mark.parametrize("function", [picked, neighbours])
def test_they_are_picked_in_compiled_code(function: Callable[..., Any]) -> None:
    arguments = (X, ANY) if function is picked else (X, ANY, ANY, 3)
    decorated = nprewrite.jit(function)
    decorated(*arguments)
    assert "ran 1 x compiled" in str(decorated.report())
    with pytest.raises(IndexError, match="out of bounds"):
        decorated(X, with_one(5, N), *arguments[2:])
    assert "as written: the step raised IndexError" in str(decorated.report())
    np.testing.assert_allclose(decorated(*arguments), function(*arguments), rtol=1e-12)


def test_a_position_out_of_range_ends_no_thread() -> None:
    """So many elements are computed by several threads."""
    x, i = RNG.random(1_000_000), RNG.integers(0, 1_000_000, 1_000_000)
    decorated = nprewrite.jit(picked)
    np.testing.assert_array_equal(decorated(x, i), picked(x, i))
    for at in (3, 999_998):
        with pytest.raises(IndexError, match="index 1000000 is out of bounds"):
            decorated(x, np.where(np.arange(len(i)) == at, 1_000_000, i))
    np.testing.assert_array_equal(decorated(x, i), picked(x, i))
    assert "ran 2 x compiled, 2 x as written: the step raised IndexError" in str(decorated.report())
