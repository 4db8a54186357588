"""Calls of ../julia_single.py to compare, with the reference kernel."""

import numpy as np

from nprewrite.reference import kernel


def cases():
    yield "julia", (200, 1.6, 100)
    yield "julia", (150, 1.2, 101, 0.285 + 0.01j, 4.0)
    yield "julia", (60, 1.6, 0)


def reference(size, extent, maxiter, c=-0.8 + 0.156j, horizon=2.0):
    x = np.linspace(-extent, extent, size, dtype="float32")
    return kernel("julia")(x, x, c, maxiter, horizon)


references = {"julia": reference}
