"""An array with a rim around it, zeros or what stands at its edge."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"phi": "float64", "seen": "uint8"},
    out={"result_1": "float64", "result_2": "uint8"},
    once=True,
    compile=True,
)
def _curved_region(phi, seen):
    """Lines of `curved`."""
    p = npr.pad(phi, 1, mode="edge")
    q = npr.pad(seen, ((1, 0), (0, 2)))
    slope = (p[2:, 1:-1] - p[:-2, 1:-1]) ** 2 + (p[1:-1, 2:] - p[1:-1, :-2]) ** 2
    result_1, result_2 = np.sqrt(slope), q[1:, :-2] + q[:-1, 2:]
    return result_1, result_2


@nprewrite.jit
def curved(phi: npt.NDArray[np.float64], seen: npt.NDArray[np.uint8]):
    for once in (region := _curved_region.over(range(1), phi=phi, seen=seen)):
        p = np.pad(phi, 1, mode="edge")
        q = np.pad(seen, ((1, 0), (0, 2)))
        slope = (p[2:, 1:-1] - p[:-2, 1:-1]) ** 2 + (p[1:-1, 2:] - p[1:-1, :-2]) ** 2
        return np.sqrt(slope), q[1:, :-2] + q[:-1, 2:]
    (result_1, result_2) = region.results
    return result_1, result_2


def cases():
    rng = np.random.default_rng(0)
    for rows, columns in ((4, 5), (1, 3), (2, 1)):
        yield "curved", (rng.normal(size=(rows, columns)), rng.integers(0, 9, (rows, columns), np.uint8))
    yield "curved", (np.ones((0, 3)), np.ones((0, 3), np.uint8)), ValueError
