"""complex128 becomes complex64."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def spiral(n: int):
    t = np.linspace(0, 6, n)
    z = np.exp(1j * t) * t
    w = np.zeros(n, dtype=complex)
    w[::2] = z[::2]
    return z, w, np.abs(z), z.real, np.sum(z)


def cases():
    for n in (1, 9, 40):
        yield "spiral", (n,)
