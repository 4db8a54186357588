"""Numbers of selected lanes, any and all of them; of no lanes any is False and all is True."""

import numpy as np
import numpy.typing as npt


def describe(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    m = x > limit
    inside = np.abs(x) < 2
    return (
        int(np.count_nonzero(m)),
        np.count_nonzero(np.where(m, x, 0)),
        np.count_nonzero(np.where(m, inside, 0)),
        np.where(m, inside, 0).any(),
        np.where(m, inside, 1).all(),
        np.where(m, x, 0).any(),
        np.where(m, x, 1).all(),
        len(x[m]),
    )


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, 7.0])
    for limit in (0.0, -5.0, 5.0, np.inf, np.nan):
        yield "describe", (row, limit)
    yield "describe", (np.arange(12.0).reshape(3, 4).T, 3.0)
    yield "describe", (np.zeros(0), 0.0)
    yield "describe", (3.0, 1.0)
