"""With ``accumulate="float32"`` sums are what NumPy makes of float32."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32", accumulate="float32")
def energy(n: int):
    v = np.linspace(-1, 1, n)
    return 0.5 * (v * v).sum(), np.mean(v, dtype=np.float64)


def cases():
    for n in (2, 50):
        yield "energy", (n,)
