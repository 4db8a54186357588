"""Loops that show arrays now and then: the same in the same order, whatever the branch does to the loop."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

_PROGRAM = """
import numpy as np

seen = []


def show(*values):
    seen.append([np.copy(each) for each in values])


def run(n: int):
    u, t, i, stop = np.linspace(0, 1, {size}), 0.0, -1, False
{loop}
    return u, t, i
"""
SPLIT = {
    "last": """
for i in range(n):
    u = u + 0.1 * (np.roll(u, 1) - u)
    if i % 7 == 3:
        show(i, u)
""",
    "left, or gone on with": """
for i in range(2, n, 3):
    u = u * 0.9
    if i % 4 == 0:
        show(i, u)
        if i > 40:
            break
        if i > 20:
            continue
    u[0] += 1
    t += 0.5
""",
    "two": """
for i in range(n):
    u = u * 0.9 + 0.1
    if i % 3 == 0:
        show(i, u)
    u[1:-1] = u[1:-1] + 0.1 * u[:-2]
    if i % 5 == 0:
        show(-i, u)
    if u[0] > 1e6:
        break
""",
    "until a time": """
while t < 0.05 * n:
    dt = 0.1 / (1 + u.max())
    u = u + dt * (np.roll(u, -1) - 2 * u + np.roll(u, 1))
    t += dt
    if t + dt > 0.5:
        show(t, u)
    if u[0] > 100:
        break
""",
    "backwards": """
for i in range(n, 0, -1):
    u = u - 0.01 * u
    if i == 1 or i % 10 == 0:
        show(i, u.sum(), u)
""",
    "returned from": """
for i in range(n):
    u = u * 1.1
    if i % 10 == 9:
        show(u)
        if i > 30:
            return u, i
""",
    "raised in": """
for i in range(n):
    u = u * 1.1
    if i == 17:
        show(u)
        raise ValueError(f"{i} {u.sum():.3f}")
""",
    "in a loop": """
for k in range(3):
    for i in range(n):
        u = u * 0.99 + k
        if i % 20 == 0:
            show(k, i, u)
    t += u.sum()
""",
}
LEFT = {
    "other step": """
for i in range(0, n, n // 9 + 1):
    u = u * 1.1
    if i % 10 == 9:
        show(u)
""",
    "variable bound": """
for i in range(n):
    u = u * 1.1
    if i % 10 == 9:
        show(u)
        i = 3
""",
    "else": """
for i in range(n):
    u = u * 1.1
    if i % 10 == 9:
        show(u)
else:
    t = 1.0
""",
    "otherwise": """
for i in range(n):
    u = u * 1.1
    if i % 10 == 9:
        show(u)
    else:
        t += 1.0
""",
}


@pytest.fixture(autouse=True)
def _in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "NPREWRITE_DISABLE", "1")


def _text(loop: str, size: int = 40) -> str:
    return _PROGRAM.format(size=size, loop=loop.replace("\n", "\n    "))


def _rewritten(text: str) -> tuple[str, bool]:
    """What the decorator makes of it, and whether branches were put behind a loop."""
    done = rewrite_source(text, "program.py", Options(), only="run")
    return done.text, any(each.code == "NPR411" and each.outcome is Outcome.REWRITTEN for each in done.sites)


def _answers(text: str) -> list[Any]:
    made: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), made)
    found: list[Any] = []
    for n in (0, 1, 5, 60):
        try:
            found.append(made["run"](n))
        except ValueError as error:
            found.append(str(error))
    return [repr(found), repr(made["seen"])]


@pytest.mark.parametrize("name", SPLIT)
def test_the_same_in_the_same_order(name: str) -> None:
    text = _text(SPLIT[name])
    rewritten, split = _rewritten(text)
    assert split
    assert "while left:" in rewritten
    with np.printoptions(floatmode="unique"):
        assert _answers(rewritten) == _answers(text)


@pytest.mark.parametrize("name", LEFT)
def test_left_as_it_is(name: str) -> None:
    text = _text(LEFT[name])
    rewritten, split = _rewritten(text)
    assert not split
    assert _answers(rewritten) == _answers(text)


def test_large_arrays_are_compiled_as_array_code() -> None:
    assert not _rewritten(_text(SPLIT["last"], size=20_000))[1]
