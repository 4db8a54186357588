"""A lanewise step runs in chunks, on live lanes, in one graph, and stores what the loop as written does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from runtime_programs import (
    Array,
    logistic_step,
    mandelbrot,
    mandelbrot_as_written,
    mandelbrot_step,
    mixture_as_written,
    mixture_step,
    plane,
)

from nprewrite.runtime.api.backend import Expected

WAYS = ["compiled", "numpy"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    return str(request.param)


def arrays(shape: tuple[int, ...], **where: float) -> tuple[Array, Array, Array]:
    return plane(shape, **where), np.zeros(shape, np.int64), np.zeros(shape, np.complex64)


def check_mandelbrot(way: str, trips: range, C: Array, N: Array, Z: Array, horizon: float = 2.0) -> Any:
    wanted_n, wanted_z = N.copy(), Z.copy()
    mandelbrot_as_written(trips, C, wanted_n, wanted_z, horizon)
    before = mandelbrot_step.runs[way]
    loop = mandelbrot(trips, C, N, Z, horizon)
    assert mandelbrot_step.runs[way] == before + 1
    assert loop.finished
    assert loop.counter == trips[-1]
    assert loop.results == ()
    np.testing.assert_array_equal(N, wanted_n)
    np.testing.assert_array_equal(Z, wanted_z)
    return loop


@pytest.mark.parametrize("trips", [1, 7, 8, 9, 40, 203])
def test_every_trip_count_runs_to_its_end(way: str, trips: int) -> None:
    check_mandelbrot(way, range(trips), *arrays((30, 40)))


@pytest.mark.parametrize("shape", [(1,), (2,), (15,), (16,), (1, 17), (7919,), (3, 5, 7), (211, 307)])
def test_every_size_runs_right(way: str, shape: tuple[int, ...]) -> None:
    check_mandelbrot(way, range(25), *arrays(shape))


@pytest.mark.parametrize("trips", [range(90, 3, -7), range(5, 200, 3), range(-4, 4), range(2**62, 2**62 + 9)])
def test_the_counter_is_the_range_element(way: str, trips: range) -> None:
    check_mandelbrot(way, trips, *arrays((20, 20)))


def test_finished_lanes_are_left_out_and_come_back_in_place(way: str) -> None:
    C, N, Z = arrays((400, 500))
    check_mandelbrot(way, range(120), C, N, Z)
    # Several compactions happened: the lanes ended at many different iterations.
    assert len(np.unique(N)) > 20


def test_the_loop_stops_when_no_lane_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from nprewrite.runtime.torch.kernels import TorchKernel

    calls = []
    run = TorchKernel.run

    def counting(kernel: TorchKernel, *arguments: Any) -> Any:
        calls.append(arguments[0])
        return run(kernel, *arguments)

    monkeypatch.setattr(TorchKernel, "run", counting)
    loop = check_mandelbrot("compiled", range(1_000), *arrays((50, 50), left=1.0, right=2.0))
    assert len(calls) < 5
    assert loop.counter == 999


def test_a_few_lanes_left_of_many(way: str) -> None:
    C, N, Z = arrays((200, 200), left=1.0, right=2.0)
    C[3, 4] = C[150, 7] = -1
    check_mandelbrot(way, range(100), C, N, Z)
    assert (N == 99).sum() == 2


@pytest.mark.parametrize("view", ["transposed", "strided", "reversed", "fortran", "part"])
def test_state_of_any_layout_is_stored_in_place(way: str, view: str) -> None:
    def make(dtype: type[Any]) -> Array:
        base = np.zeros((60, 80), dtype)
        return {
            "transposed": base.T,
            "strided": base[::2, ::3],
            "reversed": base[::-1, ::-1],
            "fortran": np.asfortranarray(base),
            "part": base[10:30, 5:6],
        }[view]

    N, Z = make(np.int64), make(np.complex64)
    C = plane(N.shape[::-1]).T
    C.flags.writeable = False
    seen_n, seen_z = N[...], Z.real
    check_mandelbrot(way, range(30), C, N, Z)
    assert not C.flags.writeable
    np.testing.assert_array_equal(seen_n, N)
    np.testing.assert_array_equal(seen_z, Z.real)
    if N.base is not None:
        assert N.base.sum() == N.sum()


def test_one_graph_for_chunks_and_one_for_single_iterations() -> None:
    mandelbrot(range(9), *arrays((4, 5)))
    counted = torch._dynamo.utils.counters["stats"]
    graphs = counted["unique_graphs"]
    with torch.compiler.set_stance("fail_on_recompile"):
        for shape, trips in [
            ((1,), 8),
            ((2,), 3),
            ((7919,), 9),
            ((16,), 200),
            ((300, 300), 77),
            ((13, 17), 1000),
        ]:
            check_mandelbrot("compiled", range(trips), *arrays(shape), horizon=float(trips))
    assert counted["unique_graphs"] == graphs


def test_a_graph_is_compiled_for_all_threads() -> None:
    from nprewrite.runtime.torch import kernels

    # What Inductor needs to see to split a loop over 64 threads.
    assert kernels.NOMINAL_LANES >= 64 * 1024


def mixture(size: int) -> dict[str, Array]:
    rng = np.random.default_rng(7)
    return {
        "chosen": rng.random(size) < 0.7,
        "seen": rng.random(size) < 0.1,
        "a": rng.normal(size=size),
        "k": rng.integers(0, 256, size, dtype=np.uint8),
        "b": rng.normal(size=size),
        "i": rng.integers(-5, 5, size, dtype=np.int16),
    }


@pytest.mark.parametrize("trips", [range(1), range(8), range(3, 30, 2)])
@pytest.mark.parametrize("size", [5, 1001])
def test_all_kinds_of_values(way: str, trips: range, size: int) -> None:
    given, wanted = mixture(size), mixture(size)
    results = mixture_as_written(trips, odd=True, w=0.5 + 0.25j, **wanted)
    original_b, original_i = given["b"].copy(), given["i"].copy()
    loop = mixture_step.over(trips, scalars=lambda n: (n, 0.25 * n), odd=True, w=0.5 + 0.25j, **given)
    assert list(loop) == []
    assert mixture_step.runs[way] > 0
    for name in ("seen", "a", "k"):
        np.testing.assert_array_equal(given[name], wanted[name])
    for result, want in zip(loop.results, results, strict=True):
        assert type(result) is np.ndarray
        assert result.dtype == want.dtype
        assert result.shape == want.shape
        np.testing.assert_array_equal(result, want)
    # Carried names are rebound: the arrays that they named are as they were.
    np.testing.assert_array_equal(given["b"], original_b)
    np.testing.assert_array_equal(given["i"], original_i)


def test_results_are_new_arrays_each_time(way: str) -> None:
    results = []
    for _ in range(2):
        loop = mixture_step.over(
            range(8), scalars=lambda n: (n, 0.25 * n), odd=False, w=0.5 + 0.25j, **mixture(64)
        )
        assert list(loop) == []
        results.append(loop.results)
    for first, second in zip(*results, strict=True):
        assert not np.shares_memory(first, second)


def test_a_recurrence_with_a_mask_compiles_in_bounded_time(way: str) -> None:
    # Each iteration reads the one before several times: inlined, that is exponential in the chunk.
    r, alive, x = np.linspace(0, 4.1, 4000), np.ones(4000, bool), np.full(4000, 0.4)
    wanted_alive, wanted = alive.copy(), x.copy()
    for _ in range(20):
        y = r * wanted * (1 - wanted)
        wanted_alive &= y < 0.99
        wanted = np.where(wanted_alive, y, wanted)
    loop = logistic_step.over(range(20), r=r, alive=alive, x=x)
    assert list(loop) == []
    assert logistic_step.runs[way] > 0
    np.testing.assert_array_equal(alive, wanted_alive)
    np.testing.assert_allclose(loop.results[0], wanted, rtol=1e-9)


def test_buffers_kept_between_loops_are_bounded(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    from nprewrite.runtime.api import runner

    monkeypatch.setattr(runner, "RETAINED_BYTES", 100_000)
    check_mandelbrot(way, range(20), *arrays((300, 300)))
    (workspace,) = mandelbrot_step._runners[way, False]._free
    assert workspace.nbytes <= 100_000
    check_mandelbrot(way, range(20), *arrays((301, 300)))


def test_a_loop_inside_a_scalar_does_not_disturb_the_outer_one(way: str) -> None:
    inner = mixture(40)

    def scalars(n: int) -> tuple[int, float]:
        list(mixture_step.over(range(8), scalars=lambda m: (m, 0.5 * m), odd=True, w=1j, **mixture(40)))
        return n, 0.25 * n

    wanted = mixture(40)
    results = mixture_as_written(range(20), odd=True, w=0.5 + 0.25j, **wanted)
    loop = mixture_step.over(range(20), scalars=scalars, odd=True, w=0.5 + 0.25j, **inner)
    assert list(loop) == []
    np.testing.assert_array_equal(inner["a"], wanted["a"])
    np.testing.assert_array_equal(loop.results[0], results[0])


def test_few_lanes_have_a_graph_for_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    from nprewrite.runtime.torch import kernels

    made: list[Any] = []

    def graph(_: object, __: object, shape: Any) -> Any:
        made.append(shape)
        return SimpleNamespace(fits=lambda *_: True)

    monkeypatch.setattr("nprewrite.runtime.torch.artifacts.graph", graph)
    expected = Expected(logistic_step.signature)
    kernel = kernels.TorchKernel(logistic_step.function, expected, lanewise=True)
    boxes = [np.ones(())] * len(expected.scalars + expected.constants)
    lanes = (500, 4000, 5000, 600, 9000)
    graphs = [kernel._compiled(8, (*boxes, np.ones(each), np.ones(each))) for each in lanes]
    assert [each.tensors[-1][0] for each in made] == [(1024,), (1 << 16,)]
    assert [graphs.index(each) for each in graphs] == [0, 0, 2, 0, 2]
