"""Two buffers that change places: after an odd number of iterations each has the other's array."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"A": "float64", "B": "float64"},
    aligned=("A", "B"),
    rotates={"A": "B", "B": "A"},
    looped=True,
    compile=True,
)
def _smoothed_step(A, B):
    """One iteration of the loop over `_` in `smoothed`."""
    B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
    return A, B


def smoothed(n: int, steps: int):
    A = np.sin(np.arange(n, dtype=np.float64))
    B = A.copy()
    for _ in (loop := _smoothed_step.over(range(steps), A=A, B=B)):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A, B = B, A
    if loop.finished:
        (A, B) = loop.results
    return A, B


def cases():
    for steps in (1, 2, 7, 300):
        yield "smoothed", (40, steps)
