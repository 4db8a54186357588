"""One program of the benchmark of devices, in a process of its own.

    python gpu_child.py PROGRAM [--device cuda] [--small] [--seconds S]

Prints one JSON object: by side, its seconds, first call, copies, and how far its result is from NumPy's.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import gpu_programs as programs
import measure
import numpy as np
import torch
from measure import Spread
from torch._dynamo.utils import counters

import nprewrite

NUMPY = "NumPy"
THERE = "arrays on the device"
BOTH_WAYS = "NumPy in and out"
MODES = ("reduce-overhead", "max-autotune")
FEWEST, MOST = 3, 25
"""Rounds of a measurement, whatever time they take, and at most."""
_COPIED = re.compile(r"([\d,]+) bytes copied to the device, ([\d,]+) bytes back; (\d+) values")


@dataclass(frozen=True)
class Program:
    """A program at a size: its function, NumPy arguments, and who computes it.

    ``error`` measures a result against NumPy's, which must be at most ``limit``. ``reads`` is how many values
    a call may ask the device for. ``bars`` are the ratios to NumPy that are wanted.
    """

    what: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    error: Callable[[Any, Any], float]
    limit: float
    reads: int
    bars: Mapping[str, float]
    both_ways: bool = False
    modes: tuple[str, ...] = ()


def differing(expected: Any, found: Any) -> float:
    """The part of the elements that differ: a comparison of floats decides them."""
    return float(np.mean(expected != found))


def largest(expected: Any, found: Any) -> float:
    return float(np.abs(expected - found).max())


def mean(expected: Any, found: Any) -> float:
    """For chaotic iterations, in which a few elements magnify the last bit of their digits."""
    return float(np.abs(expected - found).mean())


def kmeans(*, small: bool) -> Program:
    """The assignment of k-means in float32."""
    points = 200_000 if small else 20_000_000
    X = np.repeat([[5, 5], [10, 10]], points // 2, axis=0)
    X = X + np.random.default_rng(0).standard_normal(X.shape)
    means = np.array([[5, 5], [10, 10]], np.float32)
    given = X.astype(np.float32), means
    what = f"k-means, {points:,} points, float32"
    bars = {THERE: 200, BOTH_WAYS: 8}
    return Program(what, programs.kmeans, given, differing, 1e-5, 0, bars, both_ways=True)


def mandelbrot(*, small: bool) -> Program:
    """Escape times of complex64, in chunks of eight iterations that each ask whether to stop."""
    width, height, iterations = (150, 125, 120) if small else (8000, 6667, 200)
    given = programs.plane(width, height), iterations, 2.0**40
    what = f"Mandelbrot, {width} × {height}, {iterations} iterations, complex64"
    return Program(what, programs.mandelbrot, given, differing, 5e-3, iterations // 8, {THERE: 200})


def kuramoto(dtype: str, *, small: bool) -> Program:
    """A hundred time steps on a large lattice."""
    size, steps = (150, 50) if small else (4000, 100)
    error, limit = (largest, 1e-6) if dtype == "float64" else (mean, 1e-3)
    what = f"Kuramoto, {size} × {size}, {steps} steps, {dtype}"
    return Program(what, programs.kuramoto, _lattice(size, steps, dtype), error, limit, 0, {THERE: 100})


def small_kuramoto(*, small: bool) -> Program:
    """Time steps so small that launches take most of the time."""
    size, steps = (96, 128) if small else (64, 5000)
    what = f"Kuramoto, {size} × {size}, {steps} steps, float32"
    return Program(
        what, programs.kuramoto, _lattice(size, steps, "float32"), _without_error, 0.0, 0, {}, modes=MODES
    )


def small_jacobi(*, small: bool) -> Program:
    """Stencils so small that launches take most of the time."""
    size, steps = (96, 128) if small else (128, 5000)
    given = np.random.default_rng(0).random((size, size)), steps
    what = f"Jacobi's iteration, {size} × {size}, {steps} steps, float64"
    return Program(what, programs.relaxed, given, largest, 1e-12, 0, {}, modes=MODES)


def _lattice(size: int, steps: int, dtype: str) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    phases, frequencies = (rng.uniform(0, 2 * np.pi, (size, size)).astype(dtype) for _ in range(2))
    return phases, frequencies, 2.0, 0.1, steps


def _without_error(expected: Any, found: Any) -> float:
    """So many steps that the phases of float32 are compared by how they are distributed."""
    order = [abs(np.exp(1j * each.astype(np.float64)).mean()) for each in (expected, found)]
    return 0.0 if abs(order[0] - order[1]) <= 0.05 else 1.0


PROGRAMS: dict[str, Callable[..., Program]] = {
    "kmeans": kmeans,
    "mandelbrot": mandelbrot,
    "kuramoto": partial(kuramoto, "float64"),
    "kuramoto-float32": partial(kuramoto, "float32"),
    "small-kuramoto": small_kuramoto,
    "small-jacobi": small_jacobi,
}


@dataclass(frozen=True)
class Side:
    """Who computes a program, and with what."""

    function: Any
    arguments: tuple[Any, ...]
    device: Any

    def run(self) -> Any:
        """The result, once it is there."""
        result = self.function(*self.arguments)
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return result

    @property
    def report(self) -> str:
        """What nprewrite says of the calls."""
        return str(self.function.report())


def sides(program: Program, device: Any) -> dict[str, Side]:
    """All sides but NumPy's own, each with arrays of its own."""
    function = program.function

    def placed(**options: Any) -> Side:
        given = tuple(
            torch.from_numpy(each.copy()).to(device) if isinstance(each, np.ndarray) else each
            for each in program.arguments
        )
        return Side(nprewrite.jit(on_fallback="raise", **options)(function), given, device)

    made = {THERE: placed()}
    if program.both_ways:
        jitted = nprewrite.jit(device=str(device), on_fallback="raise")(function)
        made[BOTH_WAYS] = Side(jitted, program.arguments, device)
    return made | {f'{THERE}, mode="{mode}"': placed(mode=mode) for mode in program.modes}


