"""The elementary functions of the table, in NumPy's own form without torch."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _mix_step(x):
    """One iteration of the loop over `_` in `mix`."""
    y = np.sin(x) * np.cos(x) + np.exp(-np.abs(x)) - np.tanh(x)
    z = np.sqrt(np.abs(y)) + np.log1p(np.square(x)) + np.floor(y) - np.minimum(x, 0.5)
    x = np.where(z > 1, np.maximum(-2, np.minimum(z, 2)), np.maximum(y, -1.0))
    return (x,)


def mix(x: npt.NDArray[np.float64], trips: int):
    for _ in (loop := _mix_step.over(range(trips), x=x)):
        y = np.sin(x) * np.cos(x) + np.exp(-np.abs(x)) - np.tanh(x)
        z = np.sqrt(np.abs(y)) + np.log1p(np.square(x)) + np.floor(y) - np.minimum(x, 0.5)
        x = np.where(z > 1, np.maximum(-2, np.minimum(z, 2)), np.maximum(y, -1.0))
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    for trips in (16, 9, 8, 1, 0):
        yield "mix", (np.linspace(-3, 3, 31), trips)
    yield "mix", (np.array([np.inf, -np.inf, np.nan, 1e300]), 9)
