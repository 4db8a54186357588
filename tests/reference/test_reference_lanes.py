"""The elementwise kernels are NumPy's operations, bit for bit."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

SHAPES = [(), (0,), (1,), (50_000,), (3, 5, 7)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
def test_masked_store(kernels: ModuleType, dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    target, values = (np.asarray(100 * rng.standard_normal(shape)).astype(dtype) for _ in range(2))
    mask = np.asarray(rng.random(shape) < 0.5)
    wanted = target.copy()
    wanted[mask] = values[mask]
    kept = target.copy()
    stored = kernels.masked_store(target, mask, values)
    assert stored.dtype == target.dtype
    np.testing.assert_array_equal(stored, wanted)
    np.testing.assert_array_equal(target, kept)


def test_a_mask_of_other_bytes(kernels: ModuleType) -> None:
    """A view of bytes as bool may hold more than 0 and 1; all but 0 are true, as in NumPy."""
    mask = np.array([0, 1, 2, 255], np.uint8).view(bool)
    stored = kernels.masked_store(np.zeros(4), mask, np.ones(4))
    assert stored.tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_complex_multiply_add(
    kernels: ModuleType, random: Any, real: np.dtype[Any], shape: tuple[int, ...]
) -> None:
    """Against the parts apart: NumPy's own complex product may be fused."""
    a, b, c = (np.asarray(random(*shape) + 1j * random(*shape), np.result_type(real, "c8")) for _ in range(3))
    result = kernels.complex_multiply_add(a, b, c)
    assert (result.dtype, result.shape) == (a.dtype, shape)
    np.testing.assert_array_equal(result.real, a.real * b.real - a.imag * b.imag + c.real)
    np.testing.assert_array_equal(result.imag, a.real * b.imag + a.imag * b.real + c.imag)


def test_the_product_of_the_textbook(kernels: ModuleType, real: np.dtype[Any]) -> None:
    """inf * 1j has a nan for a real part, in NumPy and here."""
    a, b = np.array([np.inf], np.result_type(real, "c8")), np.array([1j], np.result_type(real, "c8"))
    result = kernels.complex_multiply_add(a, b, np.zeros_like(a))
    assert np.isnan(result.real[0])
    assert result.imag[0] == np.inf
