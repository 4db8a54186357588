"""Reductions of many iterations in one pass are what each iteration would compute by itself."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.base.errors import FallbackError, NprewriteWarning
from nprewrite.runtime.torch import machine

pytest.importorskip("numba")

SIZE = 3 * 1024 + 77


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # The package has the decorator under the module's name.
    module = import_module("nprewrite.runtime.numba.reduction")
    monkeypatch.setattr(module, "LEAST_SIZE", 1)
    monkeypatch.setattr(module, "LEAST_WORK", 1)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def interval(lo: Any, hi: Any, data: Any, r: Any) -> Any:
    return (
        data[(lo <= r) & (r < hi)].mean(),
        data[(lo <= r) & (r < hi)].sum(),
        data[(lo <= r) & (r < hi)].size,
        ((lo <= r) & (r < hi)).sum(),
        np.count_nonzero(r < hi),
    )


def distance(c: Any, x: Any) -> Any:
    return np.abs(x - c).sum()


def over(
    function: Callable[..., Any], scalars: Any, arrays: Any, **more: Any
) -> tuple[list[Any], npr.Reduction]:
    made = npr.reduction(function)
    trips = range(len(scalars))
    found = list(made.over(trips, lambda i: scalars[i], arrays, **more))
    assert [number for number, _ in found] == [*trips]
    return [each for _, each in found], made


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int64", "uint8", "bool"])
def test_each_value_and_type_is_numpys(dtype: str) -> None:
    rng = np.random.default_rng(1)
    data, r = (rng.standard_normal(SIZE) * 50).astype(dtype), rng.random(SIZE)
    edges = np.linspace(-0.1, 1.3, 15)
    scalars = [(edges[i], edges[i + 1]) for i in range(14)]
    found, made = over(interval, scalars, (data, r))
    assert made.runs["compiled"] == 1
    for one, given in zip(found, scalars, strict=True):
        expected = interval(*given, data, r)
        assert [type(each) for each in one] == [type(each) for each in expected]
        np.testing.assert_allclose(one, expected, rtol=1e-5 if dtype == "float32" else 1e-12, atol=1e-9)


def test_what_is_not_selected_may_be_no_number() -> None:
    data, r = np.ones(SIZE), np.linspace(0, 1, SIZE)
    data[r > 0.5] = np.nan
    data[r > 0.9] = np.inf
    found, _ = over(interval, [(0.0, 0.4), (0.3, 0.6), (0.95, 2.0), (3.0, 4.0)], (data, r))
    means = [each[0] for each in found]
    assert means[0] == 1.0
    assert np.isnan(means[1])
    assert means[2] == np.inf
    assert np.isnan(means[3])


def test_sums_err_no_more_than_numpys() -> None:
    data = np.random.default_rng(2).random(200_000).astype(np.float32)
    found, _ = over(distance, [(0.25,), (0.5,)], (data,))
    for one, c in zip(found, (0.25, 0.5), strict=True):
        exact = np.abs(data - np.float32(c)).sum(dtype=np.float64)
        assert abs(float(one) - exact) <= 2 * abs(float(distance(c, data)) - exact) + np.spacing(one)


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_no_bit(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    data, r = rng.standard_normal(40 * SIZE), rng.random(40 * SIZE)
    scalars = [(lo, lo + 0.3) for lo in np.linspace(0.0, 0.9, 37).tolist()]
    monkeypatch.setattr(machine, "threads", lambda: 1)
    alone, _ = over(interval, scalars, (data, r))
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.reduction_kernel"), "LEAST_WORK", 1)
    monkeypatch.setattr(machine, "threads", lambda: threads)
    shared, _ = over(interval, scalars, (data, r))
    assert shared == alone


def test_arrays_of_two_axes_and_strides() -> None:
    x = np.random.default_rng(3).random((120, 90))
    for array in (x, x.T, x[::2, ::-1]):
        found, made = over(distance, [(0.2,), (0.7,)], (array,))
        assert made.runs["compiled"] == 1
        np.testing.assert_allclose(found, [distance(0.2, array), distance(0.7, array)], rtol=1e-12)


def test_an_error_comes_when_its_iteration_is_reached() -> None:
    x, edges, seen = np.ones(SIZE), [0.5, 0.7], []
    loop = npr.reduction(distance).over(range(3), lambda i: (edges[i],), (x,))
    with pytest.raises(IndexError):
        seen.extend(i for i, _ in loop)
    assert seen == [0, 1]


def test_what_shares_memory_is_computed_when_it_is_reached() -> None:
    x = np.ones(SIZE)
    loop = npr.reduction(distance).over(range(3), lambda i: (0.0,), (x,), (x[:5],))
    results = [next(loop)[1]]
    x[0] = 10.0
    results.append(next(loop)[1])
    x[1] = 10.0
    results.append(next(loop)[1])
    assert results == [SIZE, SIZE + 9, SIZE + 18]
    with pytest.warns(NprewriteWarning, match="separate memory"):
        assert next(loop, None) is None


@pytest.mark.parametrize(
    "scalars", [[(0.5,), (np.float32(0.5),)], [(2**70,)], [(1j,)], [(np.ones(3),)]], ids=str
)
def test_other_scalars_are_computed_as_written(scalars: list[tuple[Any]]) -> None:
    x = np.ones(SIZE) if np.ndim(scalars[0][0]) == 0 else np.ones((1024, 3))
    found, made = over(distance, scalars, (x,))
    assert found == [distance(*each, x) for each in scalars]
    assert dict(made.runs) == {"as written: types of scalars": 1}


def test_an_index_array_is_no_mask() -> None:
    def picked(c: Any, x: Any, k: Any) -> Any:
        return x[k + c].sum()

    x, k = np.arange(SIZE, dtype=np.float64), np.arange(SIZE) % 7
    found, made = over(picked, [(0,), (1,)], (x, k))
    assert found == [picked(0, x, k), picked(1, x, k)]
    assert not made.runs["compiled"]


def test_arrays_of_other_shapes_raise_as_in_numpy() -> None:
    warnings.simplefilter("error", NprewriteWarning)
    with pytest.raises(IndexError) as raised:
        over(interval, [(0.0, 1.0)], (np.ones(5), np.ones(6)))
    assert raised.value.__context__ is None


def test_a_fallback_that_is_to_raise_does_so_before_the_loop() -> None:
    x = np.ones(SIZE)
    loop = npr.reduction(distance, on_fallback="raise").over(range(3), lambda i: (0.0,), (x,), (x[:5],))
    with pytest.raises(FallbackError, match="separate memory"):
        next(loop)


def density(half: Any, c: Any, h: Any, x: Any, y: Any) -> Any:
    return np.mean(np.exp(half * ((x - c) / h) ** 2)), (np.exp(half * abs(x - c)) * y).sum(), y.sum()


@pytest.fixture
def rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What torch does not compute runs as written."""
    pytest.importorskip("torch")
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.reduction"), "LEAST_SIZE", 1 << 40)
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.reduction_rows"), "MINIMUM_WORK", 1)


