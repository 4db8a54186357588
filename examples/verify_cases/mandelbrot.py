"""Calls of ../mandelbrot.py to compare, with the reference kernel."""

import numpy as np

from nprewrite.reference import kernel


def cases():
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 300, 250, 200, 2.0**40)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 300, 250, 200)
    # No multiple of any number of iterations in a call, and a grid of one row.
    yield "mandelbrot", (-0.75, -0.73, 0.1, 0.12, 181, 1, 77)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 64, 64, 1)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 64, 64, 0)


def reference(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    x = np.linspace(xmin, xmax, xn, dtype="float32")
    y = np.linspace(ymin, ymax, yn, dtype="float32")
    return kernel("mandelbrot")(x, y, maxiter, horizon)


references = {"mandelbrot": reference}
