"""A list grows, and holds anything."""

import numpy as np
import numpy.typing as npt


def counts(x: npt.NDArray[np.int64]):
    found = [0] * 10
    for i in range(len(x)):
        found[x[i]] += 1
    return found


def cases():
    yield "counts", (np.array([1, 2, 2, 9]),)
