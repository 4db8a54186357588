"""What is read after the loop has the type that Python gives it: a float after no trip, np.float64 after one."""

import numpy as np
import numpy.typing as npt


def dot(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    s = 0
    for i in range(len(a)):
        s = 0.5 * s + a[i] * b[i]
    return s


def single(a: npt.NDArray[np.float32], factor: float):
    total = 0.0
    for i in range(len(a)):
        total = total * factor + a[i]
    return total


def longest(a: npt.NDArray[np.int16]):
    best = run = 0
    last = None if len(a) == 0 else a[0]
    for i in range(len(a)):
        run = run + 1 if a[i] == a[i - 1] else 1
        best = max(best, run)
    return best, run, last


def cases():
    a = np.array([0.1, 0.2, 0.3])
    yield "dot", (a, a[::-1])
    yield "dot", (a[:0], a)
    yield "single", (a.astype(np.float32), 0.1)
    yield "single", (a[:0].astype(np.float32), 0.1)
    yield "longest", (np.array([1, 1, 2, 2, 2, 3], np.int16),)
    yield "longest", (np.zeros(0, np.int16),)
