"""Integers that a step takes as lengths of arrays and bounds of slices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.base.errors import FallbackError
from nprewrite.runtime.torch import artifacts

Array = np.ndarray[Any, Any]


def _framed(n: int, m: int, x: Array) -> tuple[Array, ...]:
    z = np.zeros((n, m))
    z[1 : n - 1] = x[1 : n - 1, :m] * 2
    return z + np.arange(m), np.eye(n, dtype=np.int64)


def _ramps(n: int) -> tuple[Array, ...]:
    return (np.arange(n) * 2 + np.ones(n, dtype=np.int64),)


def framed() -> Any:
    declared = npr.step(
        sizes=("n", "m"),
        inputs={"x": "float64"},
        out={"z": "float64", "unit": "int64"},
        once=True,
        compile=True,
    )
    return declared(_framed)


def ramps() -> Any:
    return npr.step(sizes=("n",), out={"t": "int64"}, once=True, compile=True)(_ramps)


@pytest.fixture(params=["compiled", "numpy"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    return str(request.param)


def results(step: Any, **arguments: Any) -> tuple[Any, ...]:
    loop = step.over(range(1), **arguments)
    assert list(loop) == []
    found: tuple[Any, ...] = loop.results
    return found


def same(found: tuple[Any, ...], wanted: tuple[Array, ...]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("n", "m"), [(5, 4), (6, 3), (2, 1), (1, 1), (3, 0), (9, 9)])
def test_arrays_of_any_length(way: str, n: int, m: int) -> None:
    x = np.arange(100.0).reshape(10, 10)
    same(results(framed(), n=n, m=m, x=x), _framed(n, m, x))


def test_a_graph_serves_all_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    made, graph = [], artifacts.graph
    monkeypatch.setattr(artifacts, "graph", lambda *given: made.append(given) or graph(*given))
    one, other = framed(), ramps()
    for n in (7, 8, 11, 30, 5):
        x = np.ones((n + 2, 2 * n))
        same(results(one, n=n, m=n + 1, x=x), _framed(n, n + 1, x))
        same(results(other, n=n), _ramps(n))
    assert len(made) == 4


def test_what_is_made_is_new_in_each_call(way: str) -> None:
    step = ramps()
    (first,), (second,) = results(step, n=4), results(step, n=4)
    first += 1
    same((second,), _ramps(4))


@pytest.mark.parametrize("n", [-1, 2.0, True, np.int64(3), None, 1 << 40])
def test_what_is_no_length_runs_as_written(way: str, n: Any) -> None:
    loop = ramps().over(range(1), n=n)
    if isinstance(n, int) and type(n) is int:
        assert list(loop) == [0]
    else:
        with pytest.warns(match="expected a Python int"):
            assert list(loop) == [0]
    assert not loop.finished


def _cube(n: int) -> tuple[Array, ...]:
    return (np.ones((n, n, n)) * 2,)


def test_memory_that_is_not_there_is_asked_for_as_written() -> None:
    step = npr.step(sizes=("n",), out={"z": "float64"}, once=True, compile=True, on_fallback="raise")(_cube)
    with pytest.raises(FallbackError):
        list(step.over(range(1), n=1 << 20))


def test_sizes_are_of_whole_arrays() -> None:
    with pytest.raises(ValueError, match="sizes"):
        npr.step(sizes=("n",), state={"x": "float64"}, lanewise=True)(_ramps)
