"""What is read after the loop has the type that Python gives it: a float after no trip, np.float64 after one."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _dot_loop(a, s, b):
    """The loop in `dot`."""
    for i in range(len(a)):
        s = 0.5 * s + a[i] * b[i]
    return s


def dot(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    s = 0
    s = _dot_loop(a, s, b)
    return s


@npr.native
def _single_loop(a, total, factor):
    """The loop in `single`."""
    for i in range(len(a)):
        total = total * factor + a[i]
    return total


def single(a: npt.NDArray[np.float32], factor: float):
    total = 0.0
    total = _single_loop(a, total, factor)
    return total


@npr.native
def _longest_loop(a, run, best):
    """The loop in `longest`."""
    for i in range(len(a)):
        run = run + 1 if a[i] == a[i - 1] else 1
        best = max(best, run)
    return best, run


def longest(a: npt.NDArray[np.int16]):
    best = run = 0
    last = None if len(a) == 0 else a[0]
    best, run = _longest_loop(a, run, best)
    return best, run, last


def cases():
    a = np.array([0.1, 0.2, 0.3])
    yield "dot", (a, a[::-1])
    yield "dot", (a[:0], a)
    yield "single", (a.astype(np.float32), 0.1)
    yield "single", (a[:0].astype(np.float32), 0.1)
    yield "longest", (np.array([1, 1, 2, 2, 2, 3], np.int16),)
    yield "longest", (np.zeros(0, np.int16),)
