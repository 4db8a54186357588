"""The sides of the Mandelbrot benchmark: one interface, bounds in, iterates and escape times out."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from native import ROOT, library
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

Program = Callable[..., tuple[NDArray[Any], NDArray[Any]]]

EXAMPLE = ROOT / "examples" / "mandelbrot.py"


class View(NamedTuple):
    """The arguments of every side, in order."""

    xmin: float
    xmax: float
    ymin: float
    ymax: float
    xn: int
    yn: int
    maxiter: int
    horizon: float


SEED = View(-2.25, 0.75, -1.25, 1.25, 1000, 833, 200, 2.0**40)
# Above the set: every point of it escapes, the last one after 59 iterations.
NO_INTERIOR = View(-0.1, 0.4, 1.0, 1.4, 1000, 833, 2000, 2.0**40)


def rewrite_example(folder: Path) -> Path:
    """Write examples/mandelbrot.py, rewritten, into ``folder``; RuntimeError when nothing was rewritten."""
    done = rewrite_source(EXAMPLE.read_text(encoding="utf-8"), str(EXAMPLE), Options())
    if not any(site.outcome is Outcome.REWRITTEN for site in done.sites):
        sites = "; ".join(f"{site.line}: {site.verdict} {site.message}" for site in done.sites)
        raise RuntimeError(f"nprewrite rewrote nothing in {EXAMPLE.name} ({sites or 'no sites'})")
    path = folder / "mandelbrot_rewritten.py"
    path.write_text(done.text, encoding="utf-8")
    return path


def numpy_program() -> Program:
    """The example as written."""
    program: Program = _load(EXAMPLE).mandelbrot
    return program


def rewritten_program(path: Path) -> Program:
    """The example as rewritten into ``path``."""
    program: Program = _load(path).mandelbrot
    return program


def tutorial_program() -> Program:
    """The tutorial's last version; importing it imports torch."""
    program: Program = importlib.import_module("seed_last_version").mandelbrot_4
    return program


@functools.cache
def cpp_program() -> Program:
    """The kernel of cpp/; CalledProcessError or FileNotFoundError where it cannot be built."""
    kernel = library("mandelbrot").nprewrite_mandelbrot_float
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    kernel.argtypes = [pointer, pointer, count, count, ctypes.c_int32, ctypes.c_float, pointer, pointer]
    kernel.restype = None

    def mandelbrot(*arguments: Any) -> tuple[NDArray[np.complex64], NDArray[np.int64]]:
        view = View(*arguments)
        X = np.linspace(view.xmin, view.xmax, view.xn, dtype="float32")
        Y = np.linspace(view.ymin, view.ymax, view.yn, dtype="float32")
        Z = np.empty((view.yn, view.xn), dtype="complex64")
        N = np.empty((view.yn, view.xn), dtype="int64")
        x, y, z, n = (array.ctypes.data for array in (X, Y, Z, N))
        kernel(x, y, view.yn, view.xn, view.maxiter, view.horizon, z, n)
        return Z, N

    return mandelbrot


def programs(rewritten: Path) -> dict[str, Callable[[], Program]]:
    """How to load each side, by its name in the report."""
    return {
        "numpy": numpy_program,
        "rewritten": lambda: rewritten_program(rewritten),
        "tutorial": tutorial_program,
        "cpp": cpp_program,
    }


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = importlib.util.module_from_spec(spec)
    # torch.compile looks the globals of a compiled function up by the name of its module.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
