"""The longest common subsequence of two strings: table, then the way back as a string."""

import numpy as np

ENTRY = "longest_common_subsequence"
SIZES = {"bench": (700, 600), "small": (15, 12)}


def longest_common_subsequence(x, y):
    m, n = len(x), len(y)
    c = np.zeros((m + 1, n + 1), dtype=int)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if x[i - 1] == y[j - 1]:
                c[i, j] = c[i - 1, j - 1] + 1
            else:
                c[i, j] = max(c[i, j - 1], c[i - 1, j])
    letters = []
    i, j = m, n
    while i > 0 and j > 0:
        if x[i - 1] == y[j - 1]:
            letters.append(x[i - 1])
            i -= 1
            j -= 1
        elif c[i - 1, j] >= c[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(letters))


def setup(m, n):
    rng = np.random.default_rng(111)
    return "".join(rng.choice(list("ACGT"), m)), "".join(rng.choice(list("ACGT"), n))
