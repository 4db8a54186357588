"""Loops over every index: beside array code written by hand, and beside Numba written by hand.

    python benchmarks/nests.py [PROGRAM ...]

Two tables, each program in turns within one run, on fresh copies of its arguments where it changes them:
nests that become array code, beside Python and beside array code written by hand (NumPy's or that through
``nprewrite.jit``, whichever is faster); and sequential nests beside ``numba.njit`` on the same text, which
checks no bounds. Exit status 1: a result is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import measure
import nests_by_hand
import numpy as np
from measure import Spread
from program_child import called

import nprewrite
from nprewrite.comparison import Case
from nprewrite.comparison.memory import copy_arguments
from nprewrite.decorated.jitted import Jitted

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "programs"))
from program_files import PATHS, Program

PARALLEL = (
    "matmul_scalar",
    "covariance_scalar",
    "triangular_update",
    "histogram_scalar",
    "pairwise_scalar",
    "life_scalar",
    "convolution_scalar",
    "floyd_warshall_scalar",
)
SEQUENTIAL = (
    "edit_distance",
    "knapsack",
    "sor",
    "byte_hash",
    "forward_scalar",
    "cholesky_scalar",
    "csr_matvec",
)
# Programs that change their arguments.
CHANGING = ("triangular_update", "floyd_warshall_scalar", "sor")
# Calls before anything is timed: the decorator takes its turns in them, and sometimes needs more.
WARM, MOST_WARM = 8, 64
ROUNDS, SLOW_ROUNDS = 41, 5

Times = dict[str, list[float]]
Function = Callable[..., Any]


def beside_array_code(program: Program, name: str) -> tuple[Times, dict[str, Function]]:
    """Seconds of the nest as written, of nprewrite on it, and of array code written by hand."""
    by_hand = getattr(nests_by_hand, name)
    sides = {
        "nprewrite": program.decorated(nprewrite.jit),
        "by hand": by_hand,
        "by hand, compiled": nprewrite.jit(by_hand),
    }
    timed = _timed(program, name)
    times = _turns(sides, timed, ROUNDS)
    slow = {"Python": program.original, "again": sides["nprewrite"]}
    times["Python"] = _turns(slow, timed, SLOW_ROUNDS, warm=0)["Python"]
    return times, {"Python": program.original, **sides}


def beside_numba(program: Program, name: str) -> tuple[Times, dict[str, Function]]:
    """Seconds of nprewrite on a sequential nest, and of Numba on it."""
    import numba

    sides = {"nprewrite": program.decorated(nprewrite.jit), "Numba": numba.njit(program.original)}
    return _turns(sides, _timed(program, name), ROUNDS), {"Python": program.original, **sides}


def _timed(program: Program, name: str) -> Callable[[Function], float]:
    """How a call of a side is timed."""
    case = program.case("bench")
    if name in CHANGING:
        return partial(called, case=case)
    return lambda side: measure.seconds(partial(side, *case.args, **case.kwargs))


def _turns(
    sides: dict[str, Function], timed: Callable[[Function], float], rounds: int, warm: int = WARM
) -> Times:
    for side in sides.values():
        for number in range(MOST_WARM if warm else 0):
            if number < warm or not _decided(side):
                timed(side)
    return measure.alternate(sides, rounds, lambda number, of: None, timed)


def _decided(side: Function) -> bool:
    """Whether a function has no turns left to take."""
    return not isinstance(side, Jitted) or all(each.kept for each in side.choices)


def same(sides: dict[str, Function], case: Case) -> bool:
    """Whether all sides give one result and change their arguments alike, up to rounding."""
    outcomes = []
    for function in sides.values():
        args, kwargs = copy_arguments(case.args, case.kwargs)
        result = function(*args, **kwargs)
        outcomes.append([result, *args])
    return all(_equal(each, outcomes[0]) for each in outcomes)


def _equal(left: list[Any], right: list[Any]) -> bool:
    pairs = zip(left, right, strict=True)
    return all(
        a is b is None or np.allclose(np.asarray(a), np.asarray(b), rtol=1e-9, atol=1e-12) for a, b in pairs
    )


def ratio(times: Times, slow: str, fast: str) -> str:
    """How many times ``fast`` is as fast as ``slow``: the median of the rounds, and the quartiles."""
    count = min(len(times[slow]), len(times[fast]))
    rounds = zip(times[slow][:count], times[fast][:count], strict=True)
    spread = Spread.of([a / b for a, b in rounds])
    return f"{spread.median:8.2f} ({spread.lower:.2f} to {spread.upper:.2f})"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure loops over every index beside hand-written code.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", choices=[[], *PARALLEL, *SEQUENTIAL])
    wanted = parser.parse_args().programs or [*PARALLEL, *SEQUENTIAL]
    print(", ".join(f"{name} {value}" for name, value in measure.machine().items()))
    right = True
    for name in wanted:
        program = Program.load(PATHS[name])
        if name in PARALLEL:
            times, sides = beside_array_code(program, name)
            best = min(("by hand", "by hand, compiled"), key=lambda side: Spread.of(times[side]).median)
            gains = (
                f"{ratio(times, 'Python', 'nprewrite')} x Python, {ratio(times, best, 'nprewrite')} x {best}"
            )
        else:
            times, sides = beside_numba(program, name)
            gains = f"{ratio(times, 'Numba', 'nprewrite')} x Numba"
        agree = same(sides, program.case("small"))
        right = right and agree
        medians = ", ".join(f"{side} {Spread.of(each).median * 1e3:.3f} ms" for side, each in times.items())
        print(f"{name:24}{gains}   [{medians}]{'' if agree else '   WRONG'}")
        sys.stdout.flush()
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
