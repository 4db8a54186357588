"""An element that is given a name keeps its value when the array changes: torch would give a view of it."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    state={"x": "float64"},
    ranks={"x": 1},
    compile=True,
)
def _exchange_step(n, x):
    """One iteration of the loop over `n` in `exchange`."""
    first, last = x[0].copy(), x[-1].copy()
    x[0] = last
    x[-1] = first
    x[1] = first + n
    return (x,)


def exchange(trips: int):
    x = np.arange(1.0, 5.0)
    for n in _exchange_step.over(range(trips), x=x):
        first, last = x[0], x[-1]
        x[0] = last
        x[-1] = first
        x[1] = first + n
    return x


@npr.step(
    counter="n",
    state={"z": npr.pair("float64")},
    ranks={"z": 1},
    compile=True,
)
def _turn_step(z_re, z_im):
    """One iteration of the loop over `n` in `turn`."""
    a_re, a_im, b = z_re[0].copy(), z_im[0].copy(), z_re[-1].copy()
    z_re[0], z_im[0] = b, 0.0
    z_re[-1], z_im[-1] = a_re * 0.0 - a_im * 1.0, a_re * 1.0 + a_im * 0.0
    return z_re, z_im


def turn(trips: int):
    z = np.arange(1.0, 4.0) * (1 + 2j)
    for n in _turn_step.over(range(trips), z=z):
        a, b = z[0], z[-1].real
        z[0] = b
        z[-1] = a * 1j
    return z


def cases():
    for trips in (9, 2, 1, 0):
        yield "exchange", (trips,)
        yield "turn", (trips,)
