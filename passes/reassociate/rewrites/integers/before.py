"""Products of integers wrap the same in every order: level exact."""

import numpy as np
import numpy.typing as npt


def chain(A: npt.NDArray[np.int64], B: npt.NDArray[np.int64], x: npt.NDArray[np.int64]):
    return 3 * A @ B @ x


def cases():
    rng = np.random.default_rng(3)
    A, B, x = (rng.integers(-(2**62), 2**62, size) for size in ((40, 50), (50, 60), 60))
    yield "chain", (A, B, x)
    yield "chain", (A.astype(np.uint8), B.astype(np.uint8), x.astype(np.uint8))
