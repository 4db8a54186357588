"""The sign of a zero imaginary part chooses the side: 0.01 - z has +0.0 where -z has -0.0.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _roots_step(z_re, z_im):
    """One iteration of the loop over `n` in `roots`."""
    z_re, z_im = npr.split(np.sqrt(npr.join(0.01 - z_re, 0.0 - z_im)))
    t_1_re, t_1_im = npr.split(np.sqrt(npr.join(z_re + 1, z_im + 0.0)))
    z_re, z_im = (
        t_1_re * 0.5 - t_1_im * 0.0 + (z_re * 0.25 - z_im * 0.0),
        t_1_re * 0.0 + t_1_im * 0.5 + (z_re * 0.0 + z_im * 0.25),
    )
    return z_re, z_im


def roots(z: npt.NDArray[np.complex128], trips: int):
    for n in (loop := _roots_step.over(range(trips), z=z)):
        z = np.sqrt(0.01 - z)
        z = np.sqrt(z + 1) * 0.5 + z * 0.25
    if loop.finished:
        (z,) = loop.results
    return z


def cases():
    row = np.array([1 + 0j, 2, -1.5, 0.01, complex(-2, -0.0), complex(-1, 0.0)])
    for trips in (0, 1, 2, 9):
        yield "roots", (row, trips)
