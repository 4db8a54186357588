"""Calls of ../mandelbrot_double.py to compare, with the reference kernel in double precision."""

import numpy as np

from nprewrite.reference import kernel


def cases():
    yield "mandelbrot", (-0.7488, -0.7479, 0.0664, 0.0673, 200, 200, 500)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 300, 250, 200)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 31, 1, 13, 2.0**40)
    yield "mandelbrot", (-2.25, 0.75, -1.25, 1.25, 64, 64, 0)


def reference(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    x = np.linspace(xmin, xmax, xn)
    y = np.linspace(ymin, ymax, yn)
    return kernel("mandelbrot")(x, y, maxiter, horizon)


references = {"mandelbrot": reference}
