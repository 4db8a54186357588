"""Two axes of lanes, steps backwards and by two, bytes that wrap around and rows in single precision."""

import numpy as np
import nprewrite.runtime as npr


@npr.sweep
def _sweep_sweep(n, t, w):
    """The sweep in `sweep`."""
    for k in range(n - 3, -1, -2):
        t[:, k] = t[:, k + 2] * 0.75 + w


@npr.sweep
def _sweep_sweep_1(m, c):
    """The sweep in `sweep`."""
    for j in range(1, m):
        c[..., j] += c[..., j - 1] * 3
        c[1:3, j] = c[1:3, j] - 200


def sweep(n: int, m: int):
    w = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)
    t = np.ones((2, n, 3), dtype=np.float32)
    _sweep_sweep(n, t, w)
    c = np.arange(4 * m, dtype=np.uint8).reshape(4, m)
    _sweep_sweep_1(m, c)
    return t, c


def cases():
    for n, m in ((9, 20), (3, 1), (2, 2), (4, 70)):
        yield "sweep", (n, m)
