"""The mask would be computed twice, and the call with it."""

import numpy as np
import numpy.typing as npt


def mean(values: npt.ArrayLike, limit: int):
    x = np.asarray(values, dtype=np.float64)
    return x[x > float(limit)].mean()


def cases():
    yield "mean", (np.arange(6), 2)
