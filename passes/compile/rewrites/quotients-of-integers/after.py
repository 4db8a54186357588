"""Two integers divide in float64; torch would take float32, so that the operands are converted before."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"k": "int64", "z": "float64"},
    compile=True,
)
def _shares_step(n, k, z):
    """One iteration of the loop over `n` in `shares`."""
    z[...] = k.astype(np.float64) / 3 + (k + n).astype(np.float64) / 7 + 3 / (k + 1).astype(np.float64) + np.divide(k.astype(np.float64), 3) + np.hypot(k.astype(np.float64), 2) + k * 0.1 / 3
    z += (k > 2).astype(np.float64) / 3
    z += k[1:].sum().astype(np.float64) / 3 + k[0].astype(np.float64) / 7
    k[0] += n
    return k, z


def shares(k: npt.NDArray[np.int64], z: npt.NDArray[np.float64], trips: int):
    for n in _shares_step.over(range(1, trips), k=k, z=z):
        z[...] = k / 3 + (k + n) / 7 + 3 / (k + 1) + np.divide(k, 3) + np.hypot(k, 2) + k * 0.1 / 3
        z += (k > 2) / 3
        z += k[1:].sum() / 3 + k[0] / 7
        k[0] += n
    return z


@npr.step(
    counter="n",
    scalars={"scalar_float64": "float64"},
    inputs={"k": "int32"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _harmonic_step(scalar_float64, k, x):
    """One iteration of the loop over `n` in `harmonic`."""
    x = x + k.astype(np.float64) / scalar_float64
    return (x,)


def harmonic(k: npt.NDArray[np.int32], trips: int):
    x = np.zeros(k.shape)
    for n in (loop := _harmonic_step.over(range(1, trips), scalars=lambda n: (n + 2,), k=k, x=x)):
        x = x + k / (n + 2)
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    for trips in (9, 2, 1):
        yield "shares", (np.arange(5), np.zeros(5), trips)
        yield "harmonic", (np.arange(5, dtype=np.int32), trips)
