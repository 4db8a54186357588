"""Every element is set before one is read, however long the array is."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mirrored_region(x):
    """Lines of `mirrored`."""
    z = np.empty(len(x))
    z[1:-1] = x[1:-1] * 2
    z[0] = x[-1] + 1
    z[-1] = x[0] + 1
    result = z * z
    return (result,)


@nprewrite.jit
def mirrored(x: npt.NDArray[np.float64]):
    for once in (region := _mirrored_region.over(range(1), x=x)):
        z = np.empty(len(x))
        z[1:-1] = x[1:-1] * 2
        z[0] = x[-1] + 1
        z[-1] = x[0] + 1
        return z * z
    (result,) = region.results
    return result


def cases():
    yield "mirrored", (np.arange(4.0),)
    yield "mirrored", (np.arange(1.0),)