@pytest.mark.usefixtures("rows_only")
@pytest.mark.parametrize("trips", [1, 7, 300])
def test_exponentials_are_computed_by_rows(trips: int) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((30, 41))[:, ::2], rng.standard_normal((30, 21))
    scalars = [(-0.5, c, 2) for c in np.linspace(-2.0, 2.0, trips)]
    found, made = over(density, scalars, (x, y))
    assert made.runs["compiled"] == 1
    for one, given in zip(found, scalars, strict=True):
        expected = density(*given, x, y)
        assert [type(each) for each in one] == [type(each) for each in expected]
        np.testing.assert_allclose(one, expected, rtol=1e-12)


@pytest.mark.usefixtures("rows_only")
def test_rows_run_as_written_until_they_are_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from nprewrite.runtime.torch import compiler

    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiler, "_background_of_loops", compiler._Background())
    x, y = np.linspace(-1, 1, SIZE), np.ones(SIZE)
    scalars = [(-0.5, 0.1, 1.0), (-0.5, 0.2, 1.0)]
    made = npr.reduction(density)
    deadline = time.monotonic() + 300
    while not made.runs["compiled"]:
        assert time.monotonic() < deadline
        found = [each for _, each in made.over(range(2), lambda i: scalars[i], (x, y))]
        np.testing.assert_allclose(found, [density(*each, x, y) for each in scalars], rtol=1e-12)
        time.sleep(0.05)
    assert made.runs.keys() == {"as written: compiling", "compiled"}
    assert not made._kernels
    compiler._background_of_loops.end()


