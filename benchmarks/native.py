"""Kernels of cpp/ built with g++ for the processor that they run on.

The extension nprewrite_reference is built for any, and on one with wide vectors takes several times as long:
too low a bar.
"""

from __future__ import annotations

import ctypes
import functools
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["-O3", "-march=native", "-fopenmp", "-ffp-contract=off", "-std=c++17", "-shared", "-fPIC"]


@functools.cache
def library(name: str) -> ctypes.CDLL:
    """The library of cpp/``name``_c.cpp; CalledProcessError or FileNotFoundError where it cannot be built."""
    with tempfile.TemporaryDirectory(prefix="nprewrite-cpp-") as folder:
        path = Path(folder) / f"{name}.so"
        source = ROOT / "cpp" / f"{name}_c.cpp"
        subprocess.run(["g++", *FLAGS, f"-I{ROOT / 'cpp/include'}", "-o", path, source], check=True)
        return ctypes.CDLL(str(path))
