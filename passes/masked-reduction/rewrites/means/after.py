"""The mean divides by the number of selected lanes; of none of them it is nan.

Hazards: 1.read-mean
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def means(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    single = x.astype(np.float32)
    k = np.arange(x.size).reshape(x.shape)
    m = x > limit
    return npr.masked_mean(x, m), npr.masked_mean(single, m), npr.masked_mean(k, m), npr.masked_mean(m, m), npr.masked_mean(x, ~m)


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, 7.0])
    for limit in (0.0, -5.0, 5.0, np.inf, np.nan):
        yield "means", (row, limit)
    yield "means", (np.linspace(0, 1, 1000).reshape(20, 50), 0.25)
    yield "means", (np.zeros(0), 0.0)
    yield "means", (3.0, 1.0)
