"""Conditions on indices become slices: the right-hand side of a lattice of oscillators."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def velocity(u: npt.NDArray[np.float64], omega: npt.NDArray[np.float64], K: float):
    n, m = u.shape
    d = omega.copy()
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, d, u)
        and type(K) is float
        and n <= d.shape[0]
        and m <= d.shape[1]
        and n >= 1
        and m >= 1
    ):
        with np.errstate(all="ignore"):
            d[1:n, :m] += K * np.sin(u[:-1, :] - u[1:, :])
            d[:n - 1, :m] += K * np.sin(u[1:, :] - u[:-1, :])
            d[:n, 1:m] += K * np.sin(u[:, :-1] - u[:, 1:])
            d[:n, :m - 1] += K * np.sin(u[:, 1:] - u[:, :-1])
    else:
        for row in range(n):
            for col in range(m):
                if row > 0:
                    d[row, col] += K * np.sin(u[row - 1, col] - u[row, col])
                if row < n - 1:
                    d[row, col] += K * np.sin(u[row + 1, col] - u[row, col])
                if col > 0:
                    d[row, col] += K * np.sin(u[row, col - 1] - u[row, col])
                if col < m - 1:
                    d[row, col] += K * np.sin(u[row, col + 1] - u[row, col])
    return d


def cases():
    for n, m in ((5, 6), (1, 1), (1, 4), (2, 2), (0, 3), (3, 0), (20, 17)):
        u = np.arange(n * m * 1.0).reshape(n, m)
        yield "velocity", (u, np.cos(u), 1.5)
    yield "velocity", (np.ones((3, 3)), np.ones((2, 2)), 1.5), IndexError
    yield "velocity", (np.ones((3, 3)), np.ones((4, 4)), 1.5)
