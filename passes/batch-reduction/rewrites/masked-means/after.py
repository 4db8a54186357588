"""Means of the data within intervals of radius; one of them is empty."""

import numpy as np
import nprewrite.runtime as npr


@npr.reduction
def _profile_reduction(edges_i, edges_i_1, data, r):
    """The reductions of the loop over `i` in `profile`."""
    return data[(edges_i <= r) & (r < edges_i_1)].mean()


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    edges = np.linspace(0.0, 1.25, m + 1)
    res = np.empty(m)
    for i, mean_i in _profile_reduction.over(
        range(m),
        lambda i: (edges[i], edges[i + 1]),
        (data, r),
        (res,),
        (edges,),
    ):
        res[i] = mean_i
    return res


def cases():
    for n, m in ((40, 6), (1, 1), (40, 0), (0, 3), (20_000, 5)):
        yield "profile", (n, m)
