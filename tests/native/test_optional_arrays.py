"""Names that hold None, or nothing, until an array is bound to them: the same as written."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

PROGRAMS = {
    "the least": """
        least = None
        for i in range(n):
            x = 0.5 * x + i % 3
            if best is None or x[0] < least:
                best, least = x.copy(), x[0]
        return best, least, x
    """,
    "until it settles": """
        before = best
        while before is None or np.abs(x - before).max() > 0.01:
            before = x.copy()
            x = 0.5 * x + 1
        return x, before
    """,
    "read unset": """
        for i in range(n):
            if i == k:
                best = x * i
            x = x + 1
            if i > m:
                x = x + best
        return x, best
    """,
    "nothing before": """
        for i in range(n):
            if i == k:
                last = x + i
            x = x * 0.5
        return last, x
    """,
    "in an inner loop": """
        total = 0.0
        for i in range(n):
            found = None
            for j in range(3):
                if x[j] > i - k:
                    found = x * j
            if found is not None and found[0] >= 0:
                total += found.sum()
            x = x + 0.25
        return total, x
    """,
    "dropped again": """
        for i in range(n):
            if i % 4 == k:
                best = x + i
            if i % 4 == m:
                best = None
            if best is not None:
                best[0] += 1
                x = x + best[1]
        return best, x
    """,
    "given, and dropped": """
        for i in range(n):
            if i == m:
                best = None
        return best, x
    """,
    "given, and bound anew": """
        for i in range(n):
            if i == m:
                best = None
            if i == k:
                best = x[::-1]
        return x, best
    """,
    "another name": """
        other = None
        for i in range(n):
            if i > k:
                other = best
            if i == m:
                best = x
            x = x + (1 if other is None else other[0])
        return other, best, x
    """,
    "a view": """
        for i in range(n):
            if i == k:
                best = x[1:]
            x[1] += i
            total = 0.0 if best is None else best[0]
        return best, x, n
    """,
    "deleted": """
        for i in range(n):
            found = x + i
            if i == k:
                del found
            if i == m:
                x = x + found
        return x
    """,
    "returned early": """
        for i in range(n):
            if i == k:
                best = x * 2
            if i == m:
                return best, i
            x = x + 0.5
        return best, n
    """,
    "added to": """
        for i in range(n):
            if best is None:
                best = np.zeros(4)
            best += x
            x = x * 0.75
        return best
    """,
    "run over": """
        total = 0.0
        for i in range(n):
            if i >= k:
                best = x + i
            if i > m:
                for each in best:
                    total += each
        return total
    """,
}


def text_of(body: str) -> str:
    return "def f(x, best, n, k, m):" + textwrap.indent(textwrap.dedent(body), "    ") + "\n"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_outcome(name: str, make: Callable[[str], Native]) -> None:
    compiled = make(text_of(PROGRAMS[name]))
    random = np.random.default_rng(5)
    for _ in range(30):
        x = random.integers(0, 9, 4) / 4
        best = None if random.random() < 0.5 else x + 1
        given = (x, best, *(int(each) for each in random.integers((0, -1, -1), (12, 6, 6))))
        compiled._repeated = 0
        assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), given
    assert compiled.runs["compiled"] >= 8, compiled.runs


OTHERS = {
    "a number": "best = 1.0",
    "another rank": "best = x[:, None] * x",
    "other elements": "best = x > 1",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OTHERS)
def test_names_of_several_kinds_stay(name: str, make: Callable[[str], Native]) -> None:
    loop = f"\nfor i in range(n):\n    if i == k:\n        {OTHERS[name]}\n"
    loop += "    if i == m:\n        best = x + i\n"
    compiled = make(text_of(f"{loop}return best"))
    for best, n, k, m in ((None, 9, 3, 5), (None, 9, 5, 3), (None, 2, 3, 5), (np.zeros(4), 2, 3, 5)):
        given: tuple[Any, ...] = (np.arange(4.0), best, n, k, m)
        assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), given


def test_arrays_of_single_bytes_and_truth_values(make: Callable[[str], Native]) -> None:
    body = "\nfor i in range(n):\n    if i == k:\n        best = x.copy()\nreturn best, x"
    compiled = make(text_of(body))
    for dtype in (bool, np.uint8, np.float32, np.int64):
        for k in (2, 20):
            given = (np.ones((2, 3), dtype), None, 9, k, 0)
            assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given), given
    assert set(compiled.runs) == {"compiled"}
