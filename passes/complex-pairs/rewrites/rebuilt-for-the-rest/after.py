"""Functions without a pair form get the complex array at that point: branch cuts and signed zeros are NumPy's.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"c": npr.pair("float64")},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _root_step(c_re, c_im, z_re, z_im):
    """One iteration of the loop over `_` in `root`."""
    t_re, t_im = npr.split(np.sqrt(npr.join(z_re * z_re - z_im * z_im + c_re, z_re * z_im + z_im * z_re + c_im)))
    z_re, z_im = t_re - (0.5 * c_re - 0.0 * c_im), t_im - (0.5 * c_im + 0.0 * c_re)
    return z_re, z_im


def root(z: npt.NDArray[np.complex128], c: npt.NDArray[np.complex128], trips: int):
    for _ in (loop := _root_step.over(range(trips), c=c, z=z)):
        z = np.sqrt(z * z + c) - 0.5 * c
    if loop.finished:
        (z,) = loop.results
    return z


def turn(z: npt.NDArray[np.complex128], trips: int):
    angle = np.zeros(z.shape)
    for _ in range(trips):
        w = z * (1 + 0.1j)
        angle = np.angle(w)
        z = w * np.log(w + 4) * 0.3
    return z, angle


@npr.step(
    counter="n",
    state={"z": npr.pair("float64")},
    compile=True,
)
def _turned_step(z_re, z_im):
    """One iteration of the loop over `n` in `turned`."""
    t_re, t_im = z_re * z_re - z_im * z_im, z_re * z_im + z_im * z_re
    z_re[...], z_im[...] = t_re * 0.5 - t_im * 0.0 + 0.0, t_re * 0.0 + t_im * 0.5 + 0.1
    t_1_re, t_1_im = z_re[:1], z_im[:1]
    t_2_re, t_2_im = npr.split(np.concatenate([npr.join(z_re[1:], z_im[1:]), npr.join(t_1_re * 0.5 - t_1_im * 0.0, t_1_re * 0.0 + t_1_im * 0.5)]))
    z_re[...], z_im[...] = (
        t_2_re + np.ones(len(npr.join(z_re, z_im))),
        t_2_im + np.zeros_like(np.ones(len(npr.join(z_re, z_im)))),
    )
    return z_re, z_im


def turned(z: npt.NDArray[np.complex128], trips: int):
    for n in _turned_step.over(range(trips), z=z):
        z[...] = z * z * 0.5 + 0.1j
        z[...] = np.concatenate([z[1:], z[:1] * 0.5]) + np.ones(len(z))
    return z


def cases():
    for size in (5, 1):
        yield "turned", (np.linspace(0.1, 0.5, size) * (1 + 1j), 3)
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "root", (x + 1j * x[::-1], 0.1 - 0.2j * x, trips)
        yield "turn", (x + 1j * x[::-1], trips)
    yield "root", (np.array([complex(0, 1), complex(-0.0, 1)]), np.array([complex(0, -0.0), 0j]), 1)
    yield "root", (np.zeros((0, 2), dtype=np.complex128), np.zeros((0, 2), dtype=np.complex128), 9)
