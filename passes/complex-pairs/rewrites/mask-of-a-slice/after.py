"""The mask and what it selects from are slices that cut as much off: they have one shape whatever the size."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"z": npr.pair("float64")},
    ranks={"z": 1},
    compile=True,
)
def _settle_step(z_re, z_im):
    """One iteration of the loop over `n` in `settle`."""
    t_re, t_im = z_re[1:-1], z_im[1:-1]
    inner_re, inner_im = 1.5 * t_re - 0.0 * t_im, 1.5 * t_im + 0.0 * t_re
    t_1_re, t_1_im = z_re[1:-1], z_im[1:-1]
    m = t_1_re * t_1_re + t_1_im * t_1_im < 4.0
    inner_re[...], inner_im[...] = (
        np.where(m, inner_re * inner_re - inner_im * inner_im, inner_re),
        np.where(m, inner_re * inner_im + inner_im * inner_re, inner_im),
    )
    z_re[1:-1], z_im[1:-1] = inner_re, inner_im
    return z_re, z_im


def settle(size: int, trips: int):
    z = np.exp(1j * np.linspace(0.0, 3.0, size))
    for n in _settle_step.over(range(trips), z=z):
        inner = 1.5 * z[1:-1]
        m = np.abs(z[1:-1]) < 2
        inner[m] = inner[m] ** 2
        z[1:-1] = inner
    return z


def cases():
    yield "settle", (9, 3)
    yield "settle", (1, 3)
