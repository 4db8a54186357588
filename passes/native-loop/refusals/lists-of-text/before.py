"""What stands in this dictionary are lists of strings."""

import numpy as np
import numpy.typing as npt


def groups(x: npt.NDArray[np.int64]):
    found = {0: [], 1: []}
    for i in range(len(x)):
        found[x[i] % 2].append(str(i))
    return found


def cases():
    yield "groups", (np.array([1, 4, 0, 1]),)
