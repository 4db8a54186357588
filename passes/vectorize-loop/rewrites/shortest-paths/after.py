"""The rounds of Floyd and Warshall run at once where the diagonal element is not negative."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def paths(d: npt.NDArray[np.float64]):
    n = d.shape[0]
    if npr.quiet() and npr.are_arrays(np.float64, 2, d) and npr.apart(d) and n <= d.shape[1]:
        with np.errstate(all="ignore"):
            for k in range(n):
                if d[k, k] >= 0:
                    value_2 = d[:, k, None] + d[k, :n]
                    mask = value_2 < d[:, :n]
                    d[:, :n] = np.where(mask, value_2, d[:, :n])
                else:
                    for i in range(n):
                        for j in range(n):
                            if d[i, k] + d[k, j] < d[i, j]:
                                d[i, j] = d[i, k] + d[k, j]
    else:
        for k in range(n):
            for i in range(n):
                for j in range(n):
                    if d[i, k] + d[k, j] < d[i, j]:
                        d[i, j] = d[i, k] + d[k, j]
    return d


def hops(d: npt.NDArray[np.int64], n: int):
    if (
        npr.quiet()
        and npr.are_arrays(np.int64, 2, d)
        and npr.apart(d)
        and n <= d.shape[0]
        and n >= 0
        and n <= d.shape[1]
    ):
        with np.errstate(all="ignore"):
            for k in range(n):
                if d[k, k] == 0:
                    d[:n, :n] = np.where(d[:n, k, None] + d[k, :n] < d[:n, :n], d[:n, k, None] + d[k, :n], d[:n, :n])
                else:
                    for i in range(n):
                        for j in range(n):
                            d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    else:
        for k in range(n):
            for i in range(n):
                for j in range(n):
                    d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def cases():
    for n in (5, 1, 0, 20):
        d = (np.arange(n * n) * 7 % 13 + 1.0).reshape(n, n)
        np.fill_diagonal(d, 0.0)
        yield "paths", (d.copy(),)
        yield "hops", (d.astype(np.int64), n)
        yield "paths", (d - 2.0,)
        yield "hops", (d.astype(np.int64) - 1, n)
        yield "hops", (d.astype(np.int64) + np.eye(n, dtype=np.int64), n)
        d[d > 9] = np.inf
        yield "paths", (d,)
    yield "paths", (np.array([[0.0, np.nan], [-np.inf, np.inf]]),)
    yield "hops", (np.full((2, 2), 2**63 - 1), 2)
    yield "hops", (np.zeros((2, 2), dtype=np.int64), 3), IndexError
