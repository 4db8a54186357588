"""Two and three buffers that change places: after the loop each name stands for the array that it would.

Hazards: 3.zero-trips
"""

import numpy as np
import numpy.typing as npt


def smooth(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], steps: int):
    for _ in range(steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A, B = B, A
    return A, B


def wave(old: npt.NDArray[np.float64], u: npt.NDArray[np.float64], steps: int):
    new = np.zeros_like(u)
    for _ in range(steps):
        new[1:-1] = 2 * u[1:-1] - old[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        old, u, new = u, new, old
    return u


def cases():
    for steps in (0, 1, 2, 5):
        yield "smooth", (np.arange(7.0), np.zeros(7), steps)
        yield "wave", (np.zeros(6), np.sin(np.arange(6.0)), steps)
    # Shapes that differ run as written.
    yield "smooth", (np.arange(7.0), np.zeros((2, 7)), 1), ValueError
