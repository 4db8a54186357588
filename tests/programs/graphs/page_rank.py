"""PageRank over a list of links by power iteration, `while` the ranks still move."""

import numpy as np

ENTRY = "page_rank"
SIZES = {"bench": (100_000, 800_000), "small": (25, 80)}


def page_rank(source, target, n, damping=0.85, tol=1e-8):
    degree = np.bincount(source, minlength=n)
    dangling = degree == 0
    share = 1.0 / np.where(dangling, 1, degree)
    rank = np.full(n, 1.0 / n)
    err = 1.0
    while err > tol:
        flow = np.bincount(target, weights=(rank * share)[source], minlength=n)
        new = (1 - damping) / n + damping * (flow + rank[dangling].sum() / n)
        err = np.abs(new - rank).sum()
        rank = new
    return rank


def setup(n, links):
    rng = np.random.default_rng(103)
    target = np.minimum(rng.integers(0, n, links), rng.integers(0, n, links))
    return rng.integers(0, n, links), target, n
