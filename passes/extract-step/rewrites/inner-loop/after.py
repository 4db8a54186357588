"""A loop of other work around a loop of array work: the inner one is the step."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "float64", "N": "int64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _frames_step(n, x, N):
    """One iteration of the loop over `n` in `frames`."""
    m = np.abs(x) < 2
    x = np.where(m, x * x - 1.5, x)
    N = np.where(m, n, N)
    return x, N, m


def frames(size: int, trips: int, zooms: list):
    pictures = []
    for zoom in zooms:
        x = np.linspace(-zoom, zoom, size, dtype=np.float64)
        N = np.zeros(size, dtype=np.int64)
        for n in _frames_step.over(range(trips), x=x, N=N):
            m = np.abs(x) < 2
            x[m] = x[m] * x[m] - 1.5
            N[m] = n
        pictures.append((x, N))
    return pictures


def cases():
    for trips in (20, 9, 8, 1, 0):
        yield "frames", (9, trips, [1.0, 2.5])
    yield "frames", (9, 9, [])
