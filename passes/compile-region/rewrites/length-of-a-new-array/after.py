"""The length is that of the array just made, not of the argument that had its name before."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64"},
    inputs={"z": "float64", "x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _spread_region(scalar_float64, z, x):
    """Lines of `spread`."""
    result = z / scalar_float64 + x[:-1]
    return (result,)


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], z: npt.NDArray[np.float64]):
    z = x[1:] * 2.0
    for once in (region := _spread_region.over(range(1), scalars=lambda once: (len(z),), z=z, x=x)):
        return z / len(z) + x[:-1]
    (result,) = region.results
    return result


def cases():
    yield "spread", (np.arange(5.0), np.arange(9.0))
    yield "spread", (np.arange(2.0), np.arange(9.0))
