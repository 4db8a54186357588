"""Local alignment's best score by a loop over anti-diagonals in array code (Smith and Waterman)."""

import numpy as np

ENTRY = "best_score"
SIZES = {"bench": (2000, 1800), "small": (15, 12)}


def best_score(a, b, match=2, mismatch=-1, gap=-1):
    m, n = len(a), len(b)
    older = np.zeros(m + 1, dtype=np.int64)
    old = np.zeros(m + 1, dtype=np.int64)
    best = 0
    for diagonal in range(2, m + n + 1):
        lo, hi = max(1, diagonal - n), min(m, diagonal - 1)
        i = np.arange(lo, hi + 1)
        score = np.where(a[i - 1] == b[diagonal - i - 1], match, mismatch)
        new = np.zeros(m + 1, dtype=np.int64)
        new[i] = np.maximum.reduce(
            [older[i - 1] + score, old[i - 1] + gap, old[i] + gap, np.zeros(len(i), int)]
        )
        best = max(best, int(new.max()))
        older, old = old, new
    return best


def setup(m, n):
    rng = np.random.default_rng(115)
    return rng.integers(0, 4, m), rng.integers(0, 4, n)
