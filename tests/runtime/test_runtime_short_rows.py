"""Sums along a short last axis: columns in the compiled code, and NumPy's values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("length", [2, 9, 16, 17, 40])
@pytest.mark.parametrize("name", ["sum", "mean", "max"])
def test_short_rows_are_summed_column_by_column(length: int, name: str) -> None:
    from torch._inductor.utils import run_and_get_code

    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    def step(tensor: Any) -> Any:
        return torch.as_tensor(getattr(np, name)(tensor.numpy() * 2, axis=1))

    x = np.random.default_rng(length).normal(size=(500, length))
    x[3, 1] = np.nan
    made = torch.compile(step, fullgraph=True, options=WHOLE_OPTIONS)
    result, codes = run_and_get_code(made, torch.from_numpy(x))
    np.testing.assert_allclose(result.numpy(), getattr(np, name)(x * 2, axis=1), rtol=1e-13)
    loops = "\n".join(codes).count("for(int64_t x1")
    assert loops == (0 if length < 17 else 1)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("length", [1000, 200_000])
def test_sums_of_bytes_are_numpys(dtype: Any, length: int) -> None:
    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    def step(tensor: Any) -> Any:
        x = tensor.numpy()
        rows = x.reshape(10, -1)
        sums = [np.sum(x, dtype=dtype), np.sum(x * x, dtype=dtype), np.sum(rows, axis=1, dtype=dtype)]
        return [torch.as_tensor(each) for each in sums]

    x = np.random.default_rng(length).integers(0, 255, length).astype(dtype)
    made = torch.compile(step, fullgraph=True, options=WHOLE_OPTIONS)
    expected = [np.asarray(each) for each in step(torch.from_numpy(x))]
    for after, before in zip(made(torch.from_numpy(x)), expected, strict=True):
        assert after.numpy().dtype == before.dtype
        np.testing.assert_array_equal(after.numpy(), before)


@pytest.mark.parametrize(
    "make", [np.full, lambda length, high, dtype: np.linspace(0, high, length, dtype=dtype)]
)
def test_sums_of_short_floats_are_as_near_as_numpys(make: Any) -> None:
    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    def step(tensor: Any) -> Any:
        x = tensor.numpy()
        rows = x.reshape(10, -1)
        several = [
            x.sum(),
            x.mean(),
            (x * x).sum(),
            np.linalg.norm(x),
            rows.mean(axis=1),
            np.abs(rows).sum(axis=1),
        ]
        return [torch.as_tensor(each) for each in several]

    x = make(400_000, 1.99, dtype=np.float32)
    made = torch.compile(step, fullgraph=True, options=WHOLE_OPTIONS)
    exact = [each.numpy() for each in step(torch.from_numpy(x.astype(np.float64)))]
    for after, number in zip(made(torch.from_numpy(x)), exact, strict=True):
        assert after.numpy().dtype == np.float32
        np.testing.assert_allclose(after.numpy(), number, rtol=2e-7)
