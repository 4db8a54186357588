"""The mean of bools is one of floats; a hyperbolic cosine that is large, and the smallest step from 1."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr

eps = np.finfo(np.float64).eps


@npr.step(
    constants={"eps": npr.scalar("float64")},
    inputs={"x": "float64", "k": "int32"},
    out={"result_1": "float64", "result_2": "float64", "result_3": "float64", "result_4": "float64"},
    once=True,
    compile=True,
)
def _shares_region(eps, x, k):
    """Lines of `shares`."""
    above = npr.cosh(x) > 2.0
    result_1, result_2, result_3, result_4 = npr.sinh(x) / (npr.cosh(x) + eps), above.astype(np.float64).mean(axis=0), np.std(k.astype(np.float64)), above.astype(np.float64).mean()
    return result_1, result_2, result_3, result_4


@nprewrite.jit
def shares(x: npt.NDArray[np.float64], k: npt.NDArray[np.int32]):
    for once in (region := _shares_region.over(range(1), eps=eps, x=x, k=k)):
        above = np.cosh(x) > 2.0
        return np.sinh(x) / (np.cosh(x) + eps), above.mean(axis=0), np.std(k), above.mean()
    (result_1, result_2, result_3, result_4) = region.results
    return result_1, result_2, result_3, result_4


def cases():
    rng = np.random.default_rng(0)
    for size in (1, 40):
        yield "shares", (rng.normal(size=(size, 3)), rng.integers(-9, 9, size).astype(np.int32))
    yield "shares", (np.array([[0.0, -0.0, np.nan], [1e-9, -0.4999, 0.5001]]), np.arange(4, dtype=np.int32))
