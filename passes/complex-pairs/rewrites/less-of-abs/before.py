"""The mask written as np.less(abs(Z), horizon), with the builtin abs."""

import numpy as np
import numpy.typing as npt


def escape(C: npt.NDArray[np.complex64], maxiter: int, horizon: float):
    Z = np.zeros_like(C)
    N = np.zeros(C.shape, dtype=np.int64)
    for n in range(maxiter):
        I = np.less(abs(Z), horizon)
        N[I] = n
        Z[I] = np.add(np.square(Z[I]), C[I])
    return Z, N


def plane(width: int, height: int):
    x = np.linspace(-2, 0.5, width, dtype=np.float32)
    y = np.linspace(-1, 1, height, dtype=np.float32)
    return x + 1j * y[:, None]


def cases():
    for maxiter in (40, 9, 8, 1, 0):
        yield "escape", (plane(20, 11), maxiter, 4.0)
    yield "escape", (plane(20, 11)[::-1, ::2], 40, 4.0)
    yield "escape", (plane(20, 11).T, 40, 4.0)
    yield "escape", (plane(20, 11).astype(np.complex128), 9, 4.0)
    yield "escape", (plane(20, 11).real, 9, 4.0)
    yield "escape", (plane(1, 1), 9, 4.0)
    yield "escape", (np.complex64([np.inf, np.nan, complex(np.nan, -np.inf), 1e30, 1e-30]), 9, 4.0)
