"""The mean of bools is one of floats; a hyperbolic cosine that is large, and the smallest step from 1."""

import numpy as np
import numpy.typing as npt

import nprewrite

eps = np.finfo(np.float64).eps


@nprewrite.jit
def shares(x: npt.NDArray[np.float64], k: npt.NDArray[np.int32]):
    above = np.cosh(x) > 2.0
    return np.sinh(x) / (np.cosh(x) + eps), above.mean(axis=0), np.std(k), above.mean()


def cases():
    rng = np.random.default_rng(0)
    for size in (1, 40):
        yield "shares", (rng.normal(size=(size, 3)), rng.integers(-9, 9, size).astype(np.int32))
    yield "shares", (np.array([[0.0, -0.0, np.nan], [1e-9, -0.4999, 0.5001]]), np.arange(4, dtype=np.int32))
