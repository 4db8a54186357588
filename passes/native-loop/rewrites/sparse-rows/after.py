"""Compressed rows: an index array picks the columns, and one that is out of range still raises."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _multiply_loop(y, starts, data, x, columns):
    """The loop in `multiply`."""
    for row in range(len(y)):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += data[k] * x[columns[k]]
        y[row] = total


def multiply(
    data: npt.NDArray[np.float64],
    columns: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    x: npt.NDArray[np.float64],
):
    y = np.zeros(len(starts) - 1)
    _multiply_loop(y, starts, data, x, columns)
    return y


def cases():
    data, columns = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([0, 2, 2, 0, 1], np.int32)
    starts, x = np.array([0, 2, 2, 5]), np.array([1.0, 10.0, 100.0])
    yield "multiply", (data, columns, starts, x)
    yield "multiply", (data, columns - 3, starts, x)
    yield "multiply", (data, columns + 1, starts, x), IndexError
    yield "multiply", (data, columns, starts + 1, x), IndexError
    yield "multiply", (data, columns, starts[:1], x)
