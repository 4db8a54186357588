"""What is not as expected is refused with the argument's name, what was expected and what came."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

X = np.linspace(-2, 1, 6, dtype=np.float32)
U = np.ones((3, 4))
C = np.ones(3, np.complex64)
POINTS = np.ones((3, 2))
LABELS = np.zeros(3, np.int64)

READ_ONLY = U.copy()
READ_ONLY.flags.writeable = False
MISALIGNED = np.zeros(8 * 4 + 1, np.uint8)[1:].view(np.float64)

REFUSED = [
    ("mandelbrot", ([1.0], X, 5, 2.0), TypeError, "argument 'x' must be a numpy.ndarray, got list"),
    ("mandelbrot", (X, None, 5, 2.0), TypeError, "argument 'y' must be a numpy.ndarray, got NoneType"),
    (
        "mandelbrot",
        (np.ma.array(X), X, 5, 2.0),
        TypeError,
        "argument 'x' must be a numpy.ndarray, got numpy.ma.MaskedArray",
    ),
    (
        "mandelbrot",
        (X.astype(int), X, 5, 2.0),
        TypeError,
        "argument 'x' must be of dtype float32 or float64, got int64",
    ),
    (
        "mandelbrot",
        (X.astype(">f4"), X, 5, 2.0),
        TypeError,
        "argument 'x' must be of dtype float32 or float64, got >f4",
    ),
    (
        "mandelbrot",
        (X, X.astype("f8"), 5, 2.0),
        TypeError,
        "argument 'y' must be of dtype float32, got float64",
    ),
    (
        "mandelbrot",
        (X[:, None], X, 5, 2.0),
        ValueError,
        "argument 'x' must be an array of 1 dimension, got shape (6, 1)",
    ),
    (
        "mandelbrot",
        (X, X[::2], 5, 2.0),
        ValueError,
        "argument 'y' must be C-contiguous and aligned, got shape (3,) with strides (8,); pass a copy of it",
    ),
    ("mandelbrot", (X, X, 5.0, 2.0), TypeError, "argument 'maxiter' must be an int, got float"),
    ("mandelbrot", (X, X, True, 2.0), TypeError, "argument 'maxiter' must be an int, got bool"),
    ("mandelbrot", (X, X, -1, 2.0), ValueError, "argument 'maxiter' must be from 0 to 2147483647, got -1"),
    (
        "mandelbrot",
        (X, X, 2**31, 2.0),
        ValueError,
        "argument 'maxiter' must be from 0 to 2147483647, got 2147483648",
    ),
    (
        "mandelbrot",
        (X, X, 2**70, 2.0),
        ValueError,
        "argument 'maxiter' must be from 0 to 2147483647, got 1180591620717411303424",
    ),
    (
        "mandelbrot",
        (X, X, 5, np.float64(2)),
        TypeError,
        "argument 'horizon' must be an int, a float or a numpy.float32, got numpy.float64",
    ),
    (
        "mandelbrot",
        (X, X, 5, False),
        TypeError,
        "argument 'horizon' must be an int, a float or a numpy.float32, got bool",
    ),
    (
        "mandelbrot",
        (X, X, 5, 1e39),
        ValueError,
        "argument 'horizon' must be in the range of float32, got 1e+39",
    ),
    (
        "mandelbrot",
        (X, X, 5, 10**400),
        ValueError,
        "argument 'horizon' must be in the range of float32, got an int beyond it",
    ),
    (
        "julia",
        (X, X, "i", 5, 2.0),
        TypeError,
        "argument 'c' must be an int, a float, a complex or a numpy.complex64, got str",
    ),
    (
        "julia",
        (X, X, np.complex128(1), 5, 2.0),
        TypeError,
        "argument 'c' must be an int, a float, a complex or a numpy.complex64, got numpy.complex128",
    ),
    (
        "julia",
        (X, X, 1e39j, 5, 2.0),
        ValueError,
        "argument 'c' must be in the range of complex64, got 1e+39j",
    ),
    (
        "kmeans_assign",
        (POINTS, np.ones((2, 3))),
        ValueError,
        "argument 'means' must be of shape (2, 2), got shape (2, 3)",
    ),
    (
        "kmeans_assign",
        (POINTS, np.ones((2, 2), int)),
        TypeError,
        "argument 'means' must be of dtype float64, got int64",
    ),
    (
        "kmeans_assign",
        (POINTS, np.ones((0, 2))),
        ValueError,
        "argument 'means' must have at least one row, got none",
    ),
    (
        "kmeans_update",
        (POINTS, LABELS[:2].copy(), 1),
        ValueError,
        "argument 'labels' must be of shape (3,), got shape (2,)",
    ),
    (
        "kmeans_update",
        (POINTS, LABELS.astype(np.int32), 1),
        TypeError,
        "argument 'labels' must be of dtype int64, got int32",
    ),
    (
        "kmeans_update",
        (POINTS, np.array([0, 2, -1]), 2),
        ValueError,
        "argument 'labels' must hold labels from 0 to 1 (clusters - 1), got 2 at 1",
    ),
    ("kmeans_update", (POINTS, LABELS, 1.0), TypeError, "argument 'clusters' must be an int, got float"),
    (
        "kuramoto",
        (U, U.T.copy(), 1.0),
        ValueError,
        "argument 'omega' must be of shape (3, 4), got shape (4, 3)",
    ),
    (
        "kuramoto",
        (U, U.astype("f4"), 1.0),
        TypeError,
        "argument 'omega' must be float64 like 'theta', got float32",
    ),
    (
        "kuramoto_small_angle",
        (U, U, "1"),
        TypeError,
        "argument 'coupling' must be an int, a float or a numpy.float64, got str",
    ),
    (
        "jacobi_step",
        (np.asfortranarray(U),),
        ValueError,
        "argument 'u' must be C-contiguous and aligned, "
        "got shape (3, 4) with strides (8, 24); pass a copy of it",
    ),
    (
        "matrix_sum",
        (MISALIGNED.reshape(2, 2),),
        ValueError,
        "argument 'matrix' must be C-contiguous and aligned, "
        "got shape (2, 2) with strides (16, 8); pass a copy of it",
    ),
    (
        "matrix_sum",
        (U.astype("f2"),),
        TypeError,
        "argument 'matrix' must be of dtype float32 or float64, got float16",
    ),
    (
        "masked_store",
        (U, np.ones((3, 4), np.uint8), U),
        TypeError,
        "argument 'mask' must be of dtype bool, got uint8",
    ),
    (
        "masked_store",
        (U, np.ones(4, bool), U),
        ValueError,
        "argument 'mask' must be of shape (3, 4), got shape (4,)",
    ),
    (
        "masked_store",
        (U, U > 0, U[:1].copy()),
        ValueError,
        "argument 'values' must be of shape (3, 4), got shape (1, 4)",
    ),
    (
        "masked_store",
        (U > 0, U > 0, U > 0),
        TypeError,
        "argument 'target' must be of dtype float32, float64, complex64, complex128 or int64, got bool",
    ),
    (
        "complex_multiply_add",
        (U, U, U),
        TypeError,
        "argument 'a' must be of dtype complex64 or complex128, got float64",
    ),
    (
        "complex_multiply_add",
        (C, C, C.astype("c16")),
        TypeError,
        "argument 'c' must be complex64 like 'a', got complex128",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "error", "message"), REFUSED, ids=lambda value: None)
def test_refused(
    kernels: ModuleType, name: str, arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        getattr(kernels, name)(*arguments)
    assert str(caught.value) == message


def test_parallel_is_a_bool(kernels: ModuleType) -> None:
    with pytest.raises(TypeError, match="argument 'parallel' must be a bool, got int"):
        kernels.kuramoto(U, U, 1.0, parallel=1)


def test_numbers_that_are_taken(kernels: ModuleType) -> None:
    """Python's int and float, NumPy's integers and the scalar of the dtype: all the same value."""
    wanted = kernels.mandelbrot(X, X, 5, 2.0)
    for maxiter, horizon in ((np.int32(5), 2), (np.uint8(5), np.float32(2)), (5, 2)):
        got = kernels.mandelbrot(X, X, maxiter, horizon)
        assert all(np.array_equal(a, b) for a, b in zip(got, wanted, strict=True))
    double = X.astype("f8")
    kernels.mandelbrot(double, double, 5, np.float64(2))
    kernels.julia(X, X, np.complex64(1j), 5, 2.0)


def test_read_only_arrays_are_taken(kernels: ModuleType) -> None:
    assert kernels.matrix_sum(READ_ONLY) == 12


def test_results_are_new(kernels: ModuleType) -> None:
    result = kernels.jacobi_step(U)
    assert result.flags.owndata
    assert not np.shares_memory(result, U)
