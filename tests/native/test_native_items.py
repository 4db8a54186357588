"""Elements as numbers of Python's: ``x.item(i, j)``, ``x[i].item()``."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

PROGRAMS = {
    "of places": """
        t, u = 0, None
        for i in range(n):
            for j in range(3):
                t = t * 3 % 1000 + x.item(i % len(x), j)
                u = x[i % len(x), -j].item()
            v = x[0, 0] * 2
        return t, u, v.item()
    """,
    "in a list": """
        for i in range(n):
            found.append(x.item(i % 3, 1))
            found.append(x[i % 3, 0].item() // 2)
        return len(found)
    """,
    "out of range": """
        t = 0.5
        for i in range(n):
            t = t * 0.5 + x.item(i, 2)
            x[i % 4, 0] = 1
        return t
    """,
}
AS_WRITTEN = {
    "of all elements": """
        t = 0
        for i in range(n):
            t += x.item(i % x.size) + x[i % 3, 0]
        return t
    """,
    "of a number of Python's": """
        for i in range(n):
            x[0, 0] = i.item()
        return x
    """,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*PROGRAMS, *AS_WRITTEN])
@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float64", "float32"])
def test_same_outcome(name: str, dtype: str, make: Callable[[str], Native]) -> None:
    body = textwrap.indent(textwrap.dedent({**PROGRAMS, **AS_WRITTEN}[name]), "    ")
    compiled = make(f"def f(x, n, found):\n{body}\n")
    for n in (9, 40):
        before, after = ((np.arange(30).reshape(10, 3) * 1.5).astype(dtype) for _ in range(2))
        assert _outcome(compiled, after, n) == _outcome(compiled.function, before, n)
        assert repr(after) == repr(before)
    assert (compiled.runs["compiled"] == 2) == (name in PROGRAMS)


def _outcome(function: Callable[..., Any], x: Any, n: int) -> str:
    try:
        found: list[Any] = []
        return repr((function(x, n, found), found))
    except (AttributeError, IndexError, TypeError) as error:
        return repr(error)