@pytest.mark.usefixtures("rows_only")
def test_rows_of_what_is_no_number() -> None:
    x, y = np.linspace(-1, 1, SIZE), np.ones(SIZE)
    scalars = [(-0.5, np.inf, 1.0), (-0.5, np.nan, 1.0), (-0.5, 0.0, 0.0), (1e300, 0.0, 1.0)]
    found, made = over(density, scalars, (x, y))
    assert made.runs["compiled"] == 1
    np.testing.assert_allclose(found, [density(*each, x, y) for each in scalars], rtol=1e-12)


@pytest.mark.usefixtures("rows_only")
@pytest.mark.parametrize("scalars", [[(2**60, 0.0, 1.0)], [(True, 0.0, 1.0)]], ids=str)
def test_rows_have_no_numbers_but_floats(scalars: list[tuple[Any, ...]]) -> None:
    x = np.linspace(0.0, 1.0, SIZE)
    found, made = over(density, scalars, (x, x))
    assert found == [density(*each, x, x) for each in scalars]
    assert not made.runs["compiled"]


@pytest.mark.usefixtures("rows_only")
def test_an_error_comes_after_the_rows_before_it() -> None:
    x, edges, seen = np.ones(SIZE), [0.5, 0.7], []
    loop = npr.reduction(density).over(range(3), lambda i: (-0.5, edges[i], 1.0), (x, x))
    with pytest.raises(IndexError):
        seen.extend(i for i, _ in loop)
    assert seen == [0, 1]


def extremes(c: Any, x: Any) -> Any:
    return np.min(abs(x - c)), (x - c).max(), np.argmin(abs(x - c)), (x * c).argmax()


@pytest.mark.usefixtures("rows_only")
def test_extremes_are_those_of_numpy() -> None:
    """Of equal elements the first is found, and not-a-number is the least and the greatest."""
    x = np.random.default_rng(6).integers(-9, 9, SIZE).astype(np.float64)
    for array in (x, np.where(np.arange(SIZE) < 2000, x, np.nan), np.where(x > 7, np.inf, x)):
        scalars = [(c,) for c in (0.5, -3.0, 0.0, 20, np.nan, np.inf)]
        found, made = over(extremes, scalars, (array,))
        assert made.runs["compiled"] == 1
        for one, given in zip(found, scalars, strict=True):
            expected = extremes(*given, array)
            assert [type(each) for each in one] == [type(each) for each in expected]
            np.testing.assert_array_equal(one, expected)


def test_without_torch_extremes_run_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any) -> Any:
        raise import_module("nprewrite.runtime.api.runner").NotCompiled(
            "torch is missing", "torch is missing"
        )

    rows = import_module("nprewrite.runtime.numba.reduction_rows")
    monkeypatch.setattr(rows, "MINIMUM_WORK", 1)
    monkeypatch.setattr(rows, "compiled_runner", missing)
    x = np.linspace(0.0, 1.0, SIZE)
    found, made = over(extremes, [(0.25,), (0.5,)], (x,))
    assert found == [extremes(0.25, x), extremes(0.5, x)]
    assert not made.runs["compiled"]


def remainder(c: Any, x: Any) -> Any:
    return np.sum(np.exp(x) % c)


@pytest.mark.parametrize(("function", "dtype"), [(density, "float32"), (remainder, "float64")])
def test_numba_computes_what_torch_does_not(
    function: Any, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.reduction_rows"), "MINIMUM_WORK", 1)
    arrays = [np.linspace(0.0, 1.0, SIZE).astype(dtype)] * (1 + (function is density))
    scalars = [(-0.5, 0.25, 1.5)] if function is density else [(0.3,)]
    found, made = over(function, scalars, tuple(arrays))
    assert made.runs["compiled"] == 1
    np.testing.assert_allclose(found[0], function(*scalars[0], *arrays), rtol=1e-5)


def test_without_torch_numba_computes_exponentials(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = import_module("nprewrite.runtime.numba.reduction_rows")

    def missing(*_: Any) -> Any:
        raise import_module("nprewrite.runtime.api.runner").NotCompiled(
            "torch is missing", "torch is missing"
        )

    monkeypatch.setattr(rows, "MINIMUM_WORK", 1)
    monkeypatch.setattr(rows, "compiled_runner", missing)
    x = np.linspace(0.0, 1.0, SIZE)
    found, made = over(density, [(-0.5, 0.25, 1.5), (-0.5, 0.5, 1.5)], (x, x))
    assert made.runs["compiled"] == 1
    np.testing.assert_allclose(found[1], density(-0.5, 0.5, 1.5, x, x), rtol=1e-12)
