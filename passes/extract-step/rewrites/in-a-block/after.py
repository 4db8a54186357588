"""Loops under if, with and try: the loop's header changes where it stands."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _guarded_step(x):
    """One iteration of the loop over `n` in `guarded`."""
    x = x * x + 0.3
    return (x,)


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _guarded_step_1(x):
    """One iteration of the loop over `n` in `guarded`."""
    x = x * 0.5
    return (x,)


def guarded(size: int, trips: int, ready: bool):
    x = np.linspace(0, 1, size)
    if ready:
        with np.errstate(over="ignore", invalid="ignore"):
            for n in (loop := _guarded_step.over(range(trips), x=x)):
                x = x * x + 0.3
            if loop.finished:
                (x,) = loop.results
    else:
        try:
            for n in (loop_1 := _guarded_step_1.over(range(trips), x=x)):
                x = x * 0.5
            if loop_1.finished:
                (x,) = loop_1.results
        finally:
            x = x + 1
    return x


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _plain_step(x):
    """One iteration of the loop over `n` in `plain`."""
    x = x * x + 0.3
    return (x,)


def plain(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in (loop_2 := _plain_step.over(range(trips), x=x)):
        x = x * x + 0.3
    if loop_2.finished:
        (x,) = loop_2.results
    return x


def strictly(size: int, trips: int):
    with np.errstate(all="raise"):
        return plain(size, trips)


def cases():
    for trips in (20, 9, 8, 1, 0):
        yield "guarded", (5, trips, True)
        yield "guarded", (5, trips, False)
        yield "plain", (5, trips)
    yield "strictly", (5, 3)
    yield "strictly", (5, 40), FloatingPointError
