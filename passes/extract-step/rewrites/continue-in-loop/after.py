"""continue leaves out the rest of a trip.

Hazards: 3.continue
"""

import numpy as np
import nprewrite.runtime as npr


def _alternate_trips(trips):
    """The numbers of each iteration of the loop in `alternate`."""
    for n in range(trips):
        if n % 2:
            continue
        yield ()
    return ()


@npr.step(
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _alternate_step(x):
    """One iteration of the loop in `alternate`."""
    x = x * 0.5
    return (x,)


def alternate(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for once in (loop := _alternate_step.over(_alternate_trips(trips), x=x)):
        for n in range(trips):
            if n % 2:
                continue
            x = x * 0.5
    if loop.finished:
        (x,) = loop.results
    return x


def _turned_trips(y):
    """The numbers of each iteration of the loop in `turned`."""
    for n in range(y.size):
        if n == 2:
            continue
        yield ()
    return ()


@npr.step(
    carried={"y": "float64"},
    ranks={"y": 1},
    compile=True,
)
def _turned_step(y):
    """One iteration of the loop in `turned`."""
    y = np.concatenate([y[1:], y[:1]]) * 0.5
    return (y,)


def turned(size: int):
    y = np.linspace(1, 2, size)
    for once_1 in (loop_1 := _turned_step.over(_turned_trips(y), y=y)):
        for n in range(y.size):
            if n == 2:
                continue
            y = np.concatenate([y[1:], y[:1]]) * 0.5
    if loop_1.finished:
        (y,) = loop_1.results
    return y


def cases():
    yield "alternate", (4, 9)
    yield "turned", (5,)
