"""What compiled loops raise: type, text, place and the arrays are those of the loop as written."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sources import function_of

from nprewrite.base.errors import NprewriteWarning
from nprewrite.runtime import Native, native

HEAD = """
def f(x, m, k, t):
    for i in range(6):
        x[i] = i + 1
        {}
    return k
"""
OWN = """
class Diverged(Exception):
    def __init__(self, place, value):
        super().__init__(f"{place}: {value}")


def f(x, k):
    for i in range(len(x)):
        x[i] = x[i] * x[i] - k
        if x[i] > 1000:
            raise Diverged(i, x[i])
    return k
"""
STATEMENTS = [
    "x[i] = x[i + k]",
    "x[i - k - 4] = 7",
    "x[k * i] += 1",
    "x[i] = m[i, 0]",
    "x[i] = m[0, i]",
    "x[i] = m[0][i]",
    "m[k - 9][i] = 1",
    "x[i] = m[0, i - 4] + m[-4, 0]",
    "x[i] = m[i][:].sum()",
    "x[i] = (x[1:3] + 1)[i]",
    "x[i] = x[np.array([1, 5, i + 4])].sum()",
    "x[i] = (k +\n            k // (i - 3))",
    "x[i] = k % (i - 3)",
    "x[i] = k / (i - 3)",
    "x[i] = t / (i - 3)",
    "x[i] = t // (i - 3.0)",
    "x[i] = t % (i - 3.0)",
    "x[i] = (i - 3.0) ** -1.0",
    "x[i] = (t + i) ** 300.0",
    "x[i] = 1 << (3 - i)",
    "x[i] = k >> (3 - i)",
    "x[i] = math.sqrt(3.0 - i)",
    "x[i] = (\n            math.log(3 - i))",
    "x[i] = math.exp(t * i)",
    "x[i] = math.cosh(t * i)",
    "x[i] = math.fmod(t, 3.0 - i)",
    "x[i] = np.int64(2) ** np.int64(3 - i)",
    "for j in range(0, 4, i - 3): x[i] += j",
    "a, b = x[:i]",
    "a, b, c = m[i % 2]",
    "for a, b, c in m: x[i] += a",
    "x[i] = x[:3 - i].max()",
    "x[i] = np.argmin(x[:3 - i])",
    "x[i] = np.zeros(3 - i).sum()",
    "x[i] = np.zeros((2, 3 - i)).sum()",
    "if i > 5: late = 1\n        if i == 3: x[i] = late",
    "x[i] = np.uint8(200) + (k + i * 90)",
    "x[i] = np.int8(k + i * 30)",
    "x[np.uint64(i) - np.uint64(4)] = 0",
    "if i == 4: raise ValueError(f'bad {i}')",
    "assert x[i] < 5, f'bad {i}'",
    "assert i not in (1 - k, 4)",
]


def _told(function: Callable[..., Any], arguments: tuple[Any, ...]) -> dict[str, Any]:
    """What a call raises, where, and what the arrays hold afterwards."""
    passed = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    with pytest.raises(Exception) as raised, np.errstate(all="ignore"):  # noqa: PT011
        function(*passed)
    file = getattr(function, "__wrapped__", function).__code__.co_filename
    *_, frame = (each for each in traceback.extract_tb(raised.value.__traceback__) if each.filename == file)
    return {
        "type": raised.type,
        "text": str(raised.value),
        "place": (frame.filename, frame.lineno, frame.name),
        "context": raised.value.__context__,
        "arrays": [each.tolist() for each in passed if isinstance(each, np.ndarray)],
    }


ARGUMENTS = (np.zeros(8), np.arange(4.0).reshape(2, 2), 5, 250.0)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_exceptions_are_those_of_the_loop_as_written(statement: str, make: Callable[[str], Native]) -> None:
    compiled = make(HEAD.format(statement))
    assert _told(compiled, ARGUMENTS) == _told(compiled.function, ARGUMENTS)


@pytest.mark.parametrize("statement", ["x[i] = x[i + k]", "x[i] = k // (i - 3)", "x[i] = math.sqrt(3.0 - i)"])
def test_errors_do_not_run_the_loop_once_more(statement: str, make: Callable[[str], Native]) -> None:
    compiled = make(HEAD.format(statement))
    told = _told(compiled, ARGUMENTS)
    assert compiled.runs == {"compiled": 1}, told


def test_the_expression_that_failed_is_marked(make: Callable[[str], Native]) -> None:
    compiled = make(HEAD.format("x[i] = (x[i] +\n            x[i + k])"))
    marks = [_marked(each) for each in (compiled, compiled.function)]
    assert marks[0] == marks[1]


def _marked(function: Callable[..., Any]) -> tuple[int | None, ...]:
    with pytest.raises(IndexError) as raised:
        function(*[each.copy() if isinstance(each, np.ndarray) else each for each in ARGUMENTS])
    frame = traceback.extract_tb(raised.value.__traceback__)[-1]
    return frame.lineno, frame.end_lineno, frame.colno, frame.end_colno


def test_names_of_tuples_are_the_users(make: Callable[[str], Native]) -> None:
    text = """
