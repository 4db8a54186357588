"""Whether results are right: type, shape and dtype as NumPy's, and pixels judged against complex128."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sides import View

Result = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True)
class Wrong:
    """Pixels on which a result differs from the complex128 evaluation.

    ``count``: the escape time differs. ``iterate``: it differs, or the last iterate is off by more than 1 %.
    """

    count: int
    iterate: int


def in_double(view: View) -> Result:
    """The program of examples/mandelbrot.py on the same single-precision points, iterated in complex128."""
    X = np.linspace(view.xmin, view.xmax, view.xn, dtype="float32")
    Y = np.linspace(view.ymin, view.ymax, view.yn, dtype="float32")
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex128")
    for n in range(view.maxiter):
        inside = np.abs(Z) < view.horizon
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    N[N == view.maxiter - 1] = 0
    return Z, N


def wrong(result: Result, reference: Result) -> Wrong:
    """Count the pixels of ``result`` that differ from ``reference``."""
    (Z, N), (Z_reference, N_reference) = result, reference
    count = N != N_reference
    # Written so that a nan counts as wrong; an iterate near 0 is judged on the scale of 1, as points are.
    close = np.abs(Z - Z_reference) <= 0.01 * np.maximum(np.abs(Z_reference), 1)
    return Wrong(int(np.count_nonzero(count)), int(np.count_nonzero(count | ~close)))


def form(result: Result) -> str:
    """Type, dtype and shape of each part of a result, as text."""
    return "; ".join(f"{type(part).__name__} {part.dtype} {part.shape}" for part in result)
