"""Maxwell's equations in two dimensions on a staggered grid; PolyBench's fdtd-2d."""

import numpy as np

ENTRY = "fdtd_2d"
SIZES = {"bench": (500, 600, 60), "small": (12, 14, 6)}


def fdtd_2d(TMAX, ex, ey, hz, _fict_):
    for t in range(TMAX):
        ey[0, :] = _fict_[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def setup(nx, ny, steps):
    i, j = np.mgrid[:nx, :ny]
    return steps, i * (j + 1.0) / nx, i * (j + 2.0) / ny, i * (j + 3.0) / nx, np.arange(float(steps))
