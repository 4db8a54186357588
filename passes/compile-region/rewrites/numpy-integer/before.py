"""A weight out of an array of integers: a NumPy integer, which leaves float64 as it is."""

import numpy as np
import numpy.typing as npt


def weighted(u: npt.NDArray[np.float64], weights: npt.NDArray[np.int64]):
    total = np.zeros_like(u)
    for k in range(len(weights)):
        w = weights[k]
        total = total + w * np.sin(u * k)
    return total
