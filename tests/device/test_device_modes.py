"""Loops where values lie on a device: on the CPU, on a GPU if there is one, and as CUDA graphs leave them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import device_programs as programs
import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import definitions

torch = pytest.importorskip("torch")

PLACES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
MODES = ["reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"]
GRAPHS = "triton.cudagraphs"
Step = Callable[..., Sequence[Any]]


@pytest.fixture(autouse=True)
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are compiled however little they have to do."""
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)


def numbers(n: int = 40, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(n)


def points(n: int) -> np.ndarray[Any, Any]:
    return (numbers(n) + 1j * numbers(n, 1)).astype(np.complex64)


def check(expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any]) -> None:
    """Floats to rounding; of integers, which a comparison of floats decides, one in a thousand may differ."""
    assert found.dtype == expected.dtype
    if expected.dtype.kind == "i":
        assert np.mean(found != expected) <= 1e-3
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("place", "mode"),
    [("cpu", None), *[pytest.param("cuda", mode, marks=pytest.mark.gpu) for mode in [None, *MODES]]],
)
@pytest.mark.parametrize("function", [programs.smooth, programs.mandelbrot, programs.relaxed])
def test_numpy_s_values(place: str, function: Callable[..., Any], mode: str | None) -> None:
    given = points(5000) if function is programs.mandelbrot else numbers(5000)
    jitted = nprewrite.jit(device=place, mode=mode, on_fallback="raise")(function)
    for steps in (20, 20, 3):
        check(function(given.copy(), steps), jitted(given.copy(), steps))
    on_place = torch.from_numpy(given.copy()).to(place)
    first = jitted(on_place.clone(), 20)
    jitted(on_place.clone() / 2, 20)
    # What a call has given is the caller's, whatever later calls compute.
    check(function(given.copy(), 20), first.cpu().numpy())
    report = str(jitted.report())
    assert "compiled on" in report
    if place == "cuda":
        assert "without the CUDA graphs" not in report


@pytest.mark.parametrize("place", PLACES)
def test_a_loop_copies_nothing_but_one_flag_a_chunk(place: str) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.mandelbrot)
    C = torch.from_numpy(points(5000)).to(place)
    for _ in range(2):
        jitted(C, 40)
    # 40 counters of 8 bytes go there, once; five chunks of eight iterations ask.
    assert "320 bytes copied to the device, 5 bytes back; 5 values" in str(jitted.report())


@pytest.mark.parametrize("place", PLACES)
def test_a_loop_compiles_nothing_after_its_first_run(place: str) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.smooth)
    u = torch.from_numpy(numbers(5000)).to(place)
    jitted(u, 3)
    with torch.compiler.set_stance("fail_on_recompile"):
        for steps in (1, 3, 50):
            jitted(u, steps)


