"""A[m] = A[m] + 0.5 on integers truncates each time (A[m] += 0.5 would raise).

Hazards: 1.4
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    constants={"limit": "int64"},
    state={"counts": "int64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _creep_step(limit, counts):
    """One iteration of the loop over `n` in `creep`."""
    m = counts < limit
    counts = np.where(m, (counts * 1.5 + 0.5).astype(np.int64), counts)
    return counts, m


def creep(counts: npt.NDArray[np.int64], limit: int, trips: int):
    for n in _creep_step.over(range(trips), limit=limit, counts=counts):
        m = counts < limit
        counts[m] = counts[m] * 1.5 + 0.5
    return counts


def cases():
    row = np.array([0, 1, 2, -1, -7, 10, 999, 1000, 2**53 + 1, 2**63 - 1])
    for trips in (9, 40, 8, 1, 0):
        yield "creep", (row.copy(), 1000, trips)
    yield "creep", (row.copy(), -1000, 9)
    yield "creep", (np.zeros(0, dtype=np.int64), 1000, 9)
