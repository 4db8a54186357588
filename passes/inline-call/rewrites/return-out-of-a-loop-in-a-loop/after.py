"""A function that returns out of a loop in a loop, and out of the outer one."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def divisor(rows, number):
    for i in range(len(rows)):
        for j in range(i):
            if number % (rows[i] + j) == 0:
                return rows[i] + j
        if rows[i] > number:
            return -1
    return 0


@npr.native
def _divisors_loop(numbers, rows):
    """The loop in `divisors`."""
    for i in range(1, len(numbers)):
        divisor_number = numbers[i]
        for divisor_i in range(len(rows)):
            for divisor_j in range(divisor_i):
                if divisor_number % (rows[divisor_i] + divisor_j) == 0:
                    divisor_result = rows[divisor_i] + divisor_j
                    break
            else:
                if rows[divisor_i] > divisor_number:
                    divisor_result = -1
                    break
                continue
            break
        else:
            divisor_result = 0
        numbers[i] += numbers[i - 1] + divisor_result


@nprewrite.jit
def divisors(numbers: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]):
    _divisors_loop(numbers, rows)
    return numbers


def cases():
    yield "divisors", (np.arange(20), np.array([3, 5, 7, 200, 2]))
    yield "divisors", (np.arange(5), np.array([], dtype=np.int64))