@pytest.mark.parametrize("place", PLACES)
def test_the_parts_of_complex_numbers_need_one_graph(place: str) -> None:
    made = torch._dynamo.utils.counters["stats"]
    before = made["unique_graphs"]
    nprewrite.jit(on_fallback="raise")(programs.mandelbrot)(torch.from_numpy(points(500)).to(place), 40)
    assert made["unique_graphs"] == before + 1


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests have made of the same definitions is not shared."""
    monkeypatch.setattr(definitions, "_definitions", WeakValueDictionary())
    monkeypatch.setattr(definitions, "_recent", definitions.Recent())


def test_a_loop_over_few_elements_is_worth_a_graph_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 1 << 20)
    jitted = nprewrite.jit(on_fallback="raise")(programs.smooth)
    jitted(torch.from_numpy(numbers(500)), 1024)
    assert "1 x compiled on cpu" in str(jitted.report())
    jitted(torch.from_numpy(numbers(500)), 1023)
    assert "1 x as written: too little work" in str(jitted.report())


class Graphs:
    """torch.compile as CUDA graphs leave results: in memory that the next step takes back."""

    def __init__(self) -> None:
        self.options: list[dict[str, Any]] = []
        self.memory: list[Any] = []

    def compile(self, function: Step, **options: Any) -> Step:
        self.options.append(options["options"] or {})
        kept: list[Any] = []

        def replayed(*tensors: Any) -> Sequence[Any]:
            results: Sequence[Any] = function(*tensors)
            if GRAPHS not in self.options[-1]:
                return results
            if not kept:
                kept.extend(each.clone() for each in results)
                self.memory += kept
            for place, each in zip(kept, results, strict=True):
                place.copy_(each)
            return [each.view_as(each) for each in kept]

        return replayed

    def step_begins(self) -> None:
        for each in self.memory:
            each.fill_(-1)


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> Graphs:
    made = Graphs()
    monkeypatch.setattr(torch, "compile", made.compile)
    monkeypatch.setattr(torch.compiler, "cudagraph_mark_step_begin", made.step_begins)
    return made


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_reaches_torch_compile(graphs: Graphs, mode: str) -> None:
    nprewrite.jit(device="cpu", mode=mode, on_fallback="raise")(programs.smooth)(numbers(), 3)
    wanted = torch._inductor.list_mode_options(mode)
    assert wanted.items() <= graphs.options[-1].items()


def test_no_mode_asks_for_nothing(graphs: Graphs) -> None:
    from nprewrite.runtime.torch.graph import POWERS_OPTIONS

    nprewrite.jit(device="cpu", on_fallback="raise")(programs.smooth)(numbers(), 3)
    assert {*graphs.options[-1]} == {*POWERS_OPTIONS}


@pytest.mark.parametrize("function", [programs.smooth, programs.mandelbrot, programs.relaxed])
def test_values_outlive_the_memory_of_a_graph(graphs: Graphs, function: Callable[..., Any]) -> None:
    given = points(50) if function is programs.mandelbrot else numbers(50)
    jitted = nprewrite.jit(mode="reduce-overhead", on_fallback="raise")(function)
    kept = [(scale, jitted(torch.from_numpy(given * scale), 20)) for scale in (1, 2, 0.5)]
    assert graphs.memory
    for scale, found in kept:
        check(function((given * scale).astype(given.dtype), 20), found.numpy())


def test_gradients_are_not_computed_from_the_memory_of_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = nprewrite.jit(mode="max-autotune", on_fallback="raise")(programs.relaxed)
    x = torch.from_numpy(numbers(5)).requires_grad_()
    asked: list[dict[str, Any]] = []
    compiled = torch.compile

    def followed(function: Callable[..., Any], *, fullgraph: bool, options: dict[str, Any]) -> Any:
        asked.append(options)
        return compiled(function, fullgraph=fullgraph, backend="eager")

    monkeypatch.setattr(torch, "compile", followed)
    jitted(x, 3).sum().backward()
    assert x.grad is not None
    assert "max_autotune" in asked[-1]
    assert GRAPHS not in asked[-1]


def test_graphs_that_torch_compile_does_not_make_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = nprewrite.jit(device="cpu", mode="reduce-overhead", on_fallback="raise")(programs.smooth)

    def skipping(function: Step, **_: Any) -> Step:
        def without(*tensors: Any) -> Sequence[Any]:
            torch._dynamo.utils.counters["inductor"]["cudagraph_skips"] += 1
            return function(*tensors)

        return without

    monkeypatch.setattr(torch, "compile", skipping)
    jitted(numbers(), 3)
    assert "compiled on cpu, without the CUDA graphs" in str(jitted.report())


@pytest.mark.parametrize("kind", ["strided", "reversed", "read-only", "column-major", "number"])
@pytest.mark.parametrize("place", ["cpu", "meta"])
@pytest.mark.filterwarnings("error")
def test_arrays_of_any_layout_are_sent(place: str, kind: str) -> None:
    from nprewrite.runtime.device.array import sent
    from nprewrite.runtime.device.devices import Placement

    base = np.arange(24.0).reshape(4, 6)
    base.flags.writeable = kind != "read-only"
    layouts = {"strided": base[::2, 1::2], "reversed": base[::-1], "column-major": base.T}
    array = np.array(3.0) if kind == "number" else layouts.get(kind, base)
    made = sent(array, Placement(torch.device(place)))
    assert (made.shape, made.tensor.device.type) == (array.shape, place)
    if place == "cpu":
        np.testing.assert_array_equal(made.tensor.numpy(), array)
        assert not np.shares_memory(made.tensor.numpy(), array)
