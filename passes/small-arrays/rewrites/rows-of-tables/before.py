"""A row that is kept, rows that a number picks, and what is left of them after the loop."""

import numpy as np
import numpy.typing as npt


def warp(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    row = np.full(b.size + 1, np.inf)
    row[0] = 0.0
    for i in range(a.size):
        before = row.copy()
        row[0] = np.inf
        for j in range(1, b.size + 1):
            row[j] = abs(a[i] - b[j - 1]) + min(before[j], row[j - 1], before[j - 1])
    return row[-1]


def tree(n: int, seed: int):
    rng = np.random.default_rng(seed)
    cost = rng.random((n, n))
    near = cost[0].copy()
    done = np.zeros(n, dtype=bool)
    total = 0.0
    for _ in range(n - 1):
        k = np.argmin(np.where(done, np.inf, near))
        total += near[k]
        done[k] = True
        near = np.minimum(near, cost[k])
    return total, near, done


def counts(n: int, m: int, seed: int):
    rng = np.random.default_rng(seed)
    table = rng.integers(-9, 9, (n, m))
    seen = np.zeros((n, m), dtype=np.int32)
    for i in range(1, n):
        step = table[i] // 2 - table[i - 1] % 3
        seen[i] = seen[i - 1] + step
        seen[i, ::2] += 1
        seen[i, 0] = seen[i].max() + step.min()
    return seen


def cases():
    rng = np.random.default_rng(1)
    for sizes in ((0, 3), (5, 7), (30, 20)):
        yield "warp", tuple(map(rng.random, sizes))
    for n in (1, 2, 20):
        yield "tree", (n, 5)
    yield "counts", (6, 5, 2)
    yield "counts", (0, 5, 2)
