"""Random numbers are drawn by NumPy, in the order of the program; what is done with them is array code.

Hazards: 3.random
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"standard_normal_value": "float64"},
    carried={"x": "float64"},
    given=("standard_normal_value",),
    once=True,
    compile=True,
)
def _paths_step(standard_normal_value, x):
    """The array statements of an iteration of the loop in `paths`."""
    x = x * np.exp(0.1 * standard_normal_value - 0.005)
    return (x,)


@nprewrite.jit
def paths(x: npt.NDArray[np.float64], steps: int):
    rng = np.random.default_rng(5)
    with _paths_step.running(x=x) as run:
        for _ in range(steps):
            standard_normal_value = rng.standard_normal(x.shape)
            if run.advance(standard_normal_value=standard_normal_value):
                (x,) = run.results
            else:
                x = x * np.exp(0.1 * standard_normal_value - 0.005)
            del standard_normal_value
    return x, rng.random()


def cases():
    for size in (0, 1, 9):
        yield "paths", (np.linspace(1, 2, size), 4)
