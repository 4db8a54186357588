"""Defaults that are computed when the function is defined, and stay what they are."""

import numpy as np
import numpy.typing as npt

import nprewrite

WIDTH = 0.25


def wave(x, t, speed=2 * np.pi, width=WIDTH, phase=-np.pi / 4):
    return np.sin(speed * (x - t) + phase) * np.exp(-x * x / width)


@nprewrite.jit
def superposed(x: npt.NDArray[np.float64], t: float):
    first = wave(x, t)
    return first + wave(x, -t, width=0.5)


def cases():
    yield "superposed", (np.linspace(-1, 1, 50), 0.3)
