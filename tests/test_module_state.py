"""Runs that nobody is to see leave the variables of the module as they were."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.comparison import Case, verify
from nprewrite.decorated import turns
from nprewrite.decorated.module_state import ModuleState, leaving_no_trace

U = np.zeros(50)
LOG: list[np.ndarray] = []
RNG = np.random.default_rng(3)
calls = 0


class Clock:
    def __init__(self) -> None:
        self.time = 0.0
        self.steps = [0]


CLOCK = Clock()


def advance(x: np.ndarray, n: int) -> tuple[np.ndarray, int]:
    global calls
    for _ in range(n):
        U[1:-1] += x[1:-1] * 0.5 + np.sin(x[2:])
        calls = calls + 1
    LOG.append(U.copy())
    CLOCK.time += 0.1 * n
    CLOCK.steps.append(n)
    return U, calls


def reset() -> None:
    global calls, CLOCK
    calls, CLOCK = 0, Clock()
    U[:] = 0
    LOG.clear()


@pytest.fixture(autouse=True)
def _anew() -> None:
    reset()


def seen() -> Any:
    return copy.deepcopy((U, LOG, calls, vars(CLOCK)))


@pytest.mark.parametrize("options", [{"verify": "first-call"}, {}])
def test_state_of_the_module_is_changed_once_by_each_call(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not options:
        # As ``nprewrite verify`` has it: the types are seen in a run on copies.
        monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    expected = []
    for n in (3, 2, 4):
        u, count = advance(np.ones(50), n)
        expected.append((u.copy(), count, seen()))
    reset()
    decorated = nprewrite.jit(**options)(advance)
    for n, (u, count, state) in zip((3, 2, 4), expected, strict=True):
        result, after = decorated(np.ones(50), n)
        assert result is U
        assert after == count
        np.testing.assert_array_equal(result, u)
        np.testing.assert_equal(seen(), state)


def test_what_variables_hold_is_put_back() -> None:
    inner = np.arange(3.0)
    table: dict[str, Any] = {"b": [inner], "a": (inner, {1})}
    variables: dict[str, Any] = {"__name__": __name__, "table": table, "rng": RNG, "clock": CLOCK, "n": 1}
    state, drawn = ModuleState(variables), copy.deepcopy(RNG).random(3)
    RNG.random(3)
    inner += 1
    table["b"].append(2)
    table["a"][1].add(5)
    del table["b"]
    CLOCK.time, CLOCK.steps = 5.0, [7]
    variables["new"] = variables.pop("n")
    state.restore()
    assert [*table] == ["b", "a"]
    assert table["b"] == [inner]
    assert table["a"] == (inner, {1})
    assert inner.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(RNG.random(3), drawn)
    assert vars(CLOCK) == {"time": 0.0, "steps": [0]}
    assert variables == {"__name__": __name__, "table": table, "rng": RNG, "clock": CLOCK, "n": 1}


@pytest.mark.parametrize("result", ["u", "(u[2:], 1)", "{'a': [u]}", "table", "[table]"])
def test_a_result_that_the_module_holds_stays_what_it_was(result: str) -> None:
    variables: dict[str, Any] = {"u": np.zeros(5), "table": [1]}
    exec(f"def f():\n    u[:] += 1\n    table.append(2)\n    return {result}", variables)
    found = leaving_no_trace(variables["f"], ModuleState(variables))()
    assert "2" in repr(found) or "1." in repr(found)
    assert variables["u"].tolist() == [0] * 5
    assert variables["table"] == [1]


def test_a_run_that_raises_leaves_no_trace_either() -> None:
    variables: dict[str, Any] = {"u": np.zeros(5)}
    exec("def f():\n    u[:] += 1\n    raise KeyError(1)", variables)
    with pytest.raises(KeyError):
        leaving_no_trace(variables["f"], ModuleState(variables))()
    assert variables["u"].tolist() == [0] * 5


def test_other_answers_in_a_result_of_the_module_are_seen() -> None:
    def wrong(x: np.ndarray, n: int) -> tuple[np.ndarray, int]:
        U[:] = 7
        return U, n

    case = Case("a call", (np.ones(50), 3), {})
    before, after = (leaving_no_trace(each, ModuleState(globals())) for each in (advance, wrong))
    assert not verify(before, after, [case]).same
    assert U.tolist() == [0] * 50


class Lazy:
    """Stands in for a module that is imported when it is first used."""

    def __getattribute__(self, name: str) -> Any:
        raise ModuleNotFoundError(name)


def test_objects_that_stand_in_for_others_are_left_alone() -> None:
    variables: dict[str, Any] = {"__name__": "elsewhere", "lazy": Lazy(), "all": [Lazy()]}
    state = ModuleState(variables)
    assert type(state.apart((variables["lazy"], variables["all"]))) is tuple
    state.restore()
