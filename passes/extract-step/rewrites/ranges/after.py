"""Start, stop and step; negative steps; a range that is empty; ends from arrays and NumPy integers.

Hazards: 3.negative-step, 3.zero-trips, 3.numpy-integer
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _swing_step(n, x):
    """One iteration of the loop over `n` in `swing`."""
    x = x * 0.5 + n
    return (x,)


def swing(size: int, start: int, stop: int, step: int):
    x = np.zeros(size)
    for n in (loop := _swing_step.over(range(start, stop, step), x=x)):
        x = x * 0.5 + n
    if loop.finished:
        (x,) = loop.results
    return x


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _downwards_step(n, x):
    """One iteration of the loop over `n` in `downwards`."""
    x[...] = x * 3 + n
    return (x,)


def downwards(size: int, start: int):
    x = np.zeros(size, dtype=np.int64)
    for n in (loop_1 := _downwards_step.over(range(start, -1, -1), x=x)):
        x[...] = x * 3 + n
    if loop_1.finished:
        n = loop_1.counter
    return x, n


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _as_often_as_long_step(n, x):
    """One iteration of the loop over `n` in `as_often_as_long`."""
    x = x + n
    return (x,)


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _as_often_as_long_step_1(x):
    """One iteration of the loop over `n` in `as_often_as_long`."""
    x = x * 0.5
    return (x,)


@npr.step(
    counter="n",
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _as_often_as_long_step_2(x):
    """One iteration of the loop over `n` in `as_often_as_long`."""
    x -= 1
    return (x,)


def as_often_as_long(size: int):
    x = np.zeros(size)
    for n in (loop_2 := _as_often_as_long_step.over(range(1, len(x)), x=x)):
        x = x + n
    if loop_2.finished:
        (x,) = loop_2.results
    for n in (loop_3 := _as_often_as_long_step_1.over(range(x.size), x=x)):
        x = x * 0.5
    if loop_3.finished:
        (x,) = loop_3.results
    for n in _as_often_as_long_step_2.over(range(x.shape[0] // 2), x=x):
        x -= 1
    return x


def cases():
    for ends in ((0, 10, 1), (0, 10, 3), (10, 0, -1), (10, 0, -3), (5, 5, 1), (5, 0, 1), (0, 5, -1), (-7, 9, 2)):
        yield "swing", (4, *ends)
    yield "swing", (4, np.int64(0), np.int8(100), np.uint8(7))
    yield "swing", (4, 2**62, 2**62 + 20, 1)
    yield "swing", (4, 0, 10, 0), ValueError
    yield "swing", (4, 0, 1.5, 1), TypeError
    for start in (20, 8, 7, 0):
        yield "downwards", (3, start)
    for size in (0, 1, 2, 9, 17):
        yield "as_often_as_long", (size,)