def f(x, m, k, t):
    for i in range(6):
        if x[i] > k:
            best = (i, x[i])
        x[i] = i
    a, b = best
    return a, b
"""
    compiled = make(text)
    assert _told(compiled, ARGUMENTS) == _told(compiled.function, ARGUMENTS)


@pytest.mark.parametrize("reached", ["i > s", "s < i and i > 0", "i == s"])
@pytest.mark.parametrize(
    "value", ["i // s", "k % (i - s)", "i // (s - i)", "i // s % (s // i)", "1 << (i - s)"]
)
def test_what_is_never_reached_is_of_no_size(
    reached: str, value: str, make: Callable[[str], Native], recwarn: pytest.WarningsRecorder
) -> None:
    """The range of ``i`` is empty where ``i`` is at most 1 and above 2."""
    compiled = make(f"def f(x, k, s):\n for i in range(len(x)):\n  if {reached}: x[i] += {value}\n")
    x = np.arange(2)
    compiled(x, 5, 300)
    assert x.tolist() == [0, 1]
    assert compiled.runs["compiled"] == 1, (compiled.runs, *recwarn)


def test_a_fault_of_the_lowering_leaves_the_loop_as_written(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(import_module("nprewrite.runtime.numba.kept_lowered"), "lower", lower)
    compiled, x = make("def f(x):\n for i in range(len(x)):\n  x[i] = i\n"), np.ones(3)
    with pytest.warns(NprewriteWarning, match="ZeroDivisionError: a mistake. This is a fault of nprewrite"):
        compiled(x)
    assert x.tolist() == [0, 1, 2]


def test_an_exception_does_not_keep_the_arrays_alive() -> None:
    import gc
    import weakref

    compiled = native(function_of(HEAD.format("x[i] = x[i + k]")))
    array = np.zeros(8)
    gc.disable()
    try:
        with pytest.raises(IndexError):
            compiled(array, ARGUMENTS[1].copy(), 5, 1.0)
        kept = weakref.ref(array)
        del array
        assert kept() is None
    finally:
        gc.enable()


COUNTED = """
def f(x):
    for i in range(len(x)):
        x[i] = math.sin(x[i]) + np.sqrt(x[i]) + abs(x[i])
"""


@pytest.mark.filterwarnings("ignore::nprewrite.NprewriteWarning")
@pytest.mark.parametrize("name", ["math.sin", "numpy.sqrt", "builtins.abs"])
@pytest.mark.parametrize("first", [True, False])
def test_functions_that_a_program_replaces_are_called(
    name: str, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, attribute = name.partition(".")
    made = native(function_of(COUNTED))
    calls = []
    if first:
        made(np.ones(4))
        assert made.runs == {"compiled": 1}
    with monkeypatch.context() as patched:
        patched.setattr(import_module(module), attribute, lambda value: calls.append(value) or 3.0)
        made(np.ones(4))
    assert calls.count(1.0) >= 4
    made(np.ones(4))
    why = "a name was replaced" if first else "unknown-call"
    assert made.runs == {"compiled": 1 + first, f"as written: {why}": 1}


def test_an_exception_of_the_programs_own_is_made_where_the_loop_runs_as_written(
    make: Callable[[str], Native],
) -> None:
    compiled, arguments = make(OWN), (np.array([1.0, 20.0, 40.0, 80.0]), 2)
    assert _told(compiled, arguments) == _told(compiled.function, arguments)
    compiled(np.ones(3), 2)
    assert compiled.runs["compiled"] == 1
