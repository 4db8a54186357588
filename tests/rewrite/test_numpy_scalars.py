"""NumPy scalars beside arrays: those that a step takes promote in torch as in NumPy."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

from nprewrite.emit.steps.spec import promotes_alike

torch = pytest.importorskip("torch")

SCALARS = [np.int8(7), np.uint8(200), np.int32(-3), np.int64(2**53 + 1), np.float32(0.1), np.float64(0.1)]
ARRAYS = [np.linspace(-3, 3, 7).astype(dtype) for dtype in ("float32", "float64")]


@pytest.mark.parametrize(("scalar", "array"), itertools.product(SCALARS, ARRAYS))
def test_what_is_taken_promotes_alike(scalar: np.generic, array: np.ndarray[Any, Any]) -> None:
    wide = np.result_type(scalar, array)
    if not promotes_alike(scalar.dtype, array.dtype):
        assert wide != array.dtype
        return
    for operate in (operator.add, operator.mul, operator.truediv):
        box = torch.from_numpy(np.array([scalar]))
        found, expected = operate(torch.from_numpy(array), box).numpy(), operate(array, scalar)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
