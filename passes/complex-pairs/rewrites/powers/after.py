"""Integer powers; z**2 is z*z, higher ones round in their own way, negative ones of 0 are nan.

Hazards: 2.power
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _cubic_step(z_re, z_im):
    """One iteration of the loop over `_` in `cubic`."""
    t_re, t_im = npr.power(z_re, z_im, 3)
    t_1_re, t_1_im = npr.power(z_re, z_im, 1)
    t_2_re, t_2_im = npr.power(z_re, z_im, 0)
    t_3_re, t_3_im = t_re - (z_re * z_re - z_im * z_im) + t_1_re - t_2_re, t_im - (z_re * z_im + z_im * z_re) + t_1_im - t_2_im
    z_re, z_im = t_3_re * 0.3 - t_3_im * 0.0, t_3_re * 0.0 + t_3_im * 0.3
    return z_re, z_im


def cubic(z: npt.NDArray[np.complex128], trips: int):
    for _ in (loop := _cubic_step.over(range(trips), z=z)):
        z = (z**3 - z**2 + z**1 - z**0) * 0.3
    if loop.finished:
        (z,) = loop.results
    return z


@npr.step(
    counter="_",
    carried={"z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _negative_step(z_re, z_im):
    """One iteration of the loop over `_` in `negative`."""
    t_re, t_im = npr.power(z_re, z_im, -1)
    t_1_re, t_1_im = npr.power(z_re, z_im, -2)
    z_re, z_im = (
        t_re + (t_1_re * 0.1 - t_1_im * 0.0) + 0.5,
        t_im + (t_1_re * 0.0 + t_1_im * 0.1) + 0.0,
    )
    return z_re, z_im


def negative(z: npt.NDArray[np.complex64], trips: int):
    for _ in (loop_1 := _negative_step.over(range(trips), z=z)):
        z = z**-1 + z**-2 * 0.1 + 0.5
    if loop_1.finished:
        (z,) = loop_1.results
    return z


@npr.step(
    counter="_",
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _higher_step(z_re, z_im):
    """One iteration of the loop over `_` in `higher`."""
    t_re, t_im = npr.power(z_re, z_im, 5)
    t_1_re, t_1_im = npr.power(z_re, z_im, 7)
    z_re, z_im = (
        t_re * 0.5 - t_im * 0.0 + (t_1_re * 0.25 - t_1_im * 0.0) + 0.0,
        t_re * 0.0 + t_im * 0.5 + (t_1_re * 0.0 + t_1_im * 0.25) + 0.1,
    )
    return z_re, z_im


def higher(z: npt.NDArray[np.complex128], trips: int):
    for _ in (loop_2 := _higher_step.over(range(trips), z=z)):
        z = z**5 * 0.5 + np.power(z, 7) * 0.25 + 0.1j
    if loop_2.finished:
        (z,) = loop_2.results
    return z


@npr.step(
    counter="_",
    constants={"p": npr.pair("float64")},
    carried={"z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _fractional_step(p_re, p_im, z_re, z_im):
    """One iteration of the loop over `_` in `fractional`."""
    t_re, t_im = npr.split(npr.join(z_re, z_im) ** 0.5)
    t_1_re, t_1_im = npr.split(npr.join(z_re, z_im) ** npr.join(p_re, p_im))
    t_2_re, t_2_im = 0.1 + 0.0, 0.0 + 0.0
    z_re, z_im = (
        t_re + (t_1_re * t_2_re - t_1_im * t_2_im),
        t_im + (t_1_re * t_2_im + t_1_im * t_2_re),
    )
    return z_re, z_im


def fractional(z: npt.NDArray[np.complex128], p: float, trips: int):
    for _ in (loop_3 := _fractional_step.over(range(trips), p=p, z=z)):
        z = z**0.5 + z**p * (0.1 + 0j)
    if loop_3.finished:
        (z,) = loop_3.results
    return z


def cases():
    angle = np.linspace(0, 6, 13)
    z = np.cos(angle) + 1j * np.sin(angle)
    for trips in (9, 8, 1, 0):
        yield "cubic", (z * 0.9, trips)
        yield "negative", ((z * 1.1).astype(np.complex64), trips)
        yield "higher", (z * 0.9, trips)
        yield "fractional", (z, 1.5, trips)
    yield "cubic", (np.array([0j, complex(-0.0, 0.0), 1e200, 1e-200j]), 1)
    yield "negative", (np.zeros(3, dtype=np.complex64), 1)
    yield "fractional", (np.array([complex(-1, 0.0), complex(-1, -0.0), 0j]), 2.0, 1)
