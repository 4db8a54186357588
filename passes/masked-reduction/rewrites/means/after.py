"""The mean divides by the number of selected lanes; of none of them it is nan.

Hazards: 1.read-mean
"""

import numpy as np
import numpy.typing as npt


def means(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    single = x.astype(np.float32)
    k = np.arange(x.size).reshape(x.shape)
    m = x > limit
    return np.where(m, x, 0).sum() / int(np.count_nonzero(m)), np.where(m, single, 0).sum() / int(np.count_nonzero(m)), np.where(m, k, 0).sum(dtype=np.float64) / int(np.count_nonzero(m)), np.where(m, m, 0).sum(dtype=np.float64) / int(np.count_nonzero(m)), np.where(~m, x, 0).sum() / int(np.count_nonzero(~m))


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, 7.0])
    for limit in (0.0, -5.0, 5.0, np.inf, np.nan):
        yield "means", (row, limit)
    yield "means", (np.linspace(0, 1, 1000).reshape(20, 50), 0.25)
    yield "means", (np.zeros(0), 0.0)
    yield "means", (3.0, 1.0)
