"""The Mandelbrot and Julia kernels give the bits of the same iteration in NumPy, in real arithmetic.

NumPy's complex product may use fused multiply-adds, its real operations do not: so the comparison is bit for
bit with the parts apart, and with the example programs only as close as rounding lets escape times be.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Array = NDArray[Any]


def iterate(
    z: tuple[Array, Array], c: tuple[Array, Array], maxiter: int, horizon: Any
) -> tuple[Array, Array, Array]:
    """Both parts of the last iterates, and the last iteration inside, by real operations."""
    (re, im), (c_re, c_im) = z, c
    last = np.zeros(re.shape, dtype=np.int64)
    fast = horizon > 0 and 1e-10 < horizon < 1e10
    for n in range(maxiter):
        inside = re * re + im * im < horizon * horizon if fast else np.hypot(re, im) < horizon
        last[inside] = n
        re, im = (
            np.where(inside, re * re - im * im + c_re, re),
            np.where(inside, 2 * re * im + c_im, im),
        )
    return re, im, last


def axes(real: np.dtype[Any], rows: int, columns: int) -> tuple[Array, Array]:
    return np.linspace(-2.25, 0.75, columns, dtype=real), np.linspace(-1.25, 1.25, rows, dtype=real)


def plane(x: Array, y: Array) -> tuple[Array, Array]:
    re, im = np.meshgrid(x, y)
    return re, im


def assert_same_bits(z: Array, re: Array, im: Array) -> None:
    assert z.dtype == np.result_type(re.dtype, np.complex64)
    np.testing.assert_array_equal(z.real, re)
    np.testing.assert_array_equal(z.imag, im)


HORIZONS = [2.0, 2.0**40, 3, 1e30, 1e-30, 0.0, -1.0, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("maxiter", [0, 1, 2, 77])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_mandelbrot(kernels: ModuleType, real: np.dtype[Any], maxiter: int, horizon: float) -> None:
    x, y = axes(real, 33, 71)
    c = plane(x, y)
    zero = np.zeros_like(c[0])
    re, im, last = iterate((zero, zero), c, maxiter, real.type(horizon))
    z, n = kernels.mandelbrot(x, y, maxiter, horizon)
    assert_same_bits(z, re, im)
    last[last == maxiter - 1] = 0
    assert n.dtype == np.int64
    np.testing.assert_array_equal(n, last)


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("c", [-0.8 + 0.156j, 0, 1, -0.5j])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_julia(kernels: ModuleType, real: np.dtype[Any], c: complex, horizon: float) -> None:
    x, y = axes(real, 31, 65)
    z_re, z_im = plane(x, y)
    constant = np.full_like(z_re, complex(c).real), np.full_like(z_re, complex(c).imag)
    re, im, last = iterate((z_re, z_im), constant, 60, real.type(horizon))
    z, n = kernels.julia(x, y, c, 60, horizon)
    assert_same_bits(z, re, im)
    np.testing.assert_array_equal(n, last)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (1, 33), (64, 64)])
def test_shapes(kernels: ModuleType, real: np.dtype[Any], shape: tuple[int, int]) -> None:
    x, y = axes(real, *shape)
    for z, n in (kernels.mandelbrot(x, y, 5, 2.0), kernels.julia(x, y, 1j, 5, 2.0)):
        assert z.shape == n.shape == shape


def test_a_point_that_starts_as_nan_stays(kernels: ModuleType, real: np.dtype[Any]) -> None:
    z, n = kernels.julia(np.array([np.nan, 0], real), np.zeros(1, real), 0.25, 9, 2.0)
    assert np.isnan(z[0, 0])
    assert n.tolist() == [[0, 8]]


def program(name: str) -> ModuleType:
    path = EXAMPLES / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VIEW = (-2.25, 0.75, -1.25, 1.25, 150, 121)


def assert_as_close_as_rounding_lets(z: Array, n: Array, Z: Array, N: Array) -> None:
    """Escape times differ on at most one point in a thousand: at the edge of the set rounding decides them.

    Errors grow with every iteration, so of the iterates the median is judged: within 100 units of the last
    place.
    """
    assert (z.dtype, z.shape, n.dtype, n.shape) == (Z.dtype, Z.shape, N.dtype, N.shape)
    agree = n == N
    assert np.count_nonzero(~agree) <= n.size / 1000
    error = np.abs(z - Z)[agree] / np.maximum(np.abs(Z[agree]), 1)
    assert np.median(error) <= 100 * np.finfo(Z.dtype).eps


@pytest.mark.parametrize(("name", "real"), [("mandelbrot", "float32"), ("mandelbrot_double", "float64")])
def test_the_example_programs(kernels: ModuleType, name: str, real: str) -> None:
    Z, N = program(name).mandelbrot(*VIEW, 60, 2.0**40)
    x, y = (np.linspace(*ends, dtype=real) for ends in ((-2.25, 0.75, 150), (-1.25, 1.25, 121)))
    assert_as_close_as_rounding_lets(*kernels.mandelbrot(x, y, 60, 2.0**40), Z, N)


def test_the_julia_program(kernels: ModuleType) -> None:
    Z, N = program("julia").julia(120, 1.6, 60)
    x = np.linspace(-1.6, 1.6, 120)
    assert_as_close_as_rounding_lets(*kernels.julia(x, x, -0.8 + 0.156j, 60, 2.0), Z, N)
