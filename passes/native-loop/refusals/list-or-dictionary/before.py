"""What holds the counts is a list or a dictionary: only a run tells."""

import numpy as np
import numpy.typing as npt


def counts(x: npt.NDArray[np.int64], few: bool):
    found = [0] * 10
    if few:
        found = {1: 0, 2: 0}
    for i in range(len(x)):
        found[x[i]] += 1
    return found


def cases():
    yield "counts", (np.array([1, 2, 2, 1]), True)
    yield "counts", (np.array([1, 2, 2, 9]), False)
