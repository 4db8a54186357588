"""Two loops in a function, the same names in another function, a method, a nested function: each step has its own name."""

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
def _climb_step(n, x):
    """One iteration of the loop over `n` in `climb`."""
    x = x * 0.5 + n
    return (x,)


@npr.step(
    counter="n",
    inputs={"x": "float64"},
    carried={"y": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _climb_step_1(x, y):
    """One iteration of the loop over `n` in `climb`."""
    y = y * 0.5 + x
    return (y,)


def climb(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in (loop := _climb_step.over(range(trips), x=x)):
        x = x * 0.5 + n
    if loop.finished:
        (x,) = loop.results
    y = np.sqrt(x)
    for n in (loop_1 := _climb_step_1.over(range(trips), x=x, y=y)):
        y = y * 0.5 + x
    if loop_1.finished:
        (y,) = loop_1.results
    return x, y


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _climb_step_2(n, x):
    """One iteration of the loop over `n` in `Runner.climb`."""
    x = x * 0.75 + n
    return (x,)


class Runner:
    scale = 0.25

    def climb(self, size: int, trips: int):
        x = np.linspace(0, 1, size)
        for n in (loop_2 := _climb_step_2.over(range(trips), x=x)):
            x = x * 0.75 + n
        if loop_2.finished:
            (x,) = loop_2.results
        return x


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _climb_step_3(n, x):
    """One iteration of the loop over `n` in `nested.<locals>.climb`."""
    x = x - n
    return (x,)


def nested(size: int, trips: int):
    def climb(limit: int):
        x = np.linspace(0, 1, size)
        for n in (loop_3 := _climb_step_3.over(range(limit), x=x)):
            x = x - n
        if loop_3.finished:
            (x,) = loop_3.results
        return x

    return climb(trips), climb(trips + 1)


def run(size: int, trips: int):
    return climb(size, trips), Runner().climb(size, trips), nested(size, trips)


def cases():
    for trips in (9, 8, 1, 0):
        yield "run", (5, trips)
    yield "run", (0, 9)
