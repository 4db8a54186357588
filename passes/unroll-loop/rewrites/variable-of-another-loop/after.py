"""The loop's variable also names what another loop takes from an argument, which is none of the tables."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"weights": "float64"},
    state={"field": "float64"},
    ranks={"weights": 1},
    compile=True,
)
def _smoothed_step(weights, field):
    """One iteration of the loop over `_` in `smoothed`."""
    mixed = np.zeros(field.shape)
    mixed += weights[0] * np.roll(field, -1)
    mixed += weights[1] * np.roll(field, 0)
    mixed += weights[2] * np.roll(field, 1)
    field[:] = mixed
    return (field,)


@nprewrite.jit
def smoothed(field: npt.NDArray[np.float64], scales, steps: int):
    shifts = np.array([-1, 0, 1])
    weights = np.array([0.25, 0.5, 0.25])
    for shift in scales:
        field[0] *= shift
    for _ in _smoothed_step.over(range(steps), weights=weights, field=field):
        mixed = np.zeros(field.shape)
        mixed += weights[0] * np.roll(field, -1)
        mixed += weights[1] * np.roll(field, 0)
        mixed += weights[2] * np.roll(field, 1)
        field[:] = mixed
    return field


def cases():
    yield "smoothed", (np.arange(6.0), (2.0, 0.5), 3)
    yield "smoothed", (np.arange(6.0), (), 0)
    yield "smoothed", (np.ones(1), [3], 2)
