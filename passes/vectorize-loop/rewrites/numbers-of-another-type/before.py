"""Calls may pass other numbers than the annotations say: stored one by one they are cut, or raise in the first round."""

import numpy as np
import numpy.typing as npt


def raised(counts: npt.NDArray[np.int64], step: int):
    for i in range(len(counts)):
        counts[i] += step
    return counts


def scaled(total: npt.NDArray[np.float64], part: npt.NDArray[np.float64], rate: float):
    double = 2 * rate
    for i in range(len(part)):
        total[i] = total[i] + 1.0
        part[i] = double * part[i]
    return total, part


def cases():
    for step in (3, True, 0.5, np.float64(1.5), np.int64(2)):
        yield "raised", (np.arange(6), step)
    yield "raised", (np.arange(6), np.arange(6)), ValueError
    for rate in (0.3, 2, np.float32(0.3)):
        yield "scaled", (np.zeros(5), np.linspace(0.0, 1.0, 5), rate)
    yield "scaled", (np.zeros(5), np.linspace(0.0, 1.0, 5), 0.3j), TypeError
