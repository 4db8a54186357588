"""The size is a number of the module, and another one at each call."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr

N = 4


def filled(a: npt.NDArray[np.float64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, a)
        and npr.apart(a)
        and N <= a.shape[0] + 1
        and N >= 1
        and N <= a.shape[1]
    ):
        with np.errstate(all="ignore"):
            a[1:N - 1, :N] = 0.5 * np.arange(1, N - 1)[:, None] + np.arange(N)
    else:
        for i in range(1, N - 1):
            for j in range(N):
                a[i, j] = 0.5 * i + j
    return a


def with_size(a, size):
    global N
    N = size
    return filled(a)


def cases():
    for size in (4, 3, 1, 5):
        yield "with_size", (np.zeros((5, 5)), size)
