"""Results put into work arrays, one over another, and a bound that is open."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"rho": "float64", "T": "float64"},
    state={"work": "float64", "out": "float64"},
    once=True,
    compile=True,
)
def _pressure_region(rho, T, work, out):
    """Lines of `pressure`."""
    work[...] = np.multiply(rho, 0.5)
    work[...] = np.subtract(1.0, work)
    out[...] = np.multiply(rho, T)
    out[...] = np.divide(out, work)
    out[...] = np.maximum(out, 0.0)
    return work, out


@nprewrite.jit
def pressure(n: int):
    rho, T = np.linspace(0.1, 3.0, n), np.linspace(2.0, 1.0, n)
    work, out = np.empty(n), np.empty(n)
    for once in (region := _pressure_region.over(range(1), rho=rho, T=T, work=work, out=out)):
        work[...] = np.multiply(rho, 0.5)
        work[...] = np.subtract(1.0, work)
        out[...] = np.multiply(rho, T)
        out[...] = np.divide(out, work)
        out[...] = np.maximum(out, 0.0)
    return out


def cases():
    for n in (1, 12):
        yield "pressure", (n,)
