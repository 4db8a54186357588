"""Arrays that loops append to lists: items that are one array stay one array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import function_of

from nprewrite.runtime import Native, native

LOOPS = {
    "new each time": "z = x + i\n        xs.append(z)",
    "a copy": "z = x.copy()\n        z = -z\n        xs.append(z)",
    "read by others": "z = x * i\n        xs.append(z)\n        ys.append(z.sum())",
    "a product": "z = x + np.dot(x, x)\n        xs.append(z)",
}
ONE_ARRAY = {
    "into two lists": "z = x + i\n        xs.append(z)\n        ys.append(z)",
    "twice into one": "z = x + i\n        xs.append(z)\n        xs.append(z)",
    "of an iteration before": "if i % 3 == 0:\n            z = x + i\n        xs.append(z)",
    "in a loop inside": "z = x + i\n        for j in range(2):\n            xs.append(z)",
    "a part": "w = x + i\n        z = w[1:]\n        xs.append(z)\n        ys.append(w)",
    "another name": "w = x + i\n        z = w\n        xs.append(z)\n        ys.append(w)",
    "what may be the array": "z = np.asarray(x)\n        xs.append(z)",
}


def made(loop: str) -> Callable[..., Any]:
    return function_of(f"def f(x, xs, ys, n):\n    for i in range(n):\n        {loop}\n")


def outcome(function: Any) -> str:
    """What the lists hold, also once an item has changed, and which items are one."""
    x, xs, ys = np.array([1.0, -2.5, 3.0]), list[Any](), list[Any]()
    function(x, xs, ys, 12)
    held = [each for each in (x, *xs, *ys) if isinstance(each, np.ndarray)]
    same = [[one is other for one in held] for other in held]
    before = repr((xs, ys))
    xs[-1][0] = xs[0][-1] = 77.0
    return repr((before, xs, ys, x, same))


@pytest.mark.parametrize("name", LOOPS)
def test_arrays_of_their_own_are_appended(name: str) -> None:
    compiled: Native = native(made(LOOPS[name]))
    assert outcome(compiled) == outcome(made(LOOPS[name]))
    assert "compiled" in compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ONE_ARRAY)
def test_items_that_are_one_array_stay_one(name: str) -> None:
    compiled: Native = native(made(ONE_ARRAY[name]))
    assert outcome(compiled) == outcome(made(ONE_ARRAY[name]))


def test_of_a_list_of_which_an_array_is_made_nobody_sees_the_items() -> None:
    text = "def f(x, xs, n):\n    for i in range(n):\n        {}\n    return np.array(xs)\n"
    compiled: Native = native(spent=["xs"])(function_of(text.format(ONE_ARRAY["of an iteration before"])))
    x = np.array([1.0, -2.5, 3.0])
    np.testing.assert_array_equal(compiled(x, [], 12), compiled.function(x, [], 12))
    assert "compiled" in compiled.runs
