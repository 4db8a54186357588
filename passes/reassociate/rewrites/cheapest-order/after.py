"""The order depends on the shapes, which are known at the call."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def chain(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], C: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    return npr.matrix_product(A, B, C, x)


def calls(n):
    A, B, x = np.ones((n, n)), np.eye(n), np.linspace(0.0, 1.0, n)
    return npr.matrix_product(A, B, x) + npr.matrix_product(A, B, x)


def cases():
    rng = np.random.default_rng(2)
    A, B, C = rng.random((90, 120)), rng.random((120, 70)), rng.random((70, 110))
    x = rng.random(110)
    yield "chain", (A, B, C, x)
    yield "chain", (A, B, C, rng.random((110, 3)))
    # Vectors have nothing to choose, and stacks of matrices broadcast.
    yield "chain", (A[0], B, C, x)
    yield "chain", (np.stack([A, A]), B, C, x)
    # The first product overflows in one order only.
    yield "chain", (A * 1e200, B * 1e200, C * 1e-200, x)
    yield "chain", (A, B * 1e-200, C * 1e-200, x * 1e200)
    yield "chain", (A, B, np.where(C > 0.9, np.nan, C), x)
    yield "chain", (A, C, B, x), ValueError
    yield "chain", (A.astype(np.float32), B.astype(np.float32), C.astype(np.float32), x)
    yield "calls", (60,)
