"""Rewrite a copy of mandelbrot.py, run it before and after, compare, save the picture, and verify.

    python examples/demo.py

Needs nprewrite with its torch and plot extras; `make demo` sees to that.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "demo"
PICTURE = ROOT / "mandelbrot.png"
REPEATS = 5


def load(path: Path) -> ModuleType:
    """Import the file at ``path`` under its own name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = importlib.util.module_from_spec(spec)
    # torch.compile looks the globals of a compiled function up by the name of its module.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def rewrite(folder: Path) -> Path:
    """Copy the example into ``folder`` and rewrite it there by command; SystemExit if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / "mandelbrot_rewritten.py"
    shutil.copyfile(ROOT / "examples" / "mandelbrot.py", copy)
    command = [sys.executable, "-m", "nprewrite", "rewrite"]
    for options in (["--diff"], []):
        print(f"$ nprewrite rewrite {' '.join([*options, copy.name])}")
        done = subprocess.run([*command, *options, copy.name], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        # With --diff the lines about the sites are on standard error; the command after it prints them.
        print(done.stdout)
    return copy


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result of one call."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def compare(before: ModuleType, after: ModuleType) -> tuple[NDArray[Any], NDArray[Any]]:
    """Run both programs, print times and agreement, return the rewritten program's result."""
    names = "XMIN", "XMAX", "YMIN", "YMAX", "XN", "YN", "MAXITER", "HORIZON"
    view = [getattr(before, name) for name in names]
    os.environ["NPREWRITE_WAIT"] = "1"
    importing, _ = timed(lambda: __import__("torch"))
    first, result = timed(lambda: after.mandelbrot(*view))
    print(f"import of torch {importing:.1f} s; first call of the rewritten program {first:.1f} s, compiling")

    original = before.mandelbrot(*view)
    times: dict[str, list[float]] = {"before": [], "after": []}
    for _ in range(REPEATS):
        times["before"].append(timed(lambda: before.mandelbrot(*view))[0])
        times["after"].append(timed(lambda: after.mandelbrot(*view))[0])
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:7} {median * 1e3:8.1f} ms  (median of {REPEATS}, in turns)")
    print(f"speed-up {medians['before'] / medians['after']:.1f}")

    for name, old, new in zip(("Z", "N"), original, result, strict=True):
        print(f"{name}: before {old.dtype} {old.shape}, after {new.dtype} {new.shape}")
    different = np.count_nonzero(original[1] != result[1])
    print(f"escape times equal on {original[1].size - different} of {original[1].size} points")
    if different:
        print("  the others lie at the boundary of the set, where the rounding of float32 decides for both")
    Z, N = result
    return Z, N


def verify() -> None:
    """Print the table of `nprewrite verify` for some calls; SystemExit if an answer differs."""
    cases = ROOT / "examples" / "verify_cases" / "mandelbrot.py"
    command = ["verify", "examples/mandelbrot.py", "--cases", str(cases.relative_to(ROOT)), "--reference"]
    print(f"$ nprewrite {' '.join(command)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "nprewrite", *command], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    copy = rewrite(BUILD)
    before = load(ROOT / "examples" / "mandelbrot.py")
    Z, N = compare(before, load(copy))
    extent = [before.XMIN, before.XMAX, before.YMIN, before.YMAX]
    before.visualize(Z, N, before.HORIZON, extent, PICTURE)
    print(f"picture: {PICTURE}")
    verify()


if __name__ == "__main__":
    main()
