"""The loop's variable also names what another loop takes from an argument, which is none of the tables."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def smoothed(field: npt.NDArray[np.float64], scales, steps: int):
    shifts = np.array([-1, 0, 1])
    weights = np.array([0.25, 0.5, 0.25])
    for shift in scales:
        field[0] *= shift
    for _ in range(steps):
        mixed = np.zeros(field.shape)
        for shift, weight in zip(shifts, weights):
            mixed += weight * np.roll(field, shift)
        field[:] = mixed
    return field


def cases():
    yield "smoothed", (np.arange(6.0), (2.0, 0.5), 3)
    yield "smoothed", (np.arange(6.0), (), 0)
    yield "smoothed", (np.ones(1), [3], 2)
