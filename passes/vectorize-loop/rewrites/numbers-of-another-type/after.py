"""Calls may pass other numbers than the annotations say: stored one by one they are cut, or raise in the first round."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def raised(counts: npt.NDArray[np.int64], step: int):
    if (
        npr.quiet()
        and npr.are_arrays(np.int64, 1, counts)
        and type(step) is int
        and npr.apart(counts)
        and step >= -9223372036854775808
        and step <= 9223372036854775807
    ):
        with np.errstate(all="ignore"):
            counts += step
    else:
        for i in range(len(counts)):
            counts[i] += step
    return counts


def scaled(total: npt.NDArray[np.float64], part: npt.NDArray[np.float64], rate: float):
    double = 2 * rate
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, total, part)
        and type(double) is float
        and npr.apart(total, part)
        and npr.apart(part, total)
        and part.shape[0] <= total.shape[0]
    ):
        with np.errstate(all="ignore"):
            total[:part.shape[0]] = total[:part.shape[0]] + 1.0
            part[...] = double * part
    else:
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
