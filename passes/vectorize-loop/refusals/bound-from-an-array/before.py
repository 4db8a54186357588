"""Each row has a length of its own (a compressed matrix)."""

import numpy as np
import numpy.typing as npt


def product(data: npt.NDArray[np.float64], columns: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], x: npt.NDArray[np.float64]):
    y = np.zeros(len(rows) - 1)
    for i in range(len(rows) - 1):
        for k in range(rows[i], rows[i + 1]):
            y[i] += data[k] * x[columns[k]]
    return y


def cases():
    rows, columns = np.array([0, 2, 3]), np.array([0, 1, 1])
    yield "product", (np.arange(3.0), columns, rows, np.array([1.0, 2.0]))
