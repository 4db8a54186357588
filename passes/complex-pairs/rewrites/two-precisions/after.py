"""complex64 beside complex128: the store keeps its own dtype, the arithmetic is done in the wider one.

Hazards: 2.dtype
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"C": npr.pair("float64")},
    state={"Z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _into_single_step(C_re, C_im, Z_re, Z_im):
    """One iteration of the loop over `_` in `into_single`."""
    Z_re[...], Z_im[...] = (
        ((Z_re * 0.5 - Z_im * 0.0).astype(np.float64) + C_re).astype(np.float32),
        ((Z_re * 0.0 + Z_im * 0.5).astype(np.float64) + C_im).astype(np.float32),
    )
    return Z_re, Z_im


def into_single(Z: npt.NDArray[np.complex64], C: npt.NDArray[np.complex128], trips: int):
    for _ in _into_single_step.over(range(trips), C=C, Z=Z):
        Z[...] = Z * 0.5 + C
    return Z


@npr.step(
    counter="_",
    inputs={"C": npr.pair("float32")},
    carried={"Z": npr.pair("float64")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _into_double_step(C_re, C_im, Z_re, Z_im):
    """One iteration of the loop over `_` in `into_double`."""
    Z_re, Z_im = (
        Z_re * 0.5 - Z_im * 0.0 + C_re.astype(np.float64),
        Z_re * 0.0 + Z_im * 0.5 + C_im.astype(np.float64),
    )
    return Z_re, Z_im


def into_double(Z: npt.NDArray[np.complex128], C: npt.NDArray[np.complex64], trips: int):
    for _ in (loop := _into_double_step.over(range(trips), C=C, Z=Z)):
        Z = Z * 0.5 + C
    if loop.finished:
        (Z,) = loop.results
    return Z


@npr.step(
    counter="_",
    inputs={"r": "float64"},
    state={"Z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _from_real_step(r, Z_re, Z_im):
    """One iteration of the loop over `_` in `from_real`."""
    Z_re[...], Z_im[...] = (
        ((Z_re * 0.5 - Z_im * 0.0).astype(np.float64) + r).astype(np.float32),
        ((Z_re * 0.0 + Z_im * 0.5).astype(np.float64) + 0.0).astype(np.float32),
    )
    return Z_re, Z_im


def from_real(Z: npt.NDArray[np.complex64], r: npt.NDArray[np.float64], trips: int):
    for _ in _from_real_step.over(range(trips), r=r, Z=Z):
        Z[...] = Z * 0.5 + r
    return Z


def cases():
    x = np.linspace(-1, 1, 7)
    for trips in (9, 8, 1, 0):
        yield "into_single", ((x + 1j).astype(np.complex64), x - 0.1j, trips)
        yield "into_double", (x + 1j, (x - 0.1j).astype(np.complex64), trips)
        yield "from_real", ((x + 1j).astype(np.complex64), x, trips)
