"""A dictionary grows, and holds anything."""

import numpy as np
import numpy.typing as npt


def counts(x: npt.NDArray[np.int64]):
    found = {}
    for i in range(len(x)):
        if x[i] not in found:
            found[x[i]] = 0
        found[x[i]] += 1
    return found


def cases():
    yield "counts", (np.array([1, 2, 2, 9]),)
