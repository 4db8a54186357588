"""Loops that keep lists as heaps, by ``heapq.heappush`` and ``heapq.heappop``, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import outcome

from nprewrite.runtime import Native

Make = Callable[[str], Native]

LOOPS: dict[str, tuple[str, list[Any]]] = {
    "integers": ("heappush(xs, i * 7 % 11)", []),
    "what is there": ("heappush(xs, i * 7 % 11)\n        y += heappop(xs)", [3, 8, 4]),
    "floats": ("heappush(xs, a[i * 5 % 9])\n        if i > 4:\n            y += heappop(xs)", []),
    "many": ("for j in range(40):\n            heappush(xs, i * j * j % 101)\n        y += heappop(xs)", []),
    "integers and floats": ("heappush(xs, i if i % 2 else i * 0.5)\n        y += heappop(xs)", [1, 2.5, 4]),
    "equal numbers of several types": ("heappush(xs, i % 2 if i % 3 else i % 2 * 1.0)", [True]),
    "two zeros": ("heappush(xs, 0.0 * (i - 4))", []),
    "pairs": (
        "heappush(xs, (a[i * 5 % 9], i))\n        u, v = heappop(xs)\n        y += u * v",
        [(0.25, 7), (0.5, 1)],
    ),
    "equal first numbers": ("heappush(xs, (i % 2, -i, i * 0.5))", []),
    "pairs of several types": ("heappush(xs, (i if i % 2 else i * 0.5, i))", [(0, 4)]),
    "the least": ("heappush(xs, (i * 7 % 5, i))\n        y += xs[0][1] + len(xs)", []),
    "until it is empty": (
        "heappush(xs, (i, 1))\n        while xs:\n            u, v = heappop(xs)\n            y += u * v",
        [(3, 1), (5, 2), (4, 4)],
    ),
    "pairs for nothing": ("heappush(xs, (-i, i))\n        if len(xs) > 3:\n            heappop(xs)", []),
    "taken for nothing": ("heappush(xs, -i)\n        if len(xs) > 3:\n            heappop(xs)", []),
    "by the name of the module": ("heapq.heappush(xs, -i)\n        y += heapq.heappop(xs)", [4]),
    "appended as well": ("xs.append(9 + i)\n        y += heappop(xs)", [1, 2, 3]),
    "nothing to take": ("if i > 3:\n            y += heappop(xs)", [1, 2]),
    "nothing to take, after a change": ("heappush(xs, i)\n        heappop(xs)\n        heappop(xs)", [1]),
    "raises in the middle": ("heappush(xs, i * 5 % 7)\n        y += 1 // (5 - i)", [4]),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_same_heaps(name: str, make: Make) -> None:
    """With items of the same types, in the same places."""
    body, heap = LOOPS[name]
    compiled = make(_text(body))
    assert _outcome(compiled, heap) == _outcome(compiled.function, heap)
    assert [*compiled.runs] == ["compiled"]


AS_WRITTEN: dict[str, tuple[str, list[Any]]] = {
    "not-a-number": ("heappush(xs, a[i] if i != 5 else np.nan)", [0.25, 0.5]),
    "large integers beside floats": ("heappush(xs, 2 ** 60 + i if i % 2 else i * 0.5)", []),
    "items of several lengths": ("heappush(xs, (i, 1))", [(1, 2, 3)]),
    "strings": ("heappush(xs, (i, 'a'))", []),
    "other floats": ("heappush(xs, np.float32(i))", []),
    "taken from while it is run over": (
        "for u in xs:\n            y += u\n            if len(xs) > 2:\n                heappop(xs)",
        [0, 5, 1, 7],
    ),
    "no list": ("heappush(a, i)", []),
}


@pytest.mark.filterwarnings("ignore:.*runs as written")
@pytest.mark.parametrize("name", AS_WRITTEN)
def test_what_is_left_to_the_program(name: str, make: Make) -> None:
    body, heap = AS_WRITTEN[name]
    compiled = make(_text(body))
    assert _outcome(compiled, heap) == _outcome(compiled.function, heap)
    assert "compiled" not in compiled.runs


def test_random_heaps(make: Make) -> None:
    body = "if k[i]:\n            heappush(xs, (k[i], i))\n        elif xs:\n            heappop(xs)"
    compiled = make(_text(body))
    rng = np.random.default_rng(5)
    for _ in range(40):
        expected: list[Any] = []
        found: list[Any] = []
        k = rng.integers(-2, 9, 200)
        for function, heap in ((compiled.function, expected), (compiled, found)):
            function(200, k, k, heap)
        assert repr(found) == repr(expected)
    assert compiled.runs == {"compiled": 40}


def _text(body: str) -> str:
    imports = "import heapq\nfrom heapq import heappop, heappush\n"
    return f"{imports}def f(n, a, k, xs):\n    y = 1\n    for i in range(n):\n        {body}\n    return y\n"


def _outcome(function: Callable[..., Any], heap: list[Any]) -> str:
    return outcome(function, (9, np.linspace(0, 1, 9), np.arange(9)), [heap])
