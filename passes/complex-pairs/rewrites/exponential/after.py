"""exp, also at infinite and signed-zero parts, where the textbook product has nan.

Hazards: 2.functions
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
def _flow_step(z_re, z_im):
    """One iteration of the loop over `_` in `flow`."""
    t_re, t_im = npr.exp(z_re * 0.5 - z_im * 0.0, z_re * 0.0 + z_im * 0.5)
    z_re, z_im = t_re - 1.0, t_im
    return z_re, z_im


def flow(z: npt.NDArray[np.complex128], trips: int):
    for _ in (loop := _flow_step.over(range(trips), z=z)):
        z = np.exp(z * 0.5) - 1.0
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
def _once_step(z_re, z_im):
    """One iteration of the loop over `_` in `once`."""
    z_re, z_im = npr.exp(z_re, z_im)
    return z_re, z_im


def once(z: npt.NDArray[np.complex64], trips: int):
    for _ in (loop_1 := _once_step.over(range(trips), z=z)):
        z = np.exp(z)
    if loop_1.finished:
        (z,) = loop_1.results
    return z


def plane():
    part = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 80.0, -800.0], dtype=np.float32)
    z = np.empty((part.size, part.size), dtype=np.complex64)
    z.real = part
    z.imag = part[:, None]
    return z


def cases():
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "flow", (x + 1j * x[::-1], trips)
    yield "once", (plane(), 1)
    yield "once", (np.zeros(0, dtype=np.complex64), 1)
