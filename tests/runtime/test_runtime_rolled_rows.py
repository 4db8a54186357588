"""Rolled rows that costly code reads: vectors in the compiled code, and NumPy's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")


def compiled(function: Callable[..., Any], *arrays: Any) -> tuple[Any, str]:
    """What the compiled function gives, and its text."""
    from torch._inductor.utils import run_and_get_code

    from nprewrite.runtime.torch.graph import WHOLE_OPTIONS

    def step(*tensors: Any) -> Any:
        return torch.as_tensor(function(*[each.numpy() for each in tensors]))

    torch._dynamo.reset()
    made = torch.compile(step, fullgraph=True, options=WHOLE_OPTIONS)
    result, codes = run_and_get_code(made, *map(torch.from_numpy, arrays))
    return result.numpy(), "\n".join(codes)


def costly(x: Any, y: Any) -> Any:
    """Five divisions and roots of each element."""
    return np.sqrt(x / y) + np.sqrt(y / x) / (1 + x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "both sides": lambda u, v: costly(np.roll(u, 1, axis=1), v) + np.roll(u, -1, axis=1) / (1 + v),
    "some places": lambda u, v: costly(np.roll(u, 3, axis=1), np.roll(u, -2, axis=-1)),
    "two parameters": lambda u, v: costly(np.roll(u, 1, 1), np.roll(v, -1, 1)) / (1 + np.roll(v, 2, 1)),
    "both axes": lambda u, v: costly(np.roll(u, (1, -1), axis=(0, 1)), v) / (1 + np.roll(u, 1, 0)),
    "costly rows": lambda u, v: costly(u, v) - np.roll(costly(u, v), 1, axis=1),
    "one axis": lambda u, v: costly(np.roll(u[3], 1), v[2]) / np.roll(v[3], -1),
    "three axes": lambda u, v: costly(np.roll(u[None], 1, axis=2), v) / np.roll(v[None], -1, axis=0),
    "few elements": lambda u, v: costly(np.roll(u[:, :3], 1, axis=1), v[:, :3]) / np.roll(v[:, :3], 2, 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_are_numpys(name: str, dtype: Any) -> None:
    u, v = np.random.default_rng(3).uniform(1, 2, (2, 12, 40)).astype(dtype)
    u[2, 0], v[5, -1] = np.nan, np.inf
    expected = FUNCTIONS[name](u, v)
    result, _ = compiled(FUNCTIONS[name], u, v)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=1e-6 if dtype == np.float32 else 1e-14)


def test_costly_code_reads_rows_in_vectors() -> None:
    u, v = np.random.default_rng(3).uniform(1, 2, (2, 64, 64))
    _, code = compiled(FUNCTIONS["both sides"], u, v)
    assert "% static_cast<int64_t>(64L)" not in code
    assert ".sqrt()" in code


def test_cheap_code_reads_the_rows_themselves() -> None:
    u, v = np.random.default_rng(3).uniform(1, 2, (2, 64, 64))
    _, code = compiled(lambda u, v: np.roll(u, 1, axis=1) - 2 * u + v, u, v)
    assert "% static_cast<int64_t>(64L)" in code
