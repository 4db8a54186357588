"""Arrays as long as others are made where they are computed with, anew in each call."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_int32": "int32"},
    inputs={"x": "float64"},
    out={"result_1": "float64", "result_2": "float64", "result_3": "int32", "result_4": "float64"},
    once=True,
    compile=True,
)
def _bordered_region(scalar_int32, x):
    """Lines of `bordered`."""
    z = np.zeros((len(x) + 2, x.shape[1]))
    z[1:-1] = 2 * x
    z[0] += np.arange(x.shape[1])
    unit, below = np.identity(len(x), dtype=np.float64), np.tri(len(x), dtype=int)
    counts = np.full(x.shape, 3, dtype=np.int32)
    counts += 1
    weights = np.array([[0.25, -1], [0.5, 8]])
    result_1, result_2, result_3, result_4 = z + 1, unit + below, counts * scalar_int32, weights * 2
    return result_1, result_2, result_3, result_4


@nprewrite.jit
def bordered(x: npt.NDArray[np.float64]):
    for once in (region := _bordered_region.over(range(1), scalars=lambda once: (x.size,), x=x)):
        z = np.zeros((len(x) + 2, x.shape[1]))
        z[1:-1] = 2 * x
        z[0] += np.arange(x.shape[1])
        unit, below = np.identity(len(x)), np.tri(len(x), dtype=int)
        counts = np.full(x.shape, 3, dtype=np.int32)
        counts += 1
        weights = np.array([[0.25, -1], [0.5, 8]])
        return z + 1, unit + below, counts * x.size, weights * 2
    (result_1, result_2, result_3, result_4) = region.results
    return result_1, result_2, result_3, result_4


def cases():
    yield "bordered", (np.arange(12.0).reshape(4, 3),)
    yield "bordered", (np.arange(3.0).reshape(1, 3),)
    yield "bordered", (np.arange(7.0).reshape(7, 1),)
    yield "bordered", (np.zeros((0, 2)),)
    yield "bordered", (np.arange(4.0),), IndexError