def measured(program: Program, device: Any, seconds: float) -> dict[str, Any]:
    """All figures of a program. The first result of each side is compared with NumPy's."""
    own = tuple(each.copy() if isinstance(each, np.ndarray) else each for each in program.arguments)
    by_numpy = Side(program.function, own, torch.device("cpu"))
    others = sides(program, device)
    expected: Any = None

    def first() -> None:
        nonlocal expected
        expected = by_numpy.run()

    pace = measure.seconds(first)
    told = {name: _first_calls(side, program, expected) for name, side in others.items()}
    del expected
    rounds = min(MOST, max(FEWEST, int(seconds / pace)))
    graphs = counters["stats"]["unique_graphs"]
    everyone = {NUMPY: by_numpy, **others}
    times = measure.alternate(
        everyone, rounds, lambda number, of: None, lambda side: measure.seconds(side.run)
    )
    for name, side in others.items():
        ratios = [a / b for a, b in zip(times[NUMPY], times[name], strict=True)]
        told[name] |= {
            **asdict(Spread.of(times[name])),
            "ratio": asdict(Spread.of(ratios)),
            "copied": _copied(side),
            "memcpy": _copies_seen(side),
            "compiled": "x compiled on" in side.report,
            "graphs_skipped": "without the CUDA graphs" in side.report,
        }
    return {
        "what": program.what,
        "limit": program.limit,
        "reads": program.reads,
        "bars": dict(program.bars),
        "graphs_in_rounds": counters["stats"]["unique_graphs"] - graphs,
        "device_memory": torch.cuda.max_memory_allocated(device) if device.type == "cuda" else None,
        "sides": {NUMPY: asdict(Spread.of(times[NUMPY])), **told},
    }


def _first_calls(side: Side, program: Program, expected: Any) -> dict[str, Any]:
    """Seconds of the first call, which compiles, and the error of its result; then it warms up."""
    results: list[Any] = []
    first = measure.seconds(lambda: results.append(side.run()))
    found = results.pop()
    found = found.cpu().numpy() if isinstance(found, torch.Tensor) else found
    error = program.error(expected, found) if found.dtype == expected.dtype else float("inf")
    for _ in range(2):
        side.run()
    return {"first_call": first, "error": error}


def _copied(side: Side) -> dict[str, int]:
    """What the report says of the last call."""
    found = _COPIED.search(side.report)
    assert found is not None
    numbers = [int(each.replace(",", "")) for each in found.groups()]
    return dict(zip(("bytes_there", "bytes_back", "values"), numbers, strict=True))


def _copies_seen(side: Side) -> dict[str, int] | None:
    """What the driver says of one call more: copies by their kind. None where there is no driver."""
    if side.device.type != "cuda":
        return None
    with torch.profiler.profile() as seen:
        side.run()
    return {each.key: each.count for each in seen.key_averages() if each.key.startswith("Memcpy")}


def main() -> None:
    parser = argparse.ArgumentParser(description="One program of the benchmark of devices.")
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    program = PROGRAMS[arguments.program](small=arguments.small)
    print(json.dumps(measured(program, torch.device(arguments.device), arguments.seconds)))


if __name__ == "__main__":
    main()
