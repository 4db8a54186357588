"""The compiled sign of nan would be 0."""

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
def _signs_region(x):
    """Lines of `signs`."""
    result = npr.sign(x * 2)
    return (result,)


@nprewrite.jit
def signs(x: npt.NDArray[np.float64]):
    for once in (region := _signs_region.over(range(1), x=x)):
        return np.sign(x * 2)
    (result,) = region.results
    return result


def cases():
    yield "signs", (np.array([1.0, np.nan, -3.0]),)
