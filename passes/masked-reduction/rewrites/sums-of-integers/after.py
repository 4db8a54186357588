"""Sums of selected integers and truth values: the accumulator's dtype stays, an empty selection gives 0."""

import numpy as np
import numpy.typing as npt


def totals(values: npt.ArrayLike, limit: int):
    wide = np.asarray(values, dtype=np.int64)
    small = wide.astype(np.uint8)
    short = wide.astype(np.int32)
    even = wide % 2 == 0
    m = wide > limit
    return np.where(m, wide, 0).sum(), np.where(m, small, 0).sum(), np.where(m, short, 0).sum(), np.where(m, even, 0).sum(), np.where(~m, wide, 0).sum()


def cases():
    yield "totals", (np.arange(300), 100)
    yield "totals", (np.arange(300), 1000)
    yield "totals", (np.arange(300), -1)
    yield "totals", (np.arange(12).reshape(3, 4)[::-1, ::2], 3)
    yield "totals", (np.array([2**62, 2**62, 2**62, 5]), 4)
    yield "totals", (np.zeros(0, dtype=np.int64), 0)
    yield "totals", (7, 3)
