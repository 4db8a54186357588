"""Arrays of evenly spaced numbers, and of one number that is a parameter, are made where they are computed with."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64", "scalar_float32": "float32"},
    constants={"low": "float64", "k": "float64"},
    sizes=("n",),
    inputs={"x": "float64"},
    out={"result_1": "float64", "result_2": "float64", "result_3": "float32"},
    once=True,
    compile=True,
)
def _ruled_region(scalar_float64, scalar_float32, low, k, n, x):
    """Lines of `ruled`."""
    t = npr.linspace(low, scalar_float64, n)
    inside = npr.linspace(0, 1, len(x) + 1, endpoint=False)
    spread = npr.linspace(x.min(), x.max(), num=n)
    level = npr.full((n, len(x)), scalar_float32, dtype=np.float32)
    last = npr.full_like(x, k)
    result_1, result_2, result_3 = t * spread + 1, inside[1:] * x + last, level * 2
    return result_1, result_2, result_3


@nprewrite.jit
def ruled(x: npt.NDArray[np.float64], n: int, low: float, k: int):
    for once in (region := _ruled_region.over(
        range(1),
        scalars=lambda once: (2 * low + k, low / 2),
        low=low,
        k=k,
        n=n,
        x=x,
    )):
        t = np.linspace(low, 2 * low + k, n)
        inside = np.linspace(0, 1, len(x) + 1, endpoint=False)
        spread = np.linspace(x.min(), x.max(), num=n)
        level = np.full((n, len(x)), low / 2, dtype=np.float32)
        last = np.full_like(x, k)
        return t * spread + 1, inside[1:] * x + last, level * 2
    (result_1, result_2, result_3) = region.results
    return result_1, result_2, result_3


def cases():
    for n in (0, 1, 2, 9):
        yield "ruled", (np.arange(5.0) ** 2, n, 0.1, 3)
        yield "ruled", (np.ones(3), n, -0.0, 0)
    yield "ruled", (np.arange(4.0), 5, float("inf"), 3)
    yield "ruled", (np.arange(4.0), 5, 2e-323, 0)
    yield "ruled", (np.arange(4.0), 5, 0.1, 2**70)
    yield "ruled", (np.arange(4.0), -1, 0.1, 3), ValueError
    yield "ruled", (np.zeros(0), 3, 0.1, 3), ValueError
