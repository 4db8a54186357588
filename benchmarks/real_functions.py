"""The function in which each published program spends its time, as written and decorated, once it is steady.

    python benchmarks/real_functions.py FOLDER [NAME ...] [--rounds N]

FOLDER is as for ``real.py``. The program runs as written until the function has been called a few times; the
arguments of that call are given to both sides, in turns, each time as copies. ``wait=True`` has the function
compiled before it is measured. Exit status 1: the results differ.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import machine
from real import Programs, same

HOT = {
    "finitevolume": "getFlux",
    "latticeboltzmann": "main",
    "navier-stokes-spectral": "grad",
    "nbody": "getAcc",
    "pic": "getAcc",
    "quantumspectral": "main",
    "sph": "getAcc",
}
"""What `nprewrite profile` shows first; a `main` is its loop over time."""
CALL = 8
"""The call whose arguments are kept: the state has developed by then."""
SETTLING = 40
"""Calls of both sides before the measured ones, in which the decorator takes its turns."""
WHOLE_ROUNDS = 3
"""Rounds where the function is the whole program."""


class Reached(Exception):
    """The arguments are there."""


def child(script: Path, name: str, rounds: int) -> dict[str, Any]:
    """The seconds of both sides, and whether their results agree."""
    import nprewrite

    module = loaded(script)
    function = getattr(module, name)
    arguments = () if name == "main" else arguments_of(module, name)
    decorated = nprewrite.jit(wait=True)(function)
    sides = {"as written": function, "decorated": decorated}
    for _ in range(1 if name == "main" else SETTLING):
        results = [side(*copy.deepcopy(arguments)) for side in sides.values()]
    seconds: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(WHOLE_ROUNDS if name == "main" else rounds):
        for side, each in sides.items():
            given = copy.deepcopy(arguments)
            started = time.perf_counter()
            each(*given)
            seconds[side].append(time.perf_counter() - started)
    return {"seconds": seconds, "same": alike(*results), "report": str(decorated.report()).splitlines()}


def loaded(script: Path) -> types.ModuleType:
    """The program as a module, whose ``main`` is not called."""
    spec = importlib.util.spec_from_file_location(script.stem.replace("-", "_"), script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def arguments_of(module: types.ModuleType, name: str) -> tuple[Any, ...]:
    """Copies of what a call in the middle of the program passes."""
    function: Callable[..., Any] = getattr(module, name)
    kept: list[tuple[Any, ...]] = []

    def recorded(*arguments: Any) -> Any:
        kept.append(copy.deepcopy(arguments))
        if len(kept) == CALL:
            raise Reached
        return function(*arguments)

    setattr(module, name, recorded)
    try:
        module.main()
    except Reached:
        return kept[-1]
    finally:
        setattr(module, name, function)
    return kept[-1]


def alike(first: Any, second: Any) -> bool:
    """Whether two results are the same but for rounding."""
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(alike, first, second))
    return same(np.asarray(first), np.asarray(second))


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(HOT)}")
    parser.add_argument(
        "--rounds", type=int, default=15, metavar="N", help="calls of each side (default: 15)"
    )
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        print(json.dumps(child(given.folder, given.child, given.rounds)))
        return 0
    print(", ".join(f"{name} {value}" for name, value in machine().items()), end="\n\n")
    print("| program | function | as written | decorated | times | results |\n|---|---|---|---|---|---|")
    ratios, problems = [], 0
    with tempfile.TemporaryDirectory(prefix="real-functions-") as folder:
        Programs(given.folder.resolve(), Path(folder))
        for name in given.names or HOT:
            environment = {
                **os.environ,
                "PYTHONPATH": str(given.folder.resolve() / "headless"),
                "REAL_OUT": str(Path(folder, "arrays.npz")),
                "NPREWRITE_CACHE_DIR": str(Path(folder, "cache")),
            }
            command = [sys.executable, __file__, str(Path(folder, f"{name}.py"))]
            command += ["--child", HOT[name], "--rounds", str(given.rounds)]
            done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            found = json.loads(done.stdout.splitlines()[-1])
            before, after = (1e3 * statistics.median(each) for each in found["seconds"].values())
            ratios.append(before / after)
            problems += not found["same"]
            told = "same" if found["same"] else "DIFFER"
            row = f"`{HOT[name]}` | {before:.2f} ms | {after:.2f} ms | {before / after:.2f}"
            print(f"| {name} | {row} | {told} |", flush=True)
    print(f"| geometric mean | | | | {statistics.geometric_mean(ratios):.2f} | |")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
