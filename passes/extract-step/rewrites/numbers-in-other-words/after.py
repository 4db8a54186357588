"""A number that Python computes is a parameter of the step, whatever functions it is made with."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_float64": npr.scalar("float64"), "scalar_float64_1": npr.scalar("float64"), "scalar_float64_2": npr.scalar("float64")},
    inputs={"y": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _relaxed_step(scalar_float64, scalar_float64_1, scalar_float64_2, y, x):
    """One iteration of the loop over `n` in `relaxed`."""
    x = np.where(x < y, scalar_float64, y) * scalar_float64_1 + scalar_float64_2
    return (x,)


def relaxed(size, rate: float, trips):
    x = np.linspace(-1.0, 1.0, size)
    y = np.cos(x)
    for n in (loop := _relaxed_step.over(
        range(trips),
        scalars=lambda n: (np.sign(rate) * 0.5, np.rint(rate) % 0.7, np.power(rate * n, 0.5)),
        y=y,
        x=x,
    )):
        x = np.where(x < y, np.sign(rate) * 0.5, y) * (np.rint(rate) % 0.7) + np.power(rate * n, 0.5)
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    for rate in (0.5, 0.0, 2.7, np.nan):
        yield "relaxed", (7, rate, 5)
        yield "relaxed", (7, np.float32(rate), 3)
