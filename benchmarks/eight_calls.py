"""How soon the first calls of a process run compiled, where another process has compiled them before.

    python benchmarks/eight_calls.py [--processes N]

The Mandelbrot loop of ``start_programs`` on a larger grid, decorated: processes fill the caches until the
loop has run compiled, and each of the next ones makes eight calls. They take turns with NumPy until a side
is kept. The figure is what they take, without what is waited for once (rewriting, importing torch, loading),
relative to one call of NumPy and seven compiled ones. Exit status 1: it is over the bar, or a result is
wrong.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import numpy as np
from start_programs import PROGRAMS

BAR = 1.3
CALLS = 8
FURTHER = 30
"""Calls after which a side has been kept for long."""
LAST = 5
NUMPY = 3
FILLING = 5
"""Processes within which the caches are full, or the machine is too busy to measure anything."""


def arguments() -> tuple[Any, ...]:
    """A grid for which NumPy takes some tenths of a second."""
    x, y = np.linspace(-2.25, 0.75, 1000), np.linspace(-1.25, 1.25, 833)
    return x + 1j * y[:, None], 40


def in_a_process() -> dict[str, Any]:
    """Seconds of the first calls, of those that are compiled, and of NumPy's."""
    import nprewrite
    from nprewrite.runtime.choosing import budget

    # What is waited for is not measured, and takes long on a busy machine.
    budget.SECONDS = 600.0
    function, given = PROGRAMS["Mandelbrot"][0], arguments()
    decorated = nprewrite.jit(function)
    results: list[Any] = []

    def call() -> None:
        results[:] = [decorated(*given)]

    first, waited = [], []
    for _ in range(CALLS):
        before = budget.waited()
        first.append(_seconds(call))
        waited.append(budget.waited() - before)
    further = [_seconds(call) for _ in range(FURTHER)]
    numpy = [_seconds(lambda: function(*given)) for _ in range(NUMPY)]
    return {
        "first": first,
        "waited": waited,
        "compiled": statistics.median(further[-LAST:]),
        "numpy": statistics.median(numpy),
        "right": bool(np.array_equal(results[0], function(*given))),
        "ran_compiled": any(step.runs["compiled"] for step in decorated.version.steps),
        "kept": [choice.kept for choice in decorated.choices],
    }


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def relative(told: dict[str, Any]) -> float:
    """What the first calls take, relative to one of NumPy's and compiled ones."""
    took = sum(told["first"]) - sum(told["waited"])
    return float(took / (told["numpy"] + (CALLS - 1) * told["compiled"]))


def main() -> int:
    """Print a line for each process; the exit status."""
    parser = argparse.ArgumentParser(description="Time the first calls of processes with full caches.")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(in_a_process()))
        return 0
    with tempfile.TemporaryDirectory(prefix="nprewrite-bench-") as cache:
        if not any(_process(cache)["ran_compiled"] for _ in range(FILLING)):
            sys.exit(f"nothing ran compiled in {FILLING} processes, expected full caches")
        told = []
        for _ in range(options.processes):
            told.append(_process(cache))
            print(_line(told[-1]), flush=True)
    median, right = statistics.median(map(relative, told)), all(each["right"] for each in told)
    print(f"{CALLS} calls: {median:.2f}, bar {BAR}; results {'right' if right else 'WRONG'}")
    return int(median > BAR or not right)


def _process(cache: str) -> dict[str, Any]:
    return measure.child(Path(__file__), "--child", environment={"NPREWRITE_CACHE_DIR": cache})


def _line(told: dict[str, Any]) -> str:
    pairs = zip(told["first"], told["waited"], strict=True)
    calls = ", ".join(f"{1000 * (took - waited):.0f}" for took, waited in pairs)
    kept = ", ".join(map(str, told["kept"])) or "by the parts"
    return (
        f"{relative(told):.2f}: {calls} ms; NumPy {1000 * told['numpy']:.0f}, "
        f"compiled {1000 * told['compiled']:.0f}; waited {sum(told['waited']):.1f} s; kept {kept}"
    )


if __name__ == "__main__":
    sys.exit(main())
