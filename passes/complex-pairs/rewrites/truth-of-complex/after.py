"""A complex number is true where either part is: bool(0 + 1j) is True.

Hazards: 2.truth
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"seen": "int64"},
    carried={"z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _hits_step(seen, z_re, z_im):
    """One iteration of the loop over `n` in `hits`."""
    t_re, t_im = z_re * 0.0 - z_im * 1.0, z_re * 1.0 + z_im * 0.0
    z_re, z_im = t_re * 0.5 - t_im * 0.0, t_re * 0.0 + t_im * 0.5
    seen = np.where((z_re != 0) | (z_im != 0), seen + 1, seen)
    seen = np.where(np.logical_not((z_re != 0) | (z_im != 0)), seen + 100, seen)
    seen = np.where(np.where((z_re != 0) | (z_im != 0), z_re < 0, z_im == 0), seen + 10000, seen)
    return seen, z_re, z_im


def hits(z: npt.NDArray[np.complex64], trips: int):
    seen = np.zeros(z.shape, dtype=np.int64)
    for n in (loop := _hits_step.over(range(trips), seen=seen, z=z)):
        z = z * 1j * 0.5
        seen[z.astype(bool)] += 1
        seen[np.logical_not(z)] += 100
        seen[np.where(z, z.real < 0, z.imag == 0)] += 10_000
    if loop.finished:
        (z,) = loop.results
    return seen


def cases():
    z = np.complex64([0, 1j, -1j, 1, complex(-0.0, 0), complex(np.nan, 0), 3 - 1j])
    for trips in (9, 8, 1, 0):
        yield "hits", (z, trips)
