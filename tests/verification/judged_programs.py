"""Programs before and after: right rewrites, and wrong ones that are nearly right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def escape(size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64") -> tuple[Array, Array]:
    x = np.linspace(-2.0, 1.0, size, dtype="float32")
    c = x + x[:, None] * 1j
    n = np.zeros(c.shape, dtype="int")
    z = np.zeros(c.shape, dtype=dtype)
    for k in range(maxiter):
        inside = np.abs(z) < horizon
        n[inside] = k
        z[inside] = z[inside] ** 2 + c[inside]
    return z, n


def _escape_in_parts(
    size: int, maxiter: int, horizon: float, dtype: str, keep: float = 1.0, or_equal: bool = False
) -> tuple[Array, Array]:
    x = np.linspace(-2.0, 1.0, size, dtype="float32")
    c = x + x[:, None] * 1j
    n = np.zeros(c.shape, dtype="int")
    z = np.zeros(c.shape, dtype=dtype)
    re, im, c_re, c_im = z.real.copy(), z.imag.copy(), c.real.copy(), c.imag.copy() * keep
    for k in range(maxiter):
        square = re * re + im * im
        inside = square <= horizon**2 if or_equal else square < horizon**2
        n = np.where(inside, k, n)
        re, im = (
            np.where(inside, re * re - im * im + c_re, re),
            np.where(inside, re * im + im * re + c_im, im),
        )
    z.real, z.imag = re, im
    return z, n


def escape_in_parts(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    return _escape_in_parts(size, maxiter, horizon, dtype)


def escape_without_imaginary_part(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    return _escape_in_parts(size, maxiter, horizon, dtype, keep=0.0)


def escape_at_horizon(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    return _escape_in_parts(size, maxiter, horizon, dtype, or_equal=True)


def escape_one_less(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    return _escape_in_parts(size, maxiter - 1, horizon, dtype)


def escape_one_element(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    z, n = _escape_in_parts(size, maxiter, horizon, dtype)
    z[size // 2, 0] += 1e-4
    return z, n


def escape_one_count(
    size: int, maxiter: int, horizon: float = 2.0, dtype: str = "complex64"
) -> tuple[Array, Array]:
    z, n = _escape_in_parts(size, maxiter, horizon, dtype)
    n[0, 0] += 1
    return z, n


def logistic(size: int, trips: int, bound: float = 1e3) -> tuple[Array, Array]:
    r = np.linspace(2.5, 4.2, size)
    x = np.full(size, 0.3)
    n = np.zeros(size, dtype=int)
    for k in range(trips):
        bounded = np.abs(x) < bound
        x[bounded] = r[bounded] * x[bounded] * (1 - x[bounded])
        n[bounded] = k
    return x, n


def logistic_expanded(size: int, trips: int, bound: float = 1e3) -> tuple[Array, Array]:
    r = np.linspace(2.5, 4.2, size)
    x = np.full(size, 0.3)
    n = np.zeros(size, dtype=int)
    for k in range(trips):
        bounded = np.abs(x) < bound
        x = np.where(bounded, r * (x - x * x), x)
        n = np.where(bounded, k, n)
    return x, n


def logistic_swapped(size: int, trips: int, bound: float = 1e3) -> tuple[Array, Array]:
    r = np.linspace(2.5, 4.2, size)
    x = np.full(size, 0.3)
    n = np.zeros(size, dtype=int)
    for k in range(trips):
        bounded = np.abs(x) < bound
        x = np.where(bounded, r * x * (x - 1), x)
        n = np.where(bounded, k, n)
    return x, n


def sums(x: Array) -> tuple[Any, ...]:
    return x.sum(), np.mean(x), x @ x, np.cumsum(x), x.sum(axis=-1, keepdims=True)


def sums_in_order(x: Array) -> tuple[Any, ...]:
    total = np.float64(0)
    squares = np.float64(0)
    running = np.empty_like(x)
    for k, value in enumerate(x):
        total += value
        squares += value * value
        running[k] = total
    return total, total / len(x), squares, running, np.array([total])


def sums_missing_last(x: Array) -> tuple[Any, ...]:
    y = x[:-1]
    return y.sum(), np.mean(y), y @ y, np.cumsum(x), y.sum(axis=-1, keepdims=True)


def quotient(x: Array, y: Array) -> Array:
    return (x + y) / (x - y)


def quotient_by_inverse(x: Array, y: Array) -> Array:
    return (1 / (x - y)) * (x + y)


def quotient_apart(x: Array, y: Array) -> Array:
    """The same function, but where x is nearly -y the sum loses digits that ``quotient`` keeps."""
    return x / (x - y) + y / (x - y)


def steps(x: Array) -> Array:
    return x <= 0.1


def steps_strict(x: Array) -> Array:
    return x < 0.1


def heat(u: Array, trips: int) -> Array:
    for _ in range(trips):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def heat_grouped(u: Array, trips: int) -> Array:
    for _ in range(trips):
        u[1:-1] = 0.8 * u[1:-1] + 0.1 * (u[2:] + u[:-2])
    return u


def heat_short(u: Array, trips: int) -> Array:
    for _ in range(trips):
        u[1:-2] = 0.8 * u[1:-2] + 0.1 * (u[2:-1] + u[:-3])
    return u


def root(a: Array) -> Array:
    return np.sqrt(a) if a.size else a


def solve(a: Array, b: Array) -> Array:
    return np.linalg.solve(a, b)


def solve_by_inverse(a: Array, b: Array) -> Array:
    return np.linalg.inv(a) @ b


def solve_wrong(a: Array, b: Array) -> Array:
    return np.linalg.solve(a.T, b)


def norm_by_math(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


def norm_by_hypot(x: float, y: float) -> float:
    return float(np.hypot(x, y))


def spread(x: Array) -> tuple[Any, Any]:
    return x.std(axis=0), np.var(x)


def spread_by_updating(x: Array) -> tuple[Any, Any]:
    """Welford's recurrence, which loses more digits than two passes where the mean is large."""
    return np.sqrt(_welford(x)), _welford(x.ravel())


def spread_corrected(x: Array) -> tuple[Any, Any]:
    return x.std(axis=0, ddof=1), np.var(x)


def _welford(x: Array) -> Any:
    mean, squares = x[0] * 0, x[0] * 0
    for k, row in enumerate(x, start=1):
        step = row - mean
        mean = mean + step / x.dtype.type(k)
        squares = squares + step * (row - mean)
    return squares / x.dtype.type(len(x))


def squares(z: Array) -> Array:
    for _ in range(3):
        z = z * z
    return z.imag.copy()


def squares_in_parts(z: Array) -> Array:
    re, im = z.real.copy(), z.imag.copy()
    for _ in range(3):
        re, im = re * re - im * im, re * im + im * re
    return im


def squares_held(z: Array) -> Array:
    """An overflow becomes the largest number."""
    return np.nan_to_num(squares(z))
