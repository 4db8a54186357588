"""Sums, means and the like are accumulated in float64, and their results cast."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def moments(n: int):
    x = np.linspace(-1, 2, n * n).reshape(n, n)
    centred = x - x.mean(axis=0)
    spread = np.std(centred, axis=1)
    total = np.sum(x * x, dtype=np.float64)
    return centred, spread, total, np.cumsum(x), x.max(), x.argmax(), np.linalg.norm(x)


def cases():
    for n in (2, 5, 16):
        yield "moments", (n,)
