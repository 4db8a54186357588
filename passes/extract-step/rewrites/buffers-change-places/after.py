"""Two and three buffers that change places: after the loop each name stands for the array that it would.

Hazards: 3.zero-trips
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"A": "float64", "B": "float64"},
    aligned=("A", "B"),
    rotates={"A": "B", "B": "A"},
    looped=True,
    compile=True,
)
def _smooth_step(A, B):
    """One iteration of the loop over `_` in `smooth`."""
    B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
    return A, B


def smooth(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], steps: int):
    for _ in (loop := _smooth_step.over(range(steps), A=A, B=B)):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A, B = B, A
    if loop.finished:
        (A, B) = loop.results
    return A, B


@npr.step(
    counter="_",
    state={"old": "float64", "u": "float64", "new": "float64"},
    aligned=("old", "u", "new"),
    rotates={"old": "u", "u": "new", "new": "old"},
    looped=True,
    compile=True,
)
def _wave_step(old, u, new):
    """One iteration of the loop over `_` in `wave`."""
    new[1:-1] = 2 * u[1:-1] - old[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return old, u, new


def wave(old: npt.NDArray[np.float64], u: npt.NDArray[np.float64], steps: int):
    new = np.zeros_like(u)
    for _ in (loop_1 := _wave_step.over(range(steps), old=old, u=u, new=new)):
        new[1:-1] = 2 * u[1:-1] - old[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        old, u, new = u, new, old
    if loop_1.finished:
        (old, u, new) = loop_1.results
    return u


def cases():
    for steps in (0, 1, 2, 5):
        yield "smooth", (np.arange(7.0), np.zeros(7), steps)
        yield "wave", (np.zeros(6), np.sin(np.arange(6.0)), steps)
    # Shapes that differ run as written.
    yield "smooth", (np.arange(7.0), np.zeros((2, 7)), 1), ValueError
