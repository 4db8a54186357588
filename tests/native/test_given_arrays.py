"""Arrays that compiled loops return: new ones, arguments, and views; Numba is not imported for them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]

LOOPS: dict[str, tuple[str, str]] = {
    "new ones": ("x = x + 0.1 * y\n        y = y + x", "x, y"),
    "arguments that change places": ("x, y = y, x", "x, y"),
    "arguments after no trip": ("if i < 0:\n            x = x + y", "x, y"),
    "one array under two names": ("x = x + i\n        y = x", "x, y"),
    "rows of an argument": ("z = m[i]\n        z[0] = i", "z, m"),
    "parts": ("z = m[i, ::-1]", "z"),
    "truths beside numbers": ("t = x > y[i % 3]", "t, n, 0.5"),
    "more axes": ("u = m[1:, ::-1] + i", "u, m"),
    "nothing in it": ("u = m[n:, :] + i", "u"),
}


@pytest.mark.parametrize("name", LOOPS)
def test_same_arrays(name: str, make: Make) -> None:
    body, returned = LOOPS[name]
    compiled = make(_text(body, returned))
    compiled.is_waited_for = True
    expected, found = _outcome(compiled.function), _outcome(compiled)
    assert found == expected
    assert [*compiled.runs] == ["compiled"]
    # No line says that Numba itself has loaded it.
    assert len(compiled.report()) == 1


def test_a_part_beside_its_whole_is_left_to_numpy(make: Make) -> None:
    compiled = make(_text("x = x + i\n        y = x[1:]", "x, y"))
    assert _outcome(compiled) == _outcome(compiled.function)
    assert [*compiled.runs] == ["as written: a value that is not followed"]


@pytest.mark.parametrize("body", ["x = x + 1.0", "z = np.zeros_like(x)\n        x = x * 0.5 + z[::1]"])
def test_the_argument_or_a_new_array(make: Make, body: str) -> None:
    """Which of them is returned under the parameter's name depends on the trips."""
    compiled = make(f"def f(n, x):\n    for i in range(n):\n        {body}\n    return x\n")
    compiled.is_waited_for = True
    for trips in (0, 1, 3):
        x = np.arange(4.0)
        found = compiled(trips, x)
        assert (found is x) == (trips == 0)
        assert np.array_equal(found, compiled.function(trips, np.arange(4.0)))
    assert [*compiled.runs] == ["compiled"]


def _text(body: str, returned: str) -> str:
    start = "z = m[0]\n    t = x > 9\n    u = m + 1\n    for i in range(n):"
    return f"def f(n, x, y, m):\n    {start}\n        {body}\n    return {returned}\n"


def _outcome(function: Callable[..., Any]) -> Any:
    """The results and arguments, and which of them are one array or share memory."""
    given = copy.deepcopy((np.arange(3.0), np.ones(3), np.arange(12, dtype=np.float32).reshape(4, 3)))
    returned = function(3, *given)
    results = returned if isinstance(returned, tuple) else (returned,)
    arrays = [each for each in (*results, *given) if isinstance(each, np.ndarray)]
    pairs = [(a is b, np.shares_memory(a, b)) for a in arrays for b in arrays]
    return repr(results), repr(given), pairs, [(each.flags.writeable, each.dtype) for each in arrays]
