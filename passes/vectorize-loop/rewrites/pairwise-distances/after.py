"""A loop over few coordinates stays, so that no array of three axes is made."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def distances(X: npt.NDArray[np.float64]):
    n, d = X.shape
    D = np.empty((n, n))
    if npr.quiet() and npr.are_arrays(np.float64, 2, X):
        with np.errstate(all="ignore"):
            acc = np.zeros((n, n))
            for k in range(d):
                diff = X[:, k, None] - X[:, k]
                acc = acc + diff * diff
            D[...] = np.sqrt(acc)
    else:
        for i in range(n):
            for j in range(n):
                acc = 0.0
                for k in range(d):
                    diff = X[i, k] - X[j, k]
                    acc += diff * diff
                D[i, j] = np.sqrt(acc)
    return D


def cases():
    for n, d in ((4, 3), (1, 1), (0, 2), (3, 0), (20, 2)):
        yield "distances", (np.sin(np.arange(n * d * 1.0)).reshape(n, d),)
    yield "distances", (np.array([[np.nan, 1.0], [np.inf, 2.0]]),)
