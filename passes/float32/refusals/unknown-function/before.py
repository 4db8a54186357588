"""A function that is not known may keep its argument, or compute in float64."""

import functools

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def folded(n: int):
    x = np.linspace(0, 1, n)
    x = x * functools.reduce(max, x)  # refused here
    return x


def cases():
    yield "folded", (5,)
