"""min and max of an empty selection raise, nan is passed on.

Hazards: 1.read-empty
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def smallest(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    return npr.masked_min(x, x > limit)


def largest(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float32)
    m = ~(x > limit)
    return npr.masked_max(x, m), npr.masked_max(x, m)


def of_integers(values: npt.ArrayLike, limit: int):
    x = np.asarray(values, dtype=np.int64)
    small = x.astype(np.uint8)
    m = x > limit
    return npr.masked_min(x, m), npr.masked_max(x, m), npr.masked_min(small, m), npr.masked_max(small, m), (x[m] > 5).max()


def cases():
    row = np.array([3.0, 1.5, -2.0, np.inf, -np.inf, 7.0])
    yield "smallest", (row, 0.0)
    yield "smallest", (row, -np.inf)
    yield "smallest", (np.append(row, np.nan), 0.0)
    yield "smallest", (np.array([np.inf, 1.0]), 5.0)
    yield "smallest", (row, np.inf), ValueError
    yield "smallest", (row, np.nan), ValueError
    yield "smallest", (np.zeros(0), 0.0), ValueError
    yield "smallest", (4.0, 1.0)
    yield "smallest", (4.0, 5.0), ValueError
    yield "largest", (row, 2.0)
    yield "largest", (np.append(row, np.nan), 2.0)
    yield "largest", (np.array([-np.inf]), 2.0)
    yield "largest", (row.reshape(2, 3)[:, ::-1], 2.0)
    yield "largest", (np.array([3.0]), 2.0), ValueError
    yield "of_integers", (np.arange(300), 100)
    yield "of_integers", (np.array([-(2**63), 2**63 - 1]), -(2**63))
    yield "of_integers", (np.array([-(2**63), 2**63 - 1, 4]), 5)
    yield "of_integers", (np.arange(3), 100), ValueError
