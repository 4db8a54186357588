"""A Python number computed from the loop variable each trip, and used under two names."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_float32": "float32", "scalar_float32_1": "float32"},
    carried={"x": "float32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _heat_step(scalar_float32, scalar_float32_1, x):
    """One iteration of the loop over `n` in `heat`."""
    x = x * 0.5 + scalar_float32 - scalar_float32_1
    return (x,)


def heat(x: npt.NDArray[np.float32], dt: float, trips: int):
    for n in (loop := _heat_step.over(range(trips), scalars=lambda n: (n * dt, n * dt / 2), x=x)):
        t = n * dt
        half = t / 2
        x = x * 0.5 + t - half
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    for trips in (9, 8, 1, 0):
        yield "heat", (np.arange(5, dtype=np.float32), 0.1, trips)
    yield "heat", (np.arange(5, dtype=np.float32), 3, 9)
