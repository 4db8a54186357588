"""The assignment of k-means: to which of two means each of the points in a plane is nearest, over sizes.

    python benchmarks/kmeans.py [--png FILE] [--points N,N...]

Sides, in turns within one run: NumPy as written, nprewrite, and the C++ kernel with OpenMP; then the same
with one thread, in a process of its own. Exit status 1: a result is wrong.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import measure
import numpy as np
from numpy.typing import NDArray
from scaling import Times, draw, example, show, turns

from native import ROOT, library

program = example("kmeans")

Array = NDArray[Any]

POINTS = (1_000, 10_000, 100_000, 1_000_000, 2_000_000)
ROUNDS = 12


def cpp(X: Array, means: Array) -> Array:
    """The C++ kernel."""
    centres = np.ascontiguousarray(means, dtype=X.dtype)
    labels = np.empty(len(X), np.int64)
    sizes = [ctypes.c_int64(each) for each in (len(X), len(means), X.shape[1])]
    points, rows, out = (ctypes.c_void_p(each.ctypes.data) for each in (X, centres, labels))
    library("kmeans").nprewrite_kmeans_assign(points, rows, *sizes, out)
    return labels


def sides(points: int) -> dict[str, Callable[[], Array]]:
    """The calls of all sides for so many points."""
    X, means = program.blobs(points // 2)
    kinds = {"NumPy": program.kmeans.original, "nprewrite": program.kmeans, "C++, OpenMP": cpp}
    return {name: partial(kind, X, means) for name, kind in kinds.items()}


def right(points: int) -> bool:
    """Whether all sides give the same labels."""
    labels = {name: run() for name, run in sides(points).items() for _ in range(3)}
    wrong = [name for name, each in labels.items() if not np.array_equal(each, labels["NumPy"])]
    print(f"{points} points: {'all sides agree' if not wrong else f'WRONG: {wrong}'}")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the assignment of k-means over numbers of points.")
    parser.add_argument("--png", metavar="FILE", type=Path, default=ROOT / "build" / "kmeans.png")
    parser.add_argument("--points", metavar="N,N...", default=",".join(map(str, POINTS)))
    parser.add_argument("--json", action="store_true", help="print the times of the most points, and no more")
    given = parser.parse_args()
    points = [int(each) for each in given.points.split(",")]
    if given.json:
        print(json.dumps(turns(sides(points[-1]), ROUNDS)))
        return 0
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    agree = right(100_000)
    times: list[Times] = []
    for each in points:
        times.append(turns(sides(each), ROUNDS))
        show(f"{each} points", times[-1])
    alone = measure.child(
        Path(__file__), "--json", "--points", str(points[-1]), environment={"OMP_NUM_THREADS": "1"}
    )
    show(f"{points[-1]} points, one thread", alone)
    draw("k-means, assignment to two means", "points in a plane", points, times, given.png)
    return int(not agree)


if __name__ == "__main__":
    sys.exit(main())
