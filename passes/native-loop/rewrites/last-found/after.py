"""Where nothing is found the name has no value, and nobody reads it."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _last_above_loop(x, limit, count, where):
    """The loop in `last_above`."""
    for i in range(len(x)):
        if x[i] > limit:
            where = i
            count += 1
    return where, count


def last_above(x: npt.NDArray[np.float64], limit: float):
    count = 0
    where_after, count = _last_above_loop(x, limit, count, None)
    if where_after is not None:
        where = where_after
    return where if count else -1


def cases():
    for limit in (0.5, 2.0):
        yield "last_above", (np.linspace(0, 1, 5), limit)
