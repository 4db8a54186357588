"""Each cell needs the three before it: no slice computes them."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _edit_distance_loop(m, n, a, b, d):
    """The loop in `edit_distance`."""
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1  # a substitution
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)


def edit_distance(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> int:
    m, n = len(a), len(b)
    d = np.zeros((m + 1, n + 1), dtype=np.int64)
    d[:, 0] = np.arange(m + 1)
    d[0] = np.arange(n + 1)
    # The recurrence of Wagner and Fischer.
    _edit_distance_loop(m, n, a, b, d)
    return d[m, n]


def cases():
    for first, second in (("kitten", "sitting"), ("", "abc"), ("flaw", "lawn"), ("same", "same")):
        yield "edit_distance", tuple(np.array([ord(c) for c in word], np.uint8) for word in (first, second))
