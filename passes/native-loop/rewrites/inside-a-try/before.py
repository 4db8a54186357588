"""A loop in a `try`: no name that it sets is read after an exception."""

import numpy as np
import numpy.typing as npt


def smoothed(x: npt.NDArray[np.float64], trips: int, limit: int):
    changes = []
    try:
        for _ in range(trips):
            change = 0.0
            for i in range(1, limit):
                new = 0.5 * (x[i] + x[i - 1])
                change += abs(new - x[i])
                x[i] = new
            changes.append(change)
    except IndexError:
        return None, changes
    finally:
        changes.append(-1.0)
    return change, changes


def cases():
    for limit in (3, 5, 9):
        yield "smoothed", (np.linspace(0, 1, 5), 2, limit)
    yield "smoothed", (np.linspace(0, 1, 5), 0, 3), UnboundLocalError
