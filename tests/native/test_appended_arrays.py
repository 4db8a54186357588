"""Arrays that loops append to lists: items that are one array stay one array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import function_of

import nprewrite
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
RETURNED = {
    "the last item": ("x = x + i\n        xs.append(x)", "x"),
    "among others": ("x = x + i\n        xs.append(x)\n        z = x * 2", "n, z, x"),
    "before it is an item": (
        "x = x + i\n        if i == 7:\n            break\n        xs.append(x)",
        "x",
    ),
    "bound anew after it": ("x = x + i\n        xs.append(x)\n        if i > 9:\n            x = -x", "x"),
    "of an iteration before": ("if i % 5 == 0:\n            x = x + i\n            xs.append(x)", "x"),
    "never an item": ("if n < 0:\n            x = x + i\n            xs.append(x)", "x"),
    "an item before the last": (
        "if i < 4:\n            x = x + i\n            xs.append(x)\n        xs.append(x * i)",
        "x",
    ),
    "of two lists": (
        "z = x + i\n        xs.append(z)\n        x = x * 0.5\n        ys.append(x)",
        "(z, n), x",
    ),
    "returned in between": (
        "x = x + i\n        xs.append(x)\n        if i == 5:\n            return n, x",
        "x, n",
    ),
}
RETURNED_AS_WRITTEN = {
    "two of one list": ("z = x + i\n        xs.append(z)\n        x = z * 2\n        xs.append(x)", "z, x"),
    "a part": ("x = x + i\n        xs.append(x)", "x[1:]"),
}


def made(loop: str, returned: str = "None") -> Callable[..., Any]:
    return function_of(
        f"def f(x, xs, ys, n):\n    for i in range(n):\n        {loop}\n    return {returned}\n"
    )


def parts(returned: Any) -> list[Any]:
    return [part for each in returned for part in parts(each)] if type(returned) is tuple else [returned]


def outcome(function: Any) -> str:
    """What the lists hold, also once an item has changed, and which items are one."""
    x, xs, ys = np.array([1.0, -2.5, 3.0]), [np.array([0.5, 0.25, 0.0])], list[Any]()
    returned = function(x, xs, ys, 12)
    held = [each for each in (x, *xs, *ys, *parts(returned)) if isinstance(each, np.ndarray)]
    same = [[one is other for one in held] for other in held]
    before = repr((xs, ys))
    xs[-1][0] = xs[0][-1] = 77.0
    return repr((before, xs, ys, x, same, returned))


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


@pytest.mark.parametrize("name", RETURNED)
def test_an_array_that_is_returned_is_the_item(name: str) -> None:
    compiled: Native = native(made(*RETURNED[name]))
    assert outcome(compiled) == outcome(made(*RETURNED[name]))
    assert "compiled" in compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RETURNED_AS_WRITTEN)
def test_arrays_that_cannot_be_told_apart_are_left_to_python(name: str) -> None:
    compiled: Native = native(made(*RETURNED_AS_WRITTEN[name]))
    assert outcome(compiled) == outcome(made(*RETURNED_AS_WRITTEN[name]))


class Track:
    def __init__(self) -> None:
        self.y, self.t = np.array([1.0, 0.5]), 0.0
        self.ys, self.ts = [self.y], [self.t]
        self.best: Any = None

    def step(self) -> None:
        self.y = self.y * 0.999 + np.sin(self.t)
        self.t += 0.125
        self.ts.append(self.t)
        self.ys.append(self.y)

    def run(self, n: int) -> float:
        for _ in range(n):
            self.step()
        return self.t

    def improve(self, n: int) -> None:
        for k in range(n):
            self.t += 0.25
            if self.best is None or self.best.sum() < np.sin(self.t) * k:
                self.best = self.y + 0.5 * k
                self.ys.append(self.best)


@pytest.mark.parametrize("function", [Track.run, Track.improve])
def test_the_last_item_is_the_array_that_an_attribute_holds(function: Callable[..., Any]) -> None:
    decorated: Any = nprewrite.jit(function)
    for n in (40_000, 40_000, 0, 40_000):
        tracks = [Track(), Track()]
        for track, called in zip(tracks, (function, decorated), strict=True):
            called(track, n)
            held = track.y if function is Track.run else track.best
            assert not n or held is track.ys[-1]
            track.y += 1.0
        assert repr(tracks[0].__dict__) == repr(tracks[1].__dict__)
    assert "x compiled" in str(decorated.report())


def test_of_a_list_of_which_an_array_is_made_nobody_sees_the_items() -> None:
    text = "def f(x, xs, n):\n    for i in range(n):\n        {}\n    return np.array(xs)\n"
    compiled: Native = native(spent=["xs"])(function_of(text.format(ONE_ARRAY["of an iteration before"])))
    x = np.array([1.0, -2.5, 3.0])
    np.testing.assert_array_equal(compiled(x, [], 12), compiled.function(x, [], 12))
    assert "compiled" in compiled.runs
