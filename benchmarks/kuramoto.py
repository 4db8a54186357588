"""The Kuramoto model on a lattice: its right-hand side and whole integrations, over sizes.

    python benchmarks/kuramoto.py [--png FILE] [--sizes N,N...]

Sides, in turns within one run: NumPy's slices, the same compiled, the naive double loop as nprewrite rewrites
it, and the C++ kernel with OpenMP. Exit status 1: a result is wrong.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
from functools import partial
from pathlib import Path
from typing import Any

import measure
import numpy as np
from numpy.typing import NDArray
from scaling import Times, draw, example, show, turns

from native import ROOT, library

program = example("kuramoto")

Array = NDArray[Any]

SIZES = (32, 64, 100, 200, 300, 500, 700, 1000)
ROUNDS = 12
STEPS = 20
"""Euler steps of an integration."""


class Plain(program.Solver):  # type: ignore[misc, name-defined]
    """NumPy's slices as written."""

    def dudt(self, u: Array) -> Array:
        """The right-hand side."""
        rate: Array = program.dudt.original(u, self.omega, self.K)
        return rate


class Cpp(program.Solver):  # type: ignore[misc, name-defined]
    """The C++ kernel in the same time steps."""

    def dudt(self, u: Array) -> Array:
        """The right-hand side."""
        single = u.dtype == np.float32
        kernel = library("kuramoto")[f"nprewrite_kuramoto_{'float' if single else 'double'}"]
        coupling = (ctypes.c_float if single else ctypes.c_double)(self.K)
        rate = np.empty_like(u)
        rows, columns = map(ctypes.c_int64, u.shape)
        addresses = [ctypes.c_void_p(each.ctypes.data) for each in (u, self.omega, rate)]
        kernel(*addresses[:2], rows, columns, coupling, addresses[2])
        return rate


SIDES = {
    "NumPy, slices": Plain,
    "nprewrite, slices": program.Slices,
    "nprewrite, naive loops": program.Naive,
    "C++, OpenMP": Cpp,
}


def right(size: int, dtype: str) -> bool:
    """Whether all sides agree, within some units in the last place of the largest term."""
    solvers = {name: kind(size, dtype=dtype) for name, kind in SIDES.items()}
    wanted = solvers["NumPy, slices"]
    rates = {name: each.dudt(wanted.initial) for name, each in solvers.items() for _ in range(3)}
    expected = rates.pop("NumPy, slices")
    limit = 40 * np.finfo(dtype).eps * (np.abs(expected).max() + 4 * wanted.K)
    wrong = [name for name, rate in rates.items() if not np.abs(rate - expected).max() <= limit]
    print(f"{size} x {size}, {dtype}: {'all sides agree' if not wrong else f'WRONG: {wrong}'}")
    return not wrong


def rates(size: int, dtype: str) -> Times:
    """Seconds of one right-hand side."""
    solvers = {name: kind(size, dtype=dtype) for name, kind in SIDES.items()}
    return turns({name: partial(each.dudt, each.initial) for name, each in solvers.items()}, ROUNDS)


def integrations(size: int) -> Times:
    """Seconds of an integration."""
    solvers = {name: kind(size, T=STEPS / 10) for name, kind in SIDES.items()}
    return turns({name: each.integrate for name, each in solvers.items()}, ROUNDS, warm=2)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the Kuramoto model over sizes.")
    parser.add_argument("--png", metavar="FILE", type=Path, default=ROOT / "build" / "kuramoto.png")
    parser.add_argument("--sizes", metavar="N,N...", default=",".join(map(str, SIZES)))
    given = parser.parse_args()
    sizes = [int(each) for each in given.sizes.split(",")]
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    agree = all(right(100, dtype) for dtype in ("float64", "float32"))
    for dtype in ("float64", "float32"):
        show(f"right-hand side, {sizes[-1]} x {sizes[-1]}, {dtype}", rates(sizes[-1], dtype))
    times = []
    for size in sizes:
        times.append(integrations(size))
        show(f"integration of {STEPS} steps, {size} x {size}", times[-1])
    draw(f"Kuramoto model, {STEPS} Euler steps", "oscillators a side", sizes, times, given.png)
    return int(not agree)


if __name__ == "__main__":
    sys.exit(main())
