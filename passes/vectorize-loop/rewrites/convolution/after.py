"""A small kernel keeps its loops; the image becomes slices."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def convolve(a: npt.NDArray[np.float64], w: npt.NDArray[np.float64]):
    n, m = a.shape
    p, q = w.shape
    out = np.zeros((n - p + 1, m - q + 1))
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, a, w)
        and p <= n + 1
        and q <= m + 1
        and n + 1 <= out.shape[0] + p
        and m + 1 <= out.shape[1] + q
    ):
        with np.errstate(all="ignore"):
            s = np.zeros((n - p + 1, m - q + 1))
            for ki in range(p):
                for kj in range(q):
                    s = s + a[ki:ki + n - p + 1, kj:kj + m - q + 1] * w[ki, kj]
            out[:n - p + 1, :m - q + 1] = s
    else:
        for i in range(n - p + 1):
            for j in range(m - q + 1):
                s = 0.0
                for ki in range(p):
                    for kj in range(q):
                        s += a[i + ki, j + kj] * w[ki, kj]
                out[i, j] = s
    return out


def cases():
    for n, m, p, q in ((5, 6, 3, 3), (3, 3, 3, 3), (4, 4, 1, 2), (17, 18, 3, 3), (2, 2, 3, 3)):
        yield "convolve", (np.arange(n * m * 1.0).reshape(n, m), np.arange(1.0 * p * q).reshape(p, q) / 2)
