"""The table of an alignment of two strings (S. B. Needleman and C. D. Wunsch, 1970)."""

import numpy as np


def aligned(first: str, second: str, gap: int):
    rows, columns = len(first), len(second)
    table = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    table[:, 0] = gap * np.arange(rows + 1)
    table[0, :] = gap * np.arange(columns + 1)
    for i in range(rows):
        for j in range(columns):
            score = 1 if first[i] == second[j] else -1
            best = max(table[i, j + 1] + gap, table[i + 1, j] + gap)
            table[i + 1, j + 1] = max(best, table[i, j] + score)
    return table


def cases():
    yield "aligned", ("GATTACA", "GCATGCU", -1)
    yield "aligned", ("", "naïve", -2)
    yield "aligned", (["GAT", "TACA"], ["TACA"], -1)
