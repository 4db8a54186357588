"""All shortest paths as whole arrays ask a condition in each round; Numba runs the rounds as they are."""

import numpy as np
import numpy.typing as npt


def paths(d: npt.NDArray[np.float64]):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def cases():
    yield "paths", (np.array([[0.0, 4.0, 1.0], [2.0, 0.0, 7.0], [np.inf, 1.0, 0.0]]),)
    yield "paths", (np.array([[-1.0, 2.0], [1.0, 0.0]]),)
