"""Loops whose numbers a generator computes: ahead, or in turns with the iterations that give some."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite import NprewriteWarning
from nprewrite.runtime.api import numbers


@npr.step(scalars={"t": "float64"}, carried={"u": "float64"}, lanewise=True, chunked=True)
def grow(t: Any, u: Any) -> tuple[Any, ...]:
    return (u + t,)


@npr.step(state={"u": "float64"}, out={"change": "float64"}, received=("change",))
def halve(u: Any) -> tuple[Any, ...]:
    before = u.copy()
    u[...] = 0.5 * u
    change = np.abs(u - before).max()
    return u, change


def times(t: float, end: float) -> Generator[tuple[float], None, tuple[float]]:
    while t < end:
        yield (t,)
        t += 0.5
    return (t,)


def until(change: float, least: float, most: int) -> Generator[tuple[()], tuple[float], tuple[int]]:
    trips = 0
    while change > least and trips < most:
        (change,) = yield ()
        trips += 1
    return (trips,)


def test_numbers_are_computed_ahead() -> None:
    u = np.arange(3.0)
    loop = grow.over(times(0.0, 2.0), u=u)
    assert list(loop) == []
    assert loop.finished
    assert loop.numbers == (2.0,)
    np.testing.assert_array_equal(loop.results[0], np.arange(3.0) + 3.0)


def test_no_iteration_runs_the_loop_as_written_once() -> None:
    loop = grow.over(times(3.0, 2.0), u=np.arange(3.0))
    assert len(list(loop)) == 1
    assert not loop.finished


def test_an_iteration_gives_numbers_to_the_next() -> None:
    u = np.array([1.0, -8.0])
    loop = halve.over(until(np.inf, 0.6, 99), u=u)
    assert list(loop) == []
    assert loop.numbers == (4,)
    (largest,) = loop.results
    assert type(largest) is np.float64
    assert largest == 0.5
    np.testing.assert_array_equal(u, [1 / 16, -0.5])


def test_the_generator_may_end_before_the_first_iteration() -> None:
    loop = halve.over(until(0.0, 0.6, 99), u=np.ones(2))
    assert len(list(loop)) == 1
    assert not loop.finished


def test_arrays_stay_where_a_number_raises_between_iterations() -> None:
    def divided() -> Generator[tuple[()], tuple[float], tuple[()]]:
        for trips in (3, 2, 1, 0):
            yield ()
            assert 1 / trips > 0
        return ()

    u = np.ones(2)
    with pytest.warns(NprewriteWarning, match="ZeroDivisionError"):
        assert len(list(halve.over(divided(), u=u))) == 1
    np.testing.assert_array_equal(u, np.ones(2))


def test_arrays_stay_where_a_number_raises_ahead() -> None:
    def divided() -> Generator[tuple[float], None, tuple[()]]:
        for trips in (1, 0):
            yield (1 / trips,)
        return ()

    with pytest.warns(NprewriteWarning, match="ZeroDivisionError"):
        assert len(list(grow.over(divided(), u=np.ones(2)))) == 1


def test_a_loop_without_end_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "MOST", 10)

    def endless() -> Generator[tuple[float], None, tuple[()]]:
        while True:
            yield (1.0,)

    with pytest.warns(NprewriteWarning, match="too many|more than 10"):
        assert len(list(grow.over(endless(), u=np.ones(2)))) == 1


def test_watched_errors_are_not_computed_ahead() -> None:
    with np.errstate(all="raise"), pytest.warns(NprewriteWarning, match="seterr"):
        assert len(list(grow.over(times(0.0, 2.0), u=np.ones(2)))) == 1


def test_what_is_received_is_a_number() -> None:
    @npr.step(state={"u": "float64"}, out={"change": "float64"}, received=("change",))
    def wrong(u: Any) -> tuple[Any, ...]:
        return u, np.abs(u)

    with pytest.warns(NprewriteWarning, match="expected a number"):
        assert len(list(wrong.over(until(np.inf, 0.6, 99), u=np.ones(2)))) == 1


@pytest.mark.parametrize(
    "declared",
    [
        {"carried": {"u": "float64"}, "received": ("change",)},
        {"carried": {"u": "float64"}, "out": {"c": "float64"}, "received": ("c",), "lanewise": True},
    ],
)
def test_declarations_that_disagree(declared: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="received"):
        npr.step(**declared)
