"""Calls of a step of statements like an earlier one skip the guards on types and shapes, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base.errors import NprewriteWarning
from nprewrite.runtime.api import guards, repeated


def written(rate: float, x: Array, u: Array, p: Array) -> tuple[Any, ...]:
    u[1:-1] = rate * (u[2:] + u[:-2]) + x[1:-1]
    p = p * x + u
    return p, p.sum(), p > rate, x


@npr.step(
    constants={"rate": "float64"},
    inputs={"x": "float64"},
    state={"u": "float64"},
    carried={"p": "float64"},
    out={"total": "float64", "above": "bool", "same": "float64"},
    once=True,
    compile=True,
)
def mixed_step(rate: Any, x: Array, u: Array, p: Array) -> tuple[Any, ...]:
    u[1:-1] = rate * (u[2:] + u[:-2]) + x[1:-1]
    p = p * x + u
    return u, p, p.sum(), p > rate, x


def given(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {"rate": 0.5, "x": rng.random((6, 5)), "u": rng.random((6, 5)), "p": rng.random((6, 5))}


def ran(step: npr.Step, arguments: dict[str, Any]) -> tuple[Any, ...] | None:
    """The results of a call; None where it runs as written."""
    for _ in (loop := step.over(range(1), **arguments)):
        return None
    return loop.results


@pytest.fixture(scope="module")
def graph() -> npr.Step:
    """A step that has run compiled once."""
    return mixed_step


@pytest.fixture
def step(graph: npr.Step) -> npr.Step:
    graph.repeated.clear()
    assert ran(graph, given()) is not None
    assert len(graph.repeated) == 1
    return graph


def transposed(arguments: dict[str, Any]) -> None:
    for name in ("x", "u", "p"):
        arguments[name] = np.asfortranarray(arguments[name])


def every_other(arguments: dict[str, Any]) -> None:
    for name in ("x", "u", "p"):
        arguments[name] = np.repeat(arguments[name], 2, axis=1)[:, ::2]


def read_only(arguments: dict[str, Any]) -> None:
    arguments["x"].setflags(write=False)


def nothing(arguments: dict[str, Any]) -> None:
    """The same again."""


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "alike": nothing,
    "another rate": lambda arguments: arguments.update(rate=0.25),
    "a negative zero": lambda arguments: arguments.update(rate=-0.0),
    "an integer": lambda arguments: arguments.update(rate=1),
    "transposed": transposed,
    "every other": every_other,
    "read-only": read_only,
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_results_are_those_of_the_program_as_written(step: npr.Step, change: str) -> None:
    for seed in (1, 2, 3):
        arguments, wanted = given(seed), given(seed)
        CHANGES[change](arguments)
        CHANGES[change](wanted)
        found = ran(step, arguments)
        assert found is not None
        right = written(**wanted)
        for one, other in zip(found, right, strict=True):
            assert type(one) is type(other)
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-12)
        assert found[0].flags.f_contiguous == right[0].flags.f_contiguous
        np.testing.assert_allclose(arguments["u"], wanted["u"], rtol=1e-12)
        np.testing.assert_array_equal(arguments["p"], wanted["p"])
        new = [each for each in found if isinstance(each, np.ndarray)]
        arrays = [each for each in arguments.values() if isinstance(each, np.ndarray)]
        for one, other in itertools.combinations([*new, *arrays], 2):
            assert not np.may_share_memory(one, other)


def test_a_call_like_an_earlier_one_is_not_looked_at_anew(
    step: npr.Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked_at(*_: object) -> None:
        raise AssertionError("looked at anew")

    monkeypatch.setattr(guards, "check_arrays", looked_at)
    before = step.runs["compiled"]
    assert ran(step, given(4)) is not None
    assert step.runs["compiled"] == before + 1
    with pytest.raises(AssertionError, match="looked at anew"):
        ran(step, given(4) | {"x": np.ones((6, 4))})


def shared(arguments: dict[str, Any]) -> None:
    arguments["x"] = arguments["u"]


def single(arguments: dict[str, Any]) -> None:
    arguments["x"] = arguments["x"].astype(np.float32)


def fixed(arguments: dict[str, Any]) -> None:
    arguments["u"].setflags(write=False)


def scalar(arguments: dict[str, Any]) -> None:
    arguments["rate"] = np.float32(0.5)


@pytest.mark.parametrize("change", [shared, single, fixed, scalar])
def test_what_a_guard_refuses_is_refused_later_too(
    step: npr.Step, change: Callable[[dict[str, Any]], None]
) -> None:
    arguments = given(5)
    change(arguments)
    before = {name: np.copy(each) for name, each in arguments.items()}
    with pytest.warns(NprewriteWarning, match="as written"):
        found = ran(step, arguments)
    assert found is None
    for name, each in before.items():
        np.testing.assert_array_equal(arguments[name], each)


def test_errors_that_the_user_watches_are_watched(step: npr.Step) -> None:
    with np.errstate(divide="raise"), pytest.warns(NprewriteWarning, match="seterr"):
        found = ran(step, given(6))
    assert found is None
    assert ran(step, given(6)) is not None


def test_the_environment_is_asked_at_every_call(step: npr.Step, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    before = step.runs["numpy"]
    assert ran(step, given(7)) is not None
    assert step.runs["numpy"] == before + 1


@npr.step(inputs={"x": "float64"}, out={"y": "float64"}, once=True, compile=True)
def double_step(x: Array) -> tuple[Array, ...]:
    return (x * 2,)


def test_only_so_many_kinds_of_calls_are_remembered() -> None:
    for length in (*range(3, 4 + repeated.KINDS), 3):
        found = ran(double_step, {"x": np.full(length, 1.5)})
        assert found is not None
        np.testing.assert_array_equal(found[0], np.full(length, 3.0))
    assert len(double_step.repeated) == repeated.KINDS


@npr.step(
    inputs={"x": "float64"},
    out={"y": "float64", "copied": "float64", "flat": "float64"},
    once=True,
    compile=True,
)
def copied_step(x: Array) -> tuple[Array, Array, Array]:
    y = np.ones(x.shape)
    y += x * 2.0
    return y, y.copy(), y.reshape(-1).copy()


def test_copies_are_arrays_of_their_own() -> None:
    """Inductor returns one array for all of them."""
    for _ in range(3):
        found = ran(copied_step, {"x": np.ones((6, 5))})
        assert found is not None
        for one, other in itertools.combinations(found, 2):
            assert not np.shares_memory(one, other)
        found[0][0, 0] = 7.0
        assert [each.flat[0] for each in found[1:]] == [3.0, 3.0]
    assert copied_step.repeated
