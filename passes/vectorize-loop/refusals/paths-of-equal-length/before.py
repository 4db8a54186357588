"""With <= a path of the same length is stored again: -0.0 becomes 0.0 while others read it."""

import numpy as np
import numpy.typing as npt


def paths(d: npt.NDArray[np.float64]):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] <= d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def cases():
    yield "paths", (np.array([[0.0, -0.0], [1.0, -0.0]]),)
