"""Comparisons of abs with a limit, and equality: squares only for < and <= under a bound, hypot else.

Hazards: 2.abs, 2.not-less
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    constants={"h": "float32"},
    bounds={"h": (8.673617379884035e-19, 9.223372036854776e+18)},
    inputs={"z": npr.pair("float32"), "w": npr.pair("float32")},
    state={"below": "int64", "above": "int64"},
    out={"equal": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _classify_step(h, z_re, z_im, w_re, w_im, below, above):
    """One iteration of the loop over `n` in `classify`."""
    near = z_re * z_re + z_im * z_im < h * h
    below = np.where(near, below + 1, below)
    below = np.where(z_re * z_re + z_im * z_im <= h * h, below + 10, below)
    below = np.where(~near, below + 100, below)
    above = np.where(np.hypot(z_re, z_im) > h, above + 1, above)
    above = np.where(np.hypot(z_re, z_im) >= h, above + 10, above)
    above = np.where(z_re * z_re + z_im * z_im < h * h, above + 100, above)
    above = np.where(~(h <= np.hypot(z_re, z_im)), above + 1000, above)
    equal = (z_re == w_re) & (z_im == w_im) | ((z_re != z_re) | (z_im != z_im)) & ((w_re == 0) & (w_im == 0.0))
    return below, above, equal


def classify(z: npt.NDArray[np.complex64], w: npt.NDArray[np.complex64], h: float, trips: int):
    below = np.zeros(z.shape, dtype=np.int64)
    above = np.zeros(z.shape, dtype=np.int64)
    equal = np.zeros(z.shape, dtype=bool)
    for n in (loop := _classify_step.over(range(trips), h=h, z=z, w=w, below=below, above=above)):
        near = np.abs(z) < h
        below[near] += 1
        below[np.abs(z) <= h] += 10
        below[~near] += 100
        above[np.abs(z) > h] += 1
        above[np.abs(z) >= h] += 10
        above[h > np.abs(z)] += 100
        above[~(h <= np.abs(z))] += 1000
        equal = (z == w) | (z != z) & (w == 0)
    if loop.finished:
        (equal,) = loop.results
    return below, above, equal


def plane():
    part = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 2.0**64, 1e-30, 3e38], dtype=np.float32)
    z = np.empty((part.size, part.size), dtype=np.complex64)
    z.real = part
    z.imag = part[:, None]
    return z


def cases():
    for h in (1.5, 2.0, 2.0**40, 2.0**64, 2.0**70, 1e-30, 0.0, -0.0, -1.0, np.inf, -np.inf, np.nan):
        yield "classify", (plane(), plane().T, h, 3)
    for trips in (0, 1, 8, 9):
        yield "classify", (np.complex64([3 + 4j, 5, -5j]), np.complex64([3 + 4j, 0, 5j]), 5.0, trips)
    yield "classify", (np.complex64([3 + 4j]), np.complex64([0]), np.float64(5.0), 1)
    yield "classify", (np.complex64([3 + 4j]), np.complex64([0]), 5, 1)
