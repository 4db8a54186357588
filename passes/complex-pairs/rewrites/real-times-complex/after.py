"""NumPy makes the real factor complex first: (inf + 0j) * 2.0 has a nan part.

Hazards: 2.real-factor
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"r": "float64"},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _double_step(r, z_re, z_im):
    """One iteration of the loop over `_` in `double`."""
    z_re, z_im = z_re * 2.0 - z_im * 0.0, z_re * 0.0 + z_im * 2.0
    z_re, z_im = r * z_re - 0.0 * z_im, r * z_im + 0.0 * z_re
    z_re, z_im = z_re + 1.0, z_im + 0.0
    return z_re, z_im


def double(z: npt.NDArray[np.complex128], r: npt.NDArray[np.float64], trips: int):
    for _ in (loop := _double_step.over(range(trips), r=r, z=z)):
        z = z * 2.0
        z = r * z
        z = z + 1.0
    if loop.finished:
        (z,) = loop.results
    return np.isnan(z.real), np.isnan(z.imag), z.real, z.imag


def cases():
    z = np.array([complex(np.inf, 0), complex(0, -np.inf), 1 + 2j, complex(np.nan, 1), complex(np.inf, np.inf)])
    for trips in (1, 2, 9):
        yield "double", (z, np.ones(5), trips)
    yield "double", (np.array([1 + 0j, 0j, 1j]), np.array([np.inf, np.inf, np.nan]), 1)
