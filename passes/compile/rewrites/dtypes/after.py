"""Integer, float and complex arrays of each size go in and come out as what they are."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"a": "float32", "b": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _floats_step(a, b):
    """One iteration of the loop over `n` in `floats`."""
    a, b = a * 0.5 + 1, b * 0.25 + a
    return a, b


def floats(size: int, trips: int):
    a = np.linspace(-1, 1, size, dtype=np.float32)
    b = np.linspace(-1, 1, size)
    for n in (loop := _floats_step.over(range(trips), a=a, b=b)):
        a, b = a * 0.5 + 1, b * 0.25 + a
    if loop.finished:
        (a, b) = loop.results
    return a, b


@npr.step(
    counter="n",
    carried={"a": "uint8", "b": "int32", "c": "int64", "d": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _integers_step(a, b, c, d):
    """One iteration of the loop over `n` in `integers`."""
    a = a * 3 + 1
    b = b * 5 - a
    c = c * 7 + b
    d = d ^ (c > 100)
    return a, b, c, d


def integers(size: int, trips: int):
    a = np.arange(size, dtype=np.uint8)
    b = np.arange(size, dtype=np.int32)
    c = np.arange(size, dtype=np.int64)
    d = np.zeros(size, dtype=bool)
    for n in (loop_1 := _integers_step.over(range(trips), a=a, b=b, c=c, d=d)):
        a = a * 3 + 1
        b = b * 5 - a
        c = c * 7 + b
        d = d ^ (c > 100)
    if loop_1.finished:
        (a, b, c, d) = loop_1.results
    return a, b, c, d


def cases():
    for trips in (203, 9, 8, 1, 0):
        yield "floats", (9, trips)
        yield "integers", (9, trips)
    yield "floats", (0, 9)
    yield "integers", (1, 9)
