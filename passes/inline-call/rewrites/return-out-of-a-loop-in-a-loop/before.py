"""A function that returns out of a loop in a loop, and out of the outer one."""

import numpy as np
import numpy.typing as npt

import nprewrite


def divisor(rows, number):
    for i in range(len(rows)):
        for j in range(i):
            if number % (rows[i] + j) == 0:
                return rows[i] + j
        if rows[i] > number:
            return -1
    return 0


@nprewrite.jit
def divisors(numbers: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]):
    for i in range(1, len(numbers)):
        numbers[i] += numbers[i - 1] + divisor(rows, numbers[i])
    return numbers


def cases():
    yield "divisors", (np.arange(20), np.array([3, 5, 7, 200, 2]))
    yield "divisors", (np.arange(5), np.array([], dtype=np.int64))
