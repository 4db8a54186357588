"""A number that a loop adds to is kept in float64, like the accumulator of a sum."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def work(n: int, steps: int):
    x, done = np.linspace(0, 1, n), 0.0
    for _ in range(steps):
        x = np.cos(x)
        done += x.sum() / n
        done += x[0]
    return x * done, done


def cases():
    for n, steps in ((2, 1), (9, 30)):
        yield "work", (n, steps)
