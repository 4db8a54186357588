"""The sample that is nearest to each query, and how far it is; without samples it raises."""

import numpy as np
import nprewrite.runtime as npr


@npr.reduction
def _nearest_reduction(queries_i, x):
    """The reductions of the loop over `i` in `nearest`."""
    return np.abs(x - queries_i).min(), np.argmin(np.abs(x - queries_i))


def nearest(n: int, m: int):
    x = np.sin(np.arange(n, dtype=np.float64) ** 2)
    queries = np.linspace(-1.5, 1.5, m)
    distances = np.zeros(m)
    places = np.zeros(m, dtype=np.int64)
    for i, (min_i, argmin_i) in _nearest_reduction.over(
        range(m),
        lambda i: (queries[i],),
        (x,),
        (distances, places),
        (queries,),
    ):
        distances[i] = min_i
        places[i] = argmin_i
    return distances, places


def cases():
    for n, m in ((40, 6), (1, 1), (40, 0), (2000, 300)):
        yield "nearest", (n, m)
    yield "nearest", (0, 2), ValueError
