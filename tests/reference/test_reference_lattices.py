"""The stencils and the sum against NumPy."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[Any]

SHAPES = [(0, 0), (0, 3), (1, 1), (1, 9), (9, 1), (2, 2), (37, 53), (3, 40_000)]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "examples" / "kuramoto.py"
    spec = importlib.util.spec_from_file_location("kuramoto", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_kuramoto(
    kernels: ModuleType, example: ModuleType, random: Any, real: np.dtype[Any], shape: tuple[int, int]
) -> None:
    """Operation for operation the program's, but for the sine: NumPy's may be 4 units of the last place off.

    Four terms K sin(x) then differ by 4 units each, and so may the four roundings of the sum.
    """
    theta, omega, K = 3 * random(*shape), random(*shape), 2.0
    rate = kernels.kuramoto(theta, omega, K)
    wanted = example.dudt(theta, omega, K)
    assert (rate.dtype, rate.shape) == (real, shape)
    eps = np.finfo(real).eps
    np.testing.assert_array_less(np.abs(rate - wanted), (4 * 4 * K + 4 * (np.abs(omega) + 4 * K)) * eps)


@pytest.mark.parametrize("name", ["kuramoto", "kuramoto_small_angle"])
def test_one_thread_gives_the_same_bits(kernels: ModuleType, random: Any, name: str) -> None:
    theta, omega = random(111, 222), random(111, 222)
    kernel = getattr(kernels, name)
    parallel, serial = kernel(theta, omega, 0.7), kernel(theta, omega, 0.7, parallel=False)
    assert parallel.tobytes() == serial.tobytes()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_small_angles(kernels: ModuleType, random: Any, real: np.dtype[Any], shape: tuple[int, int]) -> None:
    """Bit for bit: there is no sine in it."""
    theta, omega = random(*shape), random(*shape)
    wanted = omega.copy()
    right, down = theta[:, 1:] - theta[:, :-1], theta[1:] - theta[:-1]
    K = real.type(0.7)
    wanted[:, :-1] += K * right
    wanted[:, 1:] += K * -right
    wanted[:-1] += K * down
    wanted[1:] += K * -down
    np.testing.assert_array_equal(kernels.kuramoto_small_angle(theta, omega, 0.7), wanted)


def test_small_angles_are_an_approximation(kernels: ModuleType) -> None:
    """Its error is K |x|**3 / 6 for each of four neighbours, and not nothing."""
    rng = np.random.default_rng(3)
    theta = rng.uniform(0, 0.1, (50, 50))
    exact, approximate = (
        kernel(theta, theta, 2.0) for kernel in (kernels.kuramoto, kernels.kuramoto_small_angle)
    )
    error = np.abs(exact - approximate).max()
    assert 1e-5 < error <= 4 * 2.0 * 0.1**3 / 6


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_jacobi(kernels: ModuleType, random: Any, shape: tuple[int, int]) -> None:
    """Bit for bit, in the order above, below, left, right; a quarter is exact."""
    u = random(*shape)
    wanted = u.copy()
    wanted[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * np.float32(0.25)
    kept = u.copy()
    np.testing.assert_array_equal(kernels.jacobi_step(u), wanted)
    np.testing.assert_array_equal(u, kept)


@pytest.mark.parametrize("shape", [*SHAPES, (1000, 333)], ids=str)
def test_sum(kernels: ModuleType, random: Any, real: np.dtype[Any], shape: tuple[int, int]) -> None:
    """Rounded once, plus an error in the square of the unit; so NumPy's pairwise sum is allowed more."""
    matrix = random(*shape)
    exact, magnitude = math.fsum(matrix.ravel().tolist()), math.fsum(np.abs(matrix).ravel().tolist())
    eps = float(np.finfo(real).eps)
    result = kernels.matrix_sum(matrix)
    assert type(result) is float
    assert result == real.type(result)
    assert abs(result - exact) <= eps * abs(exact) + matrix.size * eps**2 * magnitude
    assert abs(result - matrix.sum()) <= 32 * eps * magnitude


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_sum_of_what_is_not_finite(kernels: ModuleType, random: Any, special: float) -> None:
    matrix = random(40, 1000)
    matrix[17, 5] = special
    np.testing.assert_equal(kernels.matrix_sum(matrix), special)
    matrix[30, 3] = -special
    assert np.isnan(kernels.matrix_sum(matrix))
