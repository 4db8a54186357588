"""Integers beside float32 would give float64: they are cast, and so is a quotient of two of them."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def lattice(n: int):
    i, j = np.arange(n), np.arange(n) * 2
    phase = i / n + j * 0.5
    chosen = np.where(phase > 1, i, phase)
    root = np.sqrt(i)
    angle = np.sin(2.0)
    return phase, chosen * angle, i // 2 + j, root, (i * j).mean()


def cases():
    for n in (1, 6, 40):
        yield "lattice", (n,)
