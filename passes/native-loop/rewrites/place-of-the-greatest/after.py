"""Local alignment of two sequences (Smith and Waterman 1981): where the best score stands, if there is any."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _align_loop(a, b, score, best, where):
    """The loop in `align`."""
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            step = 3.0 if a[i - 1] == b[j - 1] else -3.0
            score[i, j] = max(0.0, score[i - 1, j - 1] + step, score[i - 1, j] - 2, score[i, j - 1] - 2)
            if score[i, j] > best:
                best, where = score[i, j], (i, j)
    return best, where


def align(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]):
    score = np.zeros((len(a) + 1, len(b) + 1))
    best = 0.0
    where = None
    best, where = _align_loop(a, b, score, best, where)
    return best, where


def cases():
    yield "align", (np.array([1, 2, 3, 1, 4, 2]), np.array([2, 3, 3, 1, 4]))
    yield "align", (np.array([1, 2]), np.array([3]))
    yield "align", (np.array([1, 2]), np.array([3])[:0])
