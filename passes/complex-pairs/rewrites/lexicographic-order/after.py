"""> of complex numbers compares the real parts first, and no part may be nan.

Hazards: 2.order
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    inputs={"w": npr.pair("float64")},
    state={"ahead": "int64"},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _chase_step(n, w_re, w_im, ahead, z_re, z_im):
    """One iteration of the loop over `n` in `chase`."""
    t_re, t_im = 0.9 + 0.0, 0.1
    z_re, z_im = z_re * t_re - z_im * t_im + 0.01, z_re * t_im + z_im * t_re + 0.0
    ahead = np.where((z_re > w_re) & (z_im == z_im) & (w_im == w_im) | (z_re == w_re) & (z_im > w_im), n, ahead)
    mask = (z_re > w_re) & (z_im == z_im) & (w_im == w_im) | (z_re == w_re) & (z_im >= w_im)
    top_re, top_im = np.where(mask, z_re, w_re), np.where(mask, z_im, w_im)
    z_re, z_im = z_re + (0.1 * top_re - 0.0 * top_im), z_im + (0.1 * top_im + 0.0 * top_re)
    return ahead, z_re, z_im


def chase(z: npt.NDArray[np.complex128], w: npt.NDArray[np.complex128], trips: int):
    ahead = np.zeros(z.shape, dtype=np.int64)
    for n in (loop := _chase_step.over(range(trips), w=w, ahead=ahead, z=z)):
        z = z * (0.9 + 0.1j) + 0.01
        ahead[z > w] = n
        top = np.where(z >= w, z, w)
        z = z + 0.1 * top
    if loop.finished:
        (z,) = loop.results
    return z, ahead


def cases():
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "chase", (x + 1j * x[::-1], np.full(11, 0.1 - 0.2j), trips)
    yield "chase", (np.array([1 + 1j, 1 - 1j]), np.array([1 + 0j, 1 + 0j]), 1)
    odd = [complex(a, b) for a in (0.0, 1.0, np.nan, np.inf) for b in (0.0, -1.0, np.nan)]
    yield "chase", (np.repeat(odd, 12), np.tile(odd, 12), 2)
