"""The array is the caller's: strides, overlap and views are as they were.

Hazards: 1.1
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"C": npr.pair("float32")},
    state={"Z": npr.pair("float32")},
    out={"far": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _relax_step(C_re, C_im, Z_re, Z_im):
    """One iteration of the loop over `n` in `relax`."""
    far = np.hypot(Z_re - C_re, Z_im - C_im) > 0.01
    t_re, t_im = C_re - Z_re, C_im - Z_im
    t_1_re, t_1_im = 0.5 + 0.0, 0.1
    Z_re, Z_im = (
        np.where(far, Z_re + (t_re * t_1_re - t_im * t_1_im), Z_re),
        np.where(far, Z_im + (t_re * t_1_im + t_im * t_1_re), Z_im),
    )
    return Z_re, Z_im, far


def relax(Z: npt.NDArray[np.complex64], C: npt.NDArray[np.complex64], trips: int):
    for n in (loop := _relax_step.over(range(trips), C=C, Z=Z)):
        far = np.abs(Z - C) > 0.01
        Z[far] = Z[far] + (C[far] - Z[far]) * (0.5 + 0.1j)
    if loop.finished:
        (far,) = loop.results
    return Z, far if trips else None


def overlapping(size: int, trips: int):
    row = np.linspace(0, 1, size) * np.complex64(1 + 1j)
    row = row.astype(np.complex64)
    relax(row[1:], row[:-1], trips)
    return row


def line(size: int):
    return (np.linspace(-1, 1, size) * (1 - 2j)).astype(np.complex64)


def cases():
    for trips in (9, 8, 1, 0):
        yield "relax", (line(9), line(9)[::-1], trips)
        yield "overlapping", (9, trips)
    same = line(9)
    yield "relax", (same, same, 9)
    yield "relax", (same[::-1], same, 9)
    yield "relax", (line(12).reshape(3, 4).T, line(12).reshape(4, 3), 9)
    yield "relax", (line(12)[::3], line(4), 9)
    yield "relax", (line(4), np.complex64(2), 9), IndexError
    yield "relax", (line(4), np.full(4, 1 + 1j), 9)
    yield "relax", (line(0), line(0), 9)
    locked = line(4)
    locked.flags.writeable = False
    yield "relax", (locked, line(4)[::-1], 9), ValueError
