"""Two colours of a board, one after the other, each from what the other has become."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"board": "int64"},
    carried={"u": "float64"},
    compile=True,
)
def _relaxed_step(board, u):
    """One iteration of the loop over `_` in `relaxed`."""
    mean = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
    u = np.where(board == 0, mean, u)
    mean = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
    u = np.where(board == 1, mean, u)
    return (u,)


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], board: npt.NDArray[np.int64], trips: int):
    for _ in (loop := _relaxed_step.over(range(trips), board=board, u=u)):
        mean = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
        u = np.where(board == 0, mean, u)
        mean = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
        u = np.where(board == 1, mean, u)
    if loop.finished:
        (u,) = loop.results
    return u


def cases():
    board = np.indices((4, 6)).sum(axis=0) % 2
    for trips in (0, 1, 3):
        yield "relaxed", (np.linspace(0, 1, 24).reshape(4, 6), board, trips)
    yield "relaxed", (np.zeros((0, 6)), board[:0], 2)
    yield "relaxed", (np.zeros((3, 2)), board, 2), ValueError
