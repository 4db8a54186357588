"""A step that is not lanewise runs on whole arrays, one iteration a call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runtime_programs import heat_as_written, heat_step


@pytest.fixture(params=["compiled", "numpy"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    return str(request.param)


def bar(rows: int, columns: int) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {
        "source": rng.random((rows - 2, columns - 2)),
        "u": rng.random((rows, columns)),
        "v": rng.random(columns),
    }


def run(way: str, trips: range, given: dict[str, Any], wanted: dict[str, Any]) -> tuple[Any, ...]:
    results = heat_as_written(trips, 0.1, **wanted)
    original = given["v"].copy()
    before = heat_step.runs[way]
    loop = heat_step.over(trips, rate=0.1, **given)
    assert list(loop) == []
    assert heat_step.runs[way] == before + 1
    assert loop.counter == trips[-1]
    np.testing.assert_allclose(given["u"], wanted["u"], rtol=1e-12)
    np.testing.assert_array_equal(given["v"], original)
    found = loop.results
    for result, want in zip(found, results, strict=True):
        assert type(result) is type(want)
        assert result.dtype == want.dtype
        assert np.shape(result) == np.shape(want)
        np.testing.assert_allclose(result, want, rtol=1e-12)
    return found


@pytest.mark.parametrize("trips", [range(1), range(2), range(10, -7, -1)])
def test_arrays_of_several_shapes(way: str, trips: range) -> None:
    run(way, trips, bar(12, 20), bar(12, 20))


def test_state_with_strides_is_stored_in_place(way: str) -> None:
    given, wanted = bar(12, 20), bar(12, 20)
    base = np.zeros((24, 60))
    base[::2, ::3] = given["u"]
    given["u"] = base[::2, ::3]
    given["source"] = given["source"].copy(order="F")
    given["source"].flags.writeable = False
    run(way, range(5), given, wanted)
    np.testing.assert_allclose(base[::2, ::3], wanted["u"], rtol=1e-12)
    assert not base[1::2].any()


def test_a_second_loop_reuses_the_buffers_and_not_the_results(way: str) -> None:
    first = run(way, range(6), bar(12, 20), bar(12, 20))
    kept = [np.copy(result) for result in first]
    run(way, range(9), bar(12, 20), bar(12, 20))
    for result, copy in zip(first, kept, strict=True):
        np.testing.assert_array_equal(result, copy)
