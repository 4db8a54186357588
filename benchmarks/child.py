"""Measurements of the Mandelbrot benchmark that need a process of their own.

    python child.py first-call REWRITTEN
    python child.py graphs REWRITTEN
    python child.py memory REWRITTEN SIDE

REWRITTEN is the rewritten example, SIDE the name of a side. The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from measure import peak_growth, seconds
from sides import SEED, programs, rewritten_program


def first_call(rewritten: Path) -> dict[str, float]:
    """Seconds of the import of torch, and of the first call after it."""
    start = time.perf_counter()
    import torch  # noqa: F401

    imported = time.perf_counter() - start
    program = rewritten_program(rewritten)
    return {"import_torch": imported, "first_call": seconds(lambda: program(*SEED))}


def graphs(rewritten: Path) -> dict[str, int]:
    """How many graphs Dynamo has compiled: after the first call, after other arguments, other grid sizes."""
    from torch._dynamo.utils import counters

    program = rewritten_program(rewritten)
    compiled = {}

    program(*SEED)
    compiled["first_call"] = counters["stats"]["unique_graphs"]
    for maxiter in (0, 1, 13, 200, 203):
        program(*SEED._replace(maxiter=maxiter))
    for horizon in (2.0, 1e6):
        program(*SEED._replace(horizon=horizon))
    program(*SEED._replace(xmin=-0.8, xmax=-0.7, ymin=0.05, ymax=0.15))
    compiled["same_size"] = counters["stats"]["unique_graphs"]
    program(*SEED._replace(xn=640, yn=480, maxiter=203))
    compiled["another_size"] = counters["stats"]["unique_graphs"]
    program(*SEED._replace(xn=1100, yn=701, maxiter=203))
    compiled["third_size"] = counters["stats"]["unique_graphs"]
    return compiled


def memory(rewritten: Path, side: str) -> dict[str, float]:
    """Bytes by which a warm call of a side raises the peak of resident memory.

    ``growth`` is the median of five calls; ``new_size`` the one call before them, the first of that grid size
    in a process warmed up on another size: it counts memory that a side keeps from call to call.
    """
    program = programs(rewritten)[side]()
    for _ in range(2):
        program(*SEED._replace(xn=640, yn=480))
    new_size = peak_growth(lambda: program(*SEED))
    return {
        "new_size": new_size,
        "growth": statistics.median(peak_growth(lambda: program(*SEED)) for _ in range(5)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="One measurement of the Mandelbrot benchmark.")
    parser.add_argument("measurement", choices=["first-call", "graphs", "memory"])
    parser.add_argument("rewritten", type=Path)
    parser.add_argument("side", nargs="?", default="rewritten")
    arguments = parser.parse_args()
    if arguments.measurement == "first-call":
        print(json.dumps(first_call(arguments.rewritten)))
    elif arguments.measurement == "graphs":
        print(json.dumps(graphs(arguments.rewritten)))
    else:
        print(json.dumps(memory(arguments.rewritten, arguments.side)))


if __name__ == "__main__":
    main()
