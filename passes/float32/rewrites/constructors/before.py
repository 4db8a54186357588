"""Arrays that are made in the function get the dtype, also where it is written out."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def profile(n: int, height: float):
    x = np.linspace(0, 1, n)
    k = np.arange(0.0, n)  # arange would step in float32: it is cast
    table = np.array([0.5, 0.25, 2])
    base = np.full(n, height, dtype=np.float64)
    steps = np.zeros((n,), dtype=float)
    steps[: len(table)] = table
    return x * k + base.astype(float) - np.ones_like(steps) * np.eye(n)[0]


def cases():
    for n in (3, 8, 21):
        yield "profile", (n, 0.75)
