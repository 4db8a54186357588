"""Numbers that one statement names together: all of them are parameters of the step."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64", "scalar_float64_1": "float64", "scalar_float64_2": "float64"},
    constants={"scale": "float64"},
    inputs={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _cubic_region(scalar_float64, scalar_float64_1, scalar_float64_2, scale, x):
    """Lines of `cubic`."""
    y = x * scale
    result = ((scalar_float64 * y + scalar_float64_1) * y + scalar_float64_2) * y
    return (result,)


@nprewrite.jit
def cubic(x: npt.NDArray[np.float64], scale: float):
    for once in (region := _cubic_region.over(
        range(1),
        scalars=lambda once: (0.5, -scale, 3.0),
        scale=scale,
        x=x,
    )):
        y = x * scale
        a, b, c = 0.5, -scale, 3.0
        return ((a * y + b) * y + c) * y
    (result,) = region.results
    return result


def cases():
    yield "cubic", (np.arange(6.0), 0.5)
    yield "cubic", (np.arange(12.0).reshape(3, 4)[::2], -2.0)
    yield "cubic", (np.zeros(0), 1.0)
