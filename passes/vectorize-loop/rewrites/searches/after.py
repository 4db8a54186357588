"""The first of the smallest elements that are no nan, and where it is."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def smallest(a: npt.NDArray[np.float64]):
    best = np.inf
    at = -1
    if npr.quiet() and npr.are_arrays(np.float64, 1, a) and a.shape[0] >= 1:
        with np.errstate(all="ignore"):
            candidates = a
            at_2 = np.argmin(np.where(np.isnan(candidates), np.inf, candidates))
            if candidates[at_2] < best:
                best = candidates[at_2]
                at = int(at_2)
    else:
        for i in range(len(a)):
            if a[i] < best:
                best = a[i]
                at = i
    return best, at


def largest(A: npt.NDArray[np.int64]):
    best = -1
    row, col = 0, 0
    if npr.quiet() and npr.are_arrays(np.int64, 2, A) and A.shape[0] >= 1 and A.shape[1] >= 1:
        with np.errstate(all="ignore"):
            candidates = A
            at_2 = np.unravel_index(np.argmax(candidates), candidates.shape)
            if candidates[at_2] > best:
                best = candidates[at_2]
                row = int(at_2[0])
                col = int(at_2[1])
    else:
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                if A[i, j] > best:
                    best = A[i, j]
                    row = i
                    col = j
    return best, row, col


def above(a: npt.NDArray[np.float64], limit: float):
    count = 0
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, a)
        and type(limit) is float
        and a.shape[0] >= 1
    ):
        with np.errstate(all="ignore"):
            mask = a > limit
            count = count + int(np.count_nonzero(mask))
    else:
        for i in range(len(a)):
            if a[i] > limit:
                count += 1
    return count


def cases():
    nan = np.nan
    rows = ([3.0, 1.0, 1.0, 2.0], [nan, 2.0, nan, 1.0], [nan, nan], [np.inf, nan], [np.inf], [], [0.0, -0.0])
    for row in rows:
        yield "smallest", (np.array(row),)
        yield "above", (np.array(row), 1.5)
    yield "largest", (np.array([[1, 5], [5, 2], [0, 5]]),)
    yield "largest", (np.array([[1]]),)
    yield "largest", (np.zeros((0, 2), dtype=np.int64),)
