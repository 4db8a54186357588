"""Results put into work arrays, one over another, and a bound that is open."""

import numpy as np

import nprewrite


@nprewrite.jit
def pressure(n: int):
    rho, T = np.linspace(0.1, 3.0, n), np.linspace(2.0, 1.0, n)
    work, out = np.empty(n), np.empty(n)
    np.multiply(rho, 0.5, out=work)
    np.subtract(1.0, work, work)
    np.multiply(rho, T, out=out)
    np.divide(out, work, out=out)
    return np.clip(out, 0.0, None, out=out)


def cases():
    for n in (1, 12):
        yield "pressure", (n,)
