"""Autocorrelations: products of two parts of one series, whose lengths are others for each lag."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def autocorrelation(x: npt.NDArray[np.float64], lags: int):
    n = x.size
    acf = np.zeros(lags)
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, x)
        and type(n) is int
        and n == x.shape[0]
        and lags <= n
        and n >= 1
    ):
        with np.errstate(all="ignore"):
            for k in range(lags):
                total = x[:n - k] @ x[k:]
                acf[k] = total / n
    else:
        for k in range(lags):
            acf[k] = (x[: n - k] * x[k:]).sum() / n
    return acf


def cases():
    x = np.sin(np.arange(50.0) ** 2)
    for n, lags in ((50, 20), (20, 20), (5, 5), (1, 1), (0, 0)):
        yield "autocorrelation", (x[:n], lags)
    yield "autocorrelation", (np.append(x, np.inf), 20)
    yield "autocorrelation", (x[:4], 6), ValueError
