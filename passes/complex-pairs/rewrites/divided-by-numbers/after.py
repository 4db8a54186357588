"""Real numbers as divisors: NumPy divides by a complex number with a zero part, and by zero without its sign.

Hazards: 2.division
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"below": "bool"},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _negative_step(below, z_re, z_im):
    """One iteration of the loop over `n` in `negative`."""
    z_re, z_im = (z_re + z_im * -0.0) / -2, (z_im - z_re * -0.0) / -2
    t_re, t_im = npr.split(np.sqrt(npr.join(z_re, z_im)))
    below[...] = t_im < 0
    return below, z_re, z_im


def negative(z: npt.NDArray[np.complex128], below: npt.NDArray[np.bool_], trips: int):
    for n in (loop := _negative_step.over(range(trips), below=below, z=z)):
        z = z / -2
        below[...] = np.sqrt(z).imag < 0
    if loop.finished:
        (z,) = loop.results
    return z


@npr.step(
    counter="n",
    state={"above": "bool"},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _zero_step(above, z_re, z_im):
    """One iteration of the loop over `n` in `zero`."""
    above[...] = z_im >= 0.5
    z_re, z_im = npr.divide(z_re, z_im, np.full_like(z_re, 0), np.full_like(z_re, 0.0))
    return above, z_re, z_im


def zero(z: npt.NDArray[np.complex128], above: npt.NDArray[np.bool_], trips: int):
    for n in (loop_1 := _zero_step.over(range(trips), above=above, z=z)):
        above[...] = z.imag >= 0.5
        z = z / 0
    if loop_1.finished:
        (z,) = loop_1.results
    return z


@npr.step(
    counter="n",
    state={"z": npr.pair("float32"), "above": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _negative_zero_step(z_re, z_im, above):
    """One iteration of the loop over `n` in `negative_zero`."""
    above[...] = z_re >= 0.5
    z_re, z_im = npr.divide(z_re, z_im, np.full_like(z_re, -0.0), np.full_like(z_re, 0.0))
    return z_re, z_im, above


def negative_zero(z: npt.NDArray[np.complex64], above: npt.NDArray[np.bool_], trips: int):
    for n in _negative_zero_step.over(range(trips), z=z, above=above):
        above[...] = z.real >= 0.5
        z /= -0.0


@npr.step(
    counter="n",
    state={"z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _smallest_step(z_re, z_im):
    """One iteration of the loop over `n` in `smallest`."""
    z_re, z_im = npr.divide(z_re, z_im, np.full_like(z_re, 1e-40), np.full_like(z_re, 0.0))
    return z_re, z_im


def smallest(z: npt.NDArray[np.complex64], trips: int):
    for n in _smallest_step.over(range(trips), z=z):
        z /= 1e-40


def cases():
    z = np.array([0j, -0.0 + 1j, -0.0 - 1j, 1 - 0j, -1 - 0j, 1 + 2j, -1 - 2j, np.inf - 1j, 1j * np.inf, np.nan])
    for trips in (0, 1, 9):
        yield "negative", (z.copy(), np.zeros(10, dtype=bool), trips)
        yield "zero", (z.copy(), np.zeros(10, dtype=bool), trips)
        yield "negative_zero", (z.astype(np.complex64), np.zeros(10, dtype=bool), trips)
        yield "smallest", (z.astype(np.complex64), trips)
