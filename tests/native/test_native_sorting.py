"""Lists of numbers that a compiled loop sorts or turns round."""

from __future__ import annotations

import copy
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

PROGRAMS = {
    "a window": """
        for i in range(n):
            window = []
            for k in range(7):
                window.append(x[(i * 3 + k) % len(x)])
            window.sort()
            out[i] = window[len(window) // 2] + window[0]
        return out
    """,
    "sorted anew": """
        for i in range(n):
            window = [x[(i * 3 + k) % len(x)] for k in range(i % 40)]
            window = sorted(window, reverse=True)
            window.reverse()
            if window:
                out[i] = window[len(window) // 2] * 2 + window[-1]
        return out
    """,
    "a given list": """
        for i in range(n):
            xs[i % len(xs)] = i * 7 % 11
            xs.sort(reverse=True)
            out[i] = xs[2]
            if i % 3 == 0:
                xs.reverse()
        return out
    """,
    "displays": """
        for i in range(1, n):
            middle = np.median([x[i % 9], x[(i + 2) % 9], 0.5])
            out[i] = middle + np.linalg.norm([x[0], i]) + np.linalg.norm((x[1], x[2], 2.0))
            out[i - 1] += 0.5 * out[i]
        return out
    """,
}
AS_WRITTEN = {
    "a key": """
        for i in range(n):
            pair = [x[i % 9], x[i * 2 % 9]]
            pair.sort(key=abs)
            out[i] = pair[0]
        return out
    """,
    "another name": """
        for i in range(n):
            window = [x[i % 9], x[i * 2 % 9], 0.5]
            kept = window
            window = sorted(window)
            out[i] = kept[0] + window[0]
        return out
    """,
}
NUMBERS = np.random.default_rng(1).normal(size=50)
GIVEN: dict[str, Callable[[], Any]] = {
    "floats": lambda: NUMBERS.copy(),
    "two zeros": lambda: np.where(NUMBERS > 0.5, -0.0, np.where(NUMBERS < -0.5, 0.0, NUMBERS)),
    "not-a-number": lambda: np.where(NUMBERS > 1, np.nan, NUMBERS),
    "integers": lambda: (NUMBERS * 10).astype(int),
    "short integers": lambda: (NUMBERS * 10).astype(np.int16),
    "float32": lambda: NUMBERS.astype(np.float32),
    "truth values": lambda: NUMBERS > 0,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*PROGRAMS, *AS_WRITTEN])
@pytest.mark.parametrize("kind", GIVEN)
def test_same_outcome(name: str, kind: str, make: Callable[[str], Native]) -> None:
    body = textwrap.indent(textwrap.dedent({**PROGRAMS, **AS_WRITTEN}[name]), "    ")
    compiled = make(f"def f(x, xs, out, n):\n{body}\n")
    for xs in ([5, 3, 2, 8], [1.5, 2.5, 0.5], [5.0, 3, 2, 8]):
        given = (GIVEN[kind](), xs, np.zeros(90), 90)
        before, after = copy.deepcopy(given), copy.deepcopy(given)
        assert repr(compiled(*after)) == repr(compiled.function(*before))
        assert repr(after) == repr(before)
    if name not in AS_WRITTEN and kind not in ("two zeros", "not-a-number"):
        assert compiled.runs["compiled"] >= (1 if name == "a given list" else 3)
