"""Numbers that are imported from `math` and `numpy` by name are known, as `math.pi` is."""

from math import pi
from numpy import e as base

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"sin_angle": "float64"},
    carried={"height": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _ring_step(sin_angle, height):
    """One iteration of the loop over `_` in `ring`."""
    height = 0.5 * height + sin_angle
    return (height,)


def ring(n: int, trips: int):
    angle = np.linspace(0.0, 2 * pi, n)
    height = np.zeros(n)
    if npr.quiet() and npr.are_numbers(float, pi) and range(trips):
        sin_angle = np.sin(angle * pi) / base
        for _ in (loop := _ring_step.over(range(trips), sin_angle=sin_angle, height=height)):
            height = 0.5 * height + sin_angle
        if loop.finished:
            (height,) = loop.results
    else:
        for _ in range(trips):
            height = 0.5 * height + np.sin(angle * pi) / base
    return height


def cases():
    for n, trips in ((50, 7), (1, 3), (50, 0), (0, 4)):
        yield "ring", (n, trips)
