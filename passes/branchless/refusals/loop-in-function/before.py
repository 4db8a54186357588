"""The number of trips differs from element to element."""

import numpy as np


def collatz(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


lengths = np.vectorize(collatz)


def table(n):
    return lengths(np.arange(1, n))


def cases():
    yield "table", (100,)
