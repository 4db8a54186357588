"""Where a compiled call fails half way, the arguments are as before and the loop as written runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import runtime_programs as programs
import torch
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base.errors import FallbackError, NprewriteWarning
from nprewrite.runtime.api import buffers as buffers_of_loops
from nprewrite.runtime.api.spec import Signature
from nprewrite.runtime.torch import artifacts, graph
from nprewrite.runtime.torch.portable import unpack

TRIPS = 20
Loop = Callable[[dict[str, Any]], Any]
rng = np.random.default_rng(5)


class Graph:
    """A graph for arrays of all shapes."""

    operations = ()

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def fits(self, *_: Array) -> bool:
        return True

    def __call__(self, *arrays: Array) -> Any:
        return self.function(*arrays)


class Fault:
    """Makes graphs, uncompiled, whose n-th call writes nonsense to its results, if asked to, and raises."""

    def __init__(self) -> None:
        self.spoils = True
        self.at: int | None = None
        self.error: BaseException = RuntimeError("the kernel stopped")
        self.calls = 0

    def graph(self, step: Any, expected: Any, shape: Any) -> Graph:
        function = graph.graph(unpack(step, ModuleType("faults")), expected, shape)
        first = len(expected.scalars) + len(expected.constants) + len(expected.inputs)
        # A graph over whole arrays does not write into what it reads: those may be the user's arrays.
        first += 0 if shape.lanewise else len(expected.sources)

        def faulty(*arrays: Array) -> Any:
            self.calls += 1
            if self.calls == self.at:
                for array in arrays[first:] if self.spoils else ():
                    array.fill(7)
                raise self.error
            dtypes, same_shape, rest = function(*map(torch.from_numpy, arrays))
            return dtypes, same_shape, [each.numpy() for each in rest]

        return Graph(faulty)


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> Fault:
    made = Fault()
    monkeypatch.setattr(artifacts, "graph", made.graph)
    return made


def fresh(step: npr.Step) -> npr.Step:
    """The step without what it has compiled before."""
    return npr.Step(step.function, step.signature, compile=True)


def lanes(step: npr.Step, given: dict[str, Any]) -> Any:
    x, alive = given["x"], given["alive"]
    for _ in (loop := step.over(range(TRIPS), r=given["r"], alive=alive, x=x)):
        y = given["r"] * x * (1 - x)
        alive[...] = alive & (y < 0.99)
        x = np.where(alive, y, x)
    if loop.finished:
        (x,) = loop.results
    return x


def whole(step: npr.Step, given: dict[str, Any]) -> Any:
    u, v, source = given["u"], given["v"], given["source"]
    change, edge, hot = np.float64(0), u[:, 1], u[1] > 0.5
    for _ in (loop := step.over(range(TRIPS), rate=0.1, source=source, u=u, v=v)):
        v, change, edge, hot = programs.heat_as_written(range(1), 0.1, source, u, v)
    if loop.finished:
        v, change, edge, hot = loop.results
    return v, change, edge, hot


def pairs(step: npr.Step, given: dict[str, Any]) -> Any:
    z = given["z"]
    for _ in step.over(range(TRIPS), c=given["c"], z=z):
        z[...] = z * z + given["c"]
    return None


def region(step: npr.Step, given: dict[str, Any]) -> Any:
    x = given["x"]
    for _ in (once := step.over(range(1), x=x)):
        x += 1
        return x * 2
    return once.results[0]


@npr.step(
    inputs={"c": npr.pair("float64")}, state={"z": npr.pair("float64")}, lanewise=True, chunked=True,
    compile=True,
)  # fmt: skip
def square_step(c_re: Array, c_im: Array, z_re: Array, z_im: Array) -> tuple[Array, ...]:
    return z_re * z_re - z_im * z_im + c_re, z_re * z_im + z_im * z_re + c_im


@npr.step(state={"x": "float64"}, out={"result": "float64"}, once=True, compile=True)
def region_step(x: Array) -> tuple[Array, ...]:
    x = x + 1
    return x, x * 2


def logistic() -> dict[str, Any]:
    return {"r": rng.random(50) * 4, "alive": np.ones(50, bool), "x": rng.random(50)}


def heat() -> dict[str, Any]:
    return {"source": rng.random((8, 7)), "u": rng.random((10, 9)), "v": rng.random(9)}


def complex_numbers() -> dict[str, Any]:
    return {"c": 0.1 * rng.random(50) + 0.2j, "z": 0.1j * rng.random(50)}


# Calls of the graphs: two chunks of eight and four single trips; a trip each; one.
KINDS = {
    "lanes": (lanes, programs.logistic_step, logistic, 6),
    "whole": (whole, programs.heat_step, heat, TRIPS),
    "pairs": (pairs, square_step, complex_numbers, 6),
    "region": (region, region_step, lambda: {"x": rng.random((6, 7))}, 1),
}


def copies(given: dict[str, Any]) -> dict[str, Any]:
    return {name: array.copy() for name, array in given.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_graphs_are_right_without_a_fault(fault: Fault, kind: str) -> None:
    run, step, arguments, calls = KINDS[kind]
    given = arguments()
    wanted = copies(given)
    made, off = fresh(step), fresh(step)
    off._unusable["compiled"] = "switched off", "", False, False
    result = run(made, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        assert_same_run(result, given, run(off, wanted), wanted)
    assert made.runs == {"compiled": 1}
    assert off.runs == {"as written: switched off": 1}
    assert fault.calls == calls


def assert_same_run(result: Any, given: dict[str, Any], wanted_result: Any, wanted: dict[str, Any]) -> None:
    for name, array in given.items():
        np.testing.assert_allclose(array, wanted[name], rtol=1e-12, err_msg=name)
    results = result if isinstance(result, tuple) else (result,)
    wanted_results = wanted_result if isinstance(wanted_result, tuple) else (wanted_result,)
    for one, other in zip(results, wanted_results, strict=True):
        assert type(one) is type(other)
        if other is not None:
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("error", [RuntimeError("the kernel stopped"), MemoryError(), AssertionError()])
@pytest.mark.parametrize("where", ["first", "middle", "last"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_loop_as_written_runs(fault: Fault, kind: str, where: str, error: Exception) -> None:
    run, step, arguments, calls = KINDS[kind]
    given = arguments()
    wanted, off = copies(given), fresh(step)
    off._unusable["compiled"] = "switched off", "", False, False
    made = fresh(step)
    fault.at = {"first": 1, "middle": 1 + calls // 2, "last": calls}[where]
    fault.error = error
    with pytest.warns(NprewriteWarning, match=rf"running it raised {type(error).__name__}"):
        result = run(made, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        assert_same_run(result, given, run(off, wanted), wanted)
    assert made.runs == {f"as written: the step raised {type(error).__name__}": 1}
    assert made.report() == [f"`{made.__name__}` ran 1 x as written: the step raised {type(error).__name__}"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_next_loop_runs_compiled_again(fault: Fault, kind: str) -> None:
    run, step, arguments, calls = KINDS[kind]
    made = fresh(step)
    fault.at = calls
    with pytest.warns(NprewriteWarning):
        run(made, arguments())
    run(made, arguments())
    assert made.runs["compiled"] == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit()])
@pytest.mark.parametrize(("kind", "done"), [("lanes", 17), ("whole", 10), ("pairs", 17), ("region", 0)])
def test_interrupting_leaves_the_iterations_that_are_done(
    fault: Fault, kind: str, done: int, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, step, arguments, calls = KINDS[kind]
    given = arguments()
    wanted = copies(given)
    fault.at, fault.error, fault.spoils = 1 + calls // 2, error, False
    with pytest.raises(type(error)):
        run(fresh(step), given)
    monkeypatch.setitem(globals(), "TRIPS", done)
    off = fresh(step)
    off._unusable["compiled"] = "switched off", "", False, False
    if done:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NprewriteWarning)
            run(off, wanted)
    for name, array in given.items():
        np.testing.assert_allclose(array, wanted[name], rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_errors_are_raised_where_asked(fault: Fault, kind: str) -> None:
    run, step, arguments, calls = KINDS[kind]
    made, given = fresh(step), arguments()
    before = copies(given)
    made.on_fallback = "raise"
    fault.at = calls
    with pytest.raises(FallbackError, match="runs as written: running it raised RuntimeError"):
        run(made, given)
    for name, array in given.items():
        np.testing.assert_array_equal(array, before[name])


@pytest.mark.parametrize("kind", ["lanes", "whole"])
def test_no_memory_for_the_results(fault: Fault, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is stored when nothing else can fail."""
    run, step, arguments, _ = KINDS[kind]

    def full(array: Array) -> Array:
        raise MemoryError

    given = arguments()
    wanted, off = copies(given), fresh(step)
    off._unusable["compiled"] = "switched off", "", False, False
    made = fresh(step)
    with monkeypatch.context() as patched:
        patched.setattr(np, "empty_like", full)
        with pytest.warns(NprewriteWarning, match="running it raised MemoryError"):
            result = run(made, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        assert_same_run(result, given, run(off, wanted), wanted)


def test_arrays_are_of_one_iteration_where_storing_them_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls, store = count(1), buffers_of_loops.store

    def interrupted(array: Array, buffers: Sequence[Array]) -> None:
        if next(calls) == 2:
            array.real = buffers[0]
            raise KeyboardInterrupt
        store(array, buffers)

    monkeypatch.setattr(buffers_of_loops, "store", interrupted)
    slots = tuple(SimpleNamespace(name=name) for name in ("x", "z"))
    arrays = {"x": np.zeros(3), "z": np.zeros(3, complex)}
    buffers = {"x": [np.ones(3)], "z": [np.ones(3), np.ones(3)]}
    with pytest.raises(KeyboardInterrupt):
        buffers_of_loops.store_state(cast(Signature, SimpleNamespace(state=slots)), arrays, buffers)
    assert arrays["x"].tolist() == [1, 1, 1]
    assert arrays["z"].tolist() == [1 + 1j] * 3
