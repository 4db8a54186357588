"""The programs of the four documents that this project starts from: the same operations, order and sizes.

1. The tutorial for torch.compile on the Mandelbrot program of N. P. Rougier's "From Python to Numpy", steps 1
   to 3; step 4 is ``seed_last_version``.
2. E. Burovski, R. Gommers and M. Lezcano, "Compiling NumPy code into C++ or CUDA via torch.compile".
3. "Torch compile" (The ML Surgeon, 2024).
4. A. Srinivasan, "Build You a NumPy: From Dot-Products to Machine Code" (2022).
"""

from typing import Any

import numpy as np
from seed_last_version import abs2, sq2


def masked_step(n, C, Z, N, horizon):
    """Document 1, step 1: stores through a mask."""
    I = np.abs(Z) < horizon
    N[I] = n
    Z[I] = Z[I] ** 2 + C[I]
    return Z, N


def selecting_step(n, C, Z, N, horizon):
    """Document 1, step 2: selects in place of masks, numbers still complex."""
    I = np.abs(Z) < horizon
    N = np.where(I, n, N)
    Z = np.where(I, Z**2 + C, Z)
    return Z, N


def paired_step(n, c, Z, N, horizon):
    """Document 1, step 3: real numbers with a trailing axis of 2."""
    I = abs2(Z) < horizon**2
    N = np.where(I, n, N)
    Z = np.where(I[..., None], sq2(Z) + c, Z)
    return Z, N


def plane(view, *, paired):
    """The points, iterates and escape times that the steps start from."""
    x = np.linspace(view.xmin, view.xmax, view.xn, dtype="float32")
    y = np.linspace(view.ymin, view.ymax, view.yn, dtype="float32")
    if paired:
        c = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)
        return c, np.zeros_like(c), np.zeros(c.shape[:-1], dtype="int")
    C = x + y[:, None] * 1j
    return C, np.zeros(C.shape, dtype="complex64"), np.zeros(C.shape, dtype="int")


def iterate(step, view, *, paired):
    """Run a step ``view.maxiter`` times, the counter being a Python int."""
    C, Z, N = plane(view, paired=paired)
    for n in range(view.maxiter):
        Z, N = step(n, C, Z, N, view.horizon)
    return Z, np.where(N == view.maxiter - 1, 0, N)


def kmeans(X, means):
    """Document 2: to which of the means each point is nearest."""
    return np.argmin(np.linalg.norm(X - means[:, None], axis=2), axis=0)


def blobs(npts: int) -> tuple[Any, Any]:
    """Document 2: two blobs of so many points, and their means."""
    X = np.repeat([[5, 5], [10, 10]], [npts, npts], axis=0)
    X = X + np.random.default_rng(0).standard_normal(X.shape)
    return X, np.array([[5, 5], [10, 10]])


def softmax(x, y):
    """Document 3: the softmax over the rows of a matrix product, in NumPy."""
    z = x @ y
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def set_ones(x, N):
    """Document 4, data locality: each element by itself."""
    for i in range(N):
        x[i] = 1
    return x


def set_ones_at_once(x, N):
    """Document 4, data locality: one store."""
    x[:N] = 1
    return x


def matrix_sum(M):
    """Document 4: the sum of a matrix, element by element."""
    total = 0.0
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            total += M[i, j]
    return total


def naive_rate(u, omega, K):
    """Document 4: the right-hand side of the Kuramoto model on a lattice, cell by cell."""
    N = u.shape[0]
    dudt = omega.copy()
    for row in range(N):
        for col in range(N):
            if row > 0:
                dudt[row, col] += K * np.sin(u[row - 1, col] - u[row, col])
            if row < N - 1:
                dudt[row, col] += K * np.sin(u[row + 1, col] - u[row, col])
            if col > 0:
                dudt[row, col] += K * np.sin(u[row, col - 1] - u[row, col])
            if col < N - 1:
                dudt[row, col] += K * np.sin(u[row, col + 1] - u[row, col])
    return dudt


def rate(u, omega, K):
    """Document 4: the same in slices."""
    dudt = omega.copy()
    dudx_right = u[:, 1:] - u[:, :-1]
    dudy_down = u[1:, :] - u[:-1, :]
    dudt[:, :-1] += K * np.sin(dudx_right)
    dudt[:, 1:] += K * np.sin(-dudx_right)
    dudt[:-1, :] += K * np.sin(dudy_down)
    dudt[1:, :] += K * np.sin(-dudy_down)
    return dudt


def linear_rate(u, omega, K):
    """Document 4, just for fun: x for sin(x)."""
    dudt = omega.copy()
    dudx_right = u[:, 1:] - u[:, :-1]
    dudy_down = u[1:, :] - u[:-1, :]
    dudt[:, :-1] += K * dudx_right
    dudt[:, 1:] -= K * dudx_right
    dudt[:-1, :] += K * dudy_down
    dudt[1:, :] -= K * dudy_down
    return dudt


def integrate(u, omega, K, dt, steps):
    """Euler's method with the right-hand side in slices."""
    for _ in range(steps):
        u = u + dt * rate(u, omega, K)
    return u


def integrate_linear(u, omega, K, dt, steps):
    """Euler's method with the linear right-hand side."""
    for _ in range(steps):
        u = u + dt * linear_rate(u, omega, K)
    return u


def integrate_with(kernel, u, omega, K, dt, steps):
    """Euler's method with a right-hand side from elsewhere."""
    for _ in range(steps):
        u = u + dt * kernel(u, omega, K)
    return u


def oscillators(N: int, dtype: str = "float64") -> tuple[Any, ...]:
    """Phases and intrinsic frequencies of a lattice of N x N."""
    rng = np.random.default_rng(0)
    return tuple(rng.uniform(0, 2 * np.pi, size=(N, N)).astype(dtype) for _ in range(2))
