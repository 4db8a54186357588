"""Only the statement changes: comments, spacing, several statements on a line and line breaks stay."""

import numpy as np


def grade(size: int, cap: int):  # the cap comes from the form
    score   = np.arange( size,dtype = np.int64 )*3   # odd spacing is the user's

    score[...] = np.where(score > cap, np.int64(cap), score)  # no more than the cap
    bonus = np.zeros(size, dtype=np.int64); bonus[...] = np.where(score == cap, 1, bonus); total = score+bonus
    if cap > 5: total[...] = np.where(total % 2 == 1, total + 1, total)
    total[...] = np.where(((total > 3)  # above the first step
        & (total < 9)), (
        -1  # an error mark
    ), total)
    total[...] = np.where(total == 9, 10, total)
    return total  # the end


def cases():
    for cap in (0, 4, 6, 20):
        yield "grade", (10, cap)
    yield "grade", (0, 6)
