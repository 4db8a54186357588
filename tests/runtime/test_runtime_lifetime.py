"""What a function lets go of is gone at once, as in the program as written, with no help of the collector."""

from __future__ import annotations

import gc
import linecache
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime.api.step import Step

pytestmark = pytest.mark.filterwarnings("ignore")

_TEXT = """import weakref
import numpy as np
import numpy.typing as npt


def run(n: int, trips: int, dead: list, w: npt.NDArray[np.float64]):
    x = np.ones(n)
    c = np.ones(n)
    u = np.ones(n)
    rows = []
    first, others = weakref.ref(x), [weakref.ref(c), weakref.ref(u)]
{loop}
    dead.append(first() is None)
    last = weakref.ref(x)
    x = None
    dead.append(last() is None)
    c = u = None
    dead.append([each() is None for each in others])
    return trips
"""
_LOOPS = {
    "counted": """
    for m in range(trips):
        x = x * 0.5 + c * m * w
        u[1:-1] += 0.5 * (x[2:] - x[:-2])
""",
    "ahead": """
    t = 0.0
    while t < trips:
        x = x * 0.5 + c * t * w
        t += 1.0
""",
    "received": """
    change = 1.0
    while change > 1e-3:
        new = x * 0.5 + c * 0.25 * w
        change = np.abs(new - x).max()
        x = new
    new = None
""",
    "part": """
    for m in range(trips):
        x = x * 0.5 + c * m * w
        u[1:-1] += 0.5 * (x[2:] - x[:-2])
        if m % 2:
            rows.append(u.copy())
""",
    "part breaks": """
    for m in range(trips):
        x = x * 0.5 + c * m * w
        if x.max() > 2:
            break
""",
    "part raises": """
    try:
        for m in range(trips):
            x = x * 0.5 + c * m * w
            rows.append(x[[m, n][m > 3]])
    except IndexError:
        pass
""",
    "a number raises": """
    try:
        for m in range(trips):
            x = x * 0.5 + c * (1 / (m - 3)) * w
    except ZeroDivisionError:
        pass
""",
    "an iteration raises": """
    try:
        for m in range(trips):
            x = x * 0.5 + c[1:] * w
    except ValueError:
        pass
""",
}


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def _module(text: str, name: str) -> dict[str, Any]:
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    made: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), made)
    return made


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("name", _LOOPS)
@pytest.mark.usefixtures("in_numpy")
def test_nothing_outlives_a_loop(name: str, turns: bool, dtype: str) -> None:
    _check(name, turns, dtype)


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("name", ["counted", "received", "part"])
def test_nothing_outlives_a_compiled_loop(name: str, turns: bool) -> None:
    steps = _check(name, turns, "float64")
    assert any(each.runs["compiled"] for each in steps)


def _check(name: str, turns: bool, dtype: str) -> list[Step]:
    """Run a loop that a guard refuses for float32, several times."""
    text = _TEXT.format(loop=_LOOPS[name].strip("\n"))
    before = _module(text, "before.py")
    after = _module(rewrite_source(text, "lifetime.py", Options()).text, "after.py")
    steps = [each for each in after.values() if isinstance(each, Step)]
    assert steps
    for each in steps:
        each.takes_turns = turns
    for _ in range(4):
        wanted: list[Any] = []
        found: list[Any] = []
        before["run"](64, 6, wanted, np.ones(64, dtype))
        after["run"](64, 6, found, np.ones(64, dtype))
        assert found == wanted
    return steps


@nprewrite.jit
def region(x: Any, y: Any) -> Any:
    z = x * 0.5 + y
    y[...] = z * z - x
    return z + y


@nprewrite.jit
def scalars(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + y[i]
        total += x[i]
    return total


@nprewrite.jit
def refused(x: Any, y: Any) -> Any:
    for m in range(5):
        x = x * 0.5 + y[m:]
    return x


@pytest.mark.parametrize("function", [region, scalars, refused])
@pytest.mark.parametrize("disabled", [False, True])
def test_a_call_keeps_nothing(function: Any, disabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if disabled:
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    for dtype in ("float64", "float64", "float64", "float64", "float32", "complex128"):
        x, y = np.ones(64, dtype), np.ones(64, dtype)
        kept, result = [weakref.ref(x), weakref.ref(y)], None
        try:
            result = function(x, y)
            kept += [weakref.ref(result)] if isinstance(result, np.ndarray) else []
        except ValueError:
            pass
        del x, y, result
        assert [each() is None for each in kept] == [True] * len(kept), dtype
