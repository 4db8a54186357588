"""Lanes are independent, whatever the shape and the strides."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"rate": "float32"},
    state={"x": "float32"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _grow_step(rate, x):
    """One iteration of the loop over `n` in `grow`."""
    m = x < 100
    x = np.where(m, x * rate + 0.5, x)
    return x, m


def grow(x: npt.NDArray[np.float32], rate: npt.NDArray[np.float32], trips: int):
    for n in _grow_step.over(range(trips), rate=rate, x=x):
        m = x < 100
        x[m] = x[m] * rate[m] + 0.5
    return x


def line(size: int):
    return np.linspace(-3, 3, size, dtype=np.float32)


def cases():
    yield "grow", (line(24), line(24)[::-1], 20)
    yield "grow", (line(24).reshape(2, 3, 4), line(24).reshape(2, 3, 4)[::-1], 20)
    yield "grow", (line(24).reshape(4, 6).T, line(24).reshape(6, 4), 20)
    yield "grow", (line(48)[::2], line(24), 20)
    yield "grow", (line(48)[::-2].reshape(4, 6), line(24).reshape(4, 6), 20)
    yield "grow", (np.float32([[1]]), np.float32([[2]]), 20)
    yield "grow", (line(1), line(1), 20)
    yield "grow", (line(0), line(0), 20)
    yield "grow", (np.array(1, dtype=np.float32), np.array(2, dtype=np.float32), 20)
    yield "grow", (np.lib.stride_tricks.as_strided(line(9), (4, 4), (4, 4)), line(16).reshape(4, 4), 9)
