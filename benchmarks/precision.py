"""What float32 gives: the assignment of k-means and the Kuramoto right-hand side, from arguments in float64.

    python benchmarks/precision.py [--points N] [--size N]

Sides, in turns within one run: NumPy as written, nprewrite, and nprewrite with ``precision="float32"``, which
casts its arguments in each call. Exit status 1: a result is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import measure
import numpy as np
from numpy.typing import NDArray
from scaling import example, show, turns

import nprewrite

Array = NDArray[Any]

ROUNDS = 12
SINGLE = "nprewrite, float32"


def sides(jitted: Any, *arguments: Any) -> dict[str, Callable[[], Array]]:
    """The calls of all sides."""
    single = nprewrite.jit(level="fast", precision="float32")(jitted.original)
    kinds = {"NumPy, float64": jitted.original, "nprewrite, float64": jitted, SINGLE: single}
    return {name: partial(kind, *arguments) for name, kind in kinds.items()}


def right(what: str, runs: dict[str, Callable[[], Array]]) -> bool:
    """Whether the sides agree: one label of 256 may flip, and floats keep half of their digits."""
    results = {name: run() for name, run in runs.items()}
    expected = results["NumPy, float64"]
    wrong = False
    for name, result in results.items():
        if expected.dtype.kind == "f":
            error = float(np.abs(result - expected).max() / np.abs(expected).max())
            limit = float(np.sqrt(np.finfo(result.dtype).eps))
        else:
            error, limit = float((result != expected).mean()), 1 / 256
        print(f"{what}, {name}, {result.dtype}: error {error:.2g}")
        wrong |= not error <= limit
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure two programs in float64 and float32.")
    parser.add_argument("--points", metavar="N", type=int, default=2_000_000)
    parser.add_argument("--size", metavar="N", type=int, default=1000)
    given = parser.parse_args()
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    kmeans, kuramoto = example("kmeans"), example("kuramoto")
    points, means = kmeans.blobs(given.points // 2)
    solver = kuramoto.Slices(given.size, dtype="float64")
    programs = {
        f"k-means, {given.points} points": sides(kmeans.kmeans, points, means),
        f"Kuramoto, {given.size} x {given.size}": sides(
            kuramoto.dudt, solver.initial, solver.omega, solver.K
        ),
    }
    agree = True
    for what, runs in programs.items():
        times = turns(runs, ROUNDS)
        agree &= right(what, runs)
        show(what, times)
    return int(not agree)


if __name__ == "__main__":
    sys.exit(main())
