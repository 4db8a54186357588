"""The number goes to the smallest array, where nothing overflows on the way."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def scaled(alpha: float, A: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    return npr.matrix_product(A, x, scale=alpha)


def divided(A: npt.NDArray[np.float64], x: npt.NDArray[np.float64], n: int):
    return npr.matrix_product(A, x, divisor=n) + npr.matrix_product(A, x, scale=n)


def gram(A: npt.NDArray[np.float64]):
    return npr.matrix_product(A.T, A, scale=0.5)


def negative(n):
    A, x = np.arange(float(n * n)).reshape(n, n), np.linspace(-1.0, 1.0, n)
    return -(A @ x)


def inside(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    return npr.matrix_product(A, npr.matrix_product(A, B, x, scale=0.5, scaled=2), scale=2.0)


def cases():
    rng = np.random.default_rng(1)
    A, B, x = rng.standard_normal((150, 200)), rng.standard_normal((200, 200)), rng.standard_normal(200)
    for alpha in (2.5, 0.0, -1e-3):
        yield "scaled", (alpha, A, x)
    # The scaled matrix overflows, the scaled vector would not.
    yield "scaled", (1e200, A * 1e150, x * 1e-300)
    yield "scaled", (1e-200, A * 1e-150, x * 1e200)
    yield "scaled", (0.0, np.where(A > 2.0, np.inf, A), x)
    yield "scaled", (2.0, np.where(A > 2.0, np.nan, A), x)
    yield "scaled", (A, A.T[:150, :150], x[:150]), ValueError
    yield "scaled", (A[:, 0], A.T, A[:, 0])
    yield "scaled", (A[0], A, x)
    yield "scaled", (np.float64(2.0), A.astype(np.float32), x.astype(np.float32))
    yield "scaled", (3.0, np.asmatrix(A), x.reshape(-1, 1))
    yield "scaled", (3.0, A[::2, ::-1], x)
    yield "scaled", (2.0, A, x[1:]), ValueError
    yield "scaled", (2.0, np.zeros((150, 0)), np.zeros(0))
    rows = A.copy()
    rows[3] = 0.0
    yield "scaled", (2.0, rows, x)
    yield "scaled", (2.0, A, np.zeros(200))
    for n in (7, 0):
        yield "divided", (A, x, n)
    yield "gram", (rng.standard_normal((3000, 40)),)
    yield "negative", (40,)
    yield "inside", (B, B, x)
