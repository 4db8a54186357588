"""Masks made with ~, &, |, ^ and NumPy's logical functions."""

import numpy as np
import numpy.typing as npt


def classify(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    big = x > 1.0
    bad = np.isnan(x)
    kind = np.zeros_like(x, dtype=np.int32)
    kind[...] = np.where(big & ~bad, 1, kind)
    kind[...] = np.where(~big & ~bad, 2, kind)
    kind[...] = np.where(big | bad, kind + 10, kind)
    kind[...] = np.where(big ^ bad, kind - 1, kind)
    kind[...] = np.where(np.logical_not(big), kind * 2, kind)
    kind[...] = np.where(np.logical_and(~bad, np.less(x, 0)), -5, kind)
    return kind


def cases():
    yield "classify", (np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 1.0]),)
    yield "classify", (np.arange(12.0).reshape(3, 4)[:, ::-1],)
    yield "classify", (np.zeros(0),)
    yield "classify", (2.0,)
    yield "classify", (np.full(4, np.nan),)
