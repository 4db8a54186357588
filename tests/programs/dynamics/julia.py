"""A Julia set whose finished points are dropped: the active ones are compressed every iteration."""

import numpy as np

ENTRY = "julia"
SIZES = {"bench": (500, 80), "small": (30, 20)}


def julia(n, maxiter, c=-0.4 + 0.6j):
    x, y = np.meshgrid(np.linspace(-1.5, 1.5, n), np.linspace(-1.5, 1.5, n))
    z = (x + 1j * y).ravel()
    index = np.arange(z.size)
    escape = np.full(z.size, maxiter)
    for i in range(maxiter):
        if not len(z):
            break
        z = z * z + c
        gone = np.abs(z) > 2.0
        escape[index[gone]] = i
        z = z[~gone]
        index = index[~gone]
    return escape.reshape(n, n)


def setup(n, maxiter):
    return n, maxiter
