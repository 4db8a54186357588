"""Lists and tuples of numbers, of which a function makes an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite


def integrated(y0: Any, n: int) -> Any:
    y = np.array(y0, dtype=float)
    ys = [y]
    for _ in range(n):
        y = y + 0.01 * np.array([y[1], -2.0 * y[0]])
        ys.append(y)
    return np.array(ys)


def smoothed(rows: Any, n: int) -> Any:
    u = np.asarray(rows)
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = u[i - 1, j] + u[i + 1, j] - u[i, j - 1]
    return u


ROWS = [[1, 2, 3, 4], [2, 3, 4, 5], [0, 1, 1, 0]]


@pytest.mark.parametrize("y0", [[1.0, 0.0], (1.0, 0.0), [1, 0], (1, 0.5), [np.float32(1), 0.0], [True, 2]])
@pytest.mark.usefixtures("rewritten_side")
def test_an_initial_state_in_a_list(y0: Any) -> None:
    function = nprewrite.jit(integrated)
    for _ in range(2):
        np.testing.assert_array_equal(function(y0, 50), integrated(y0, 50))
    assert "the loop can run compiled" in str(function.report())


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("dtype", [int, float])
@pytest.mark.usefixtures("rewritten_side")
def test_rows_in_a_list(kind: Any, dtype: Any) -> None:
    function = nprewrite.jit(smoothed)
    for _ in range(2):
        made, right = (
            each(kind(map(list, np.array(ROWS, dtype).tolist())), 5) for each in (function, smoothed)
        )
        np.testing.assert_array_equal(made, right)
        assert made.dtype == right.dtype
    assert "can run compiled" in str(function.report())


@pytest.mark.usefixtures("rewritten_side")
def test_other_numbers_than_the_first_ones() -> None:
    """What sixteen numbers suggest proves nothing of the others, nor of the next list."""
    function = nprewrite.jit(smoothed)
    wide = [[*range(20)] for _ in range(3)]
    late = [[*range(19), 0.5] for _ in range(3)]
    complex_ = [[*range(19), 1j] for _ in range(3)]
    for rows in (wide, late, complex_, wide):
        made, right = function([*map(list, rows)], 3), smoothed([*map(list, rows)], 3)
        np.testing.assert_array_equal(made, right)
        assert made.dtype == right.dtype


@pytest.mark.usefixtures("rewritten_side")
@pytest.mark.parametrize(
    "rows", [[], [[]], [[1, 2], [3]], [[[1, 2]], [[3, 4]]], ["a", "b"], [None, 1.0], [2**70, 1]]
)
def test_what_is_no_array_of_such_numbers(rows: Any) -> None:
    function = nprewrite.jit(smoothed)
    for _ in range(2):
        seen = []
        for each in (function, smoothed):
            try:
                seen.append(repr(each(rows, 1)))
            except Exception as error:  # noqa: BLE001 - whatever it is
                seen.append(repr(error))
        assert seen[0] == seen[1]
