"""Products of integers wrap the same in every order: level exact."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def chain(A: npt.NDArray[np.int64], B: npt.NDArray[np.int64], x: npt.NDArray[np.int64]):
    return npr.matrix_product(A, B, x, scale=3)


def cases():
    rng = np.random.default_rng(3)
    A, B, x = (rng.integers(-(2**62), 2**62, size) for size in ((40, 50), (50, 60), 60))
    yield "chain", (A, B, x)
    yield "chain", (A.astype(np.uint8), B.astype(np.uint8), x.astype(np.uint8))
