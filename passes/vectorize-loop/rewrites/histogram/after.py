"""Positions that repeat: np.add.at, after a look at all of them."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def histogram(bins: npt.NDArray[np.int64], k: int):
    h = np.zeros(k, dtype=np.int64)
    if npr.quiet() and npr.are_arrays(np.int64, 1, bins) and npr.within(bins, h.shape[0]):
        with np.errstate(all="ignore"):
            np.add.at(h, bins, 1)
    else:
        for i in range(len(bins)):
            h[bins[i]] += 1
    return h


def weighted(bins: npt.NDArray[np.int64], w: npt.NDArray[np.float64], least: float, h: npt.NDArray[np.float64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, w, h)
        and npr.are_arrays(np.int64, 1, bins)
        and type(least) is float
        and npr.apart(h, w, bins)
        and bins.shape[0] <= w.shape[0]
        and npr.within(bins, h.shape[0])
    ):
        with np.errstate(all="ignore"):
            mask = w[:bins.shape[0]] > least
            np.add.at(h, bins[mask], w[:bins.shape[0]][mask])
    else:
        for i in range(len(bins)):
            if w[i] > least:
                h[bins[i]] += w[i]
    return h


def cases():
    bins = np.array([0, 3, 3, 1, -1, 3])
    yield "histogram", (bins, 4)
    yield "histogram", (bins[:0], 4)
    yield "histogram", (bins[:0], 0)
    yield "histogram", (bins, 3), IndexError
    yield "weighted", (bins, np.array([1.0, np.nan, 3.0, -1.0, 0.5, 2.0]), 0.0, np.zeros(4))
    yield "weighted", (bins, np.array([1.0, 2.0]), 0.0, np.zeros(4)), IndexError
