"""The sweep reads what this sweep has stored one row above and one column to the left."""

import numpy as np
import numpy.typing as npt


def relax(u: npt.NDArray[np.float64]):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def cases():
    for n in (5, 3, 1):
        yield "relax", (np.arange(float(n * n)).reshape(n, n) ** 2,)
