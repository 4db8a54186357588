"""The table of functions of whole arrays: what it says torch.compile computes as NumPy does, it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.facts import whole
from nprewrite.facts.values import Array

torch = pytest.importorskip("torch")

_REDUCTIONS = sorted(
    whole.NAMES - {"cumsum", "cumprod", "dot", "matmul", "roll", "linalg.norm", "count_nonzero"}
)
_FORMS: dict[str, list[Callable[[Any], Any]]] = {
    **{
        name: [
            lambda x, name=name: getattr(np, name)(x),
            lambda x, name=name: getattr(np, name)(x, axis=0),
            lambda x, name=name: getattr(np, name)(x, axis=-1, keepdims=True),
        ]
        for name in _REDUCTIONS
    },
    "count_nonzero": [lambda x: np.count_nonzero(x)],
    "cumsum": [lambda x: np.cumsum(x), lambda x: x.cumsum(axis=1)],
    "cumprod": [lambda x: np.cumprod(x, axis=0)],
    "roll": [lambda x: np.roll(x, 1), lambda x: np.roll(x, -2, axis=1), lambda x: np.roll(x, 7, 0)],
    "linalg.norm": [lambda x: np.linalg.norm(x)],
    "dot": [lambda x: np.dot(x, x.T), lambda x: x[0].dot(x[1])],
    "matmul": [lambda x: x @ x.T, lambda x: np.matmul(x, x[0])],
}


def _sample(dtype: str) -> np.ndarray[Any, Any]:
    x = np.linspace(-2.0, 3.0, 35).reshape(5, 7)
    return x > 0.5 if dtype == "bool" else (3 * x if dtype != "uint8" else 3 * abs(x)).astype(dtype)


def test_every_function_has_a_form() -> None:
    assert set(_FORMS) == whole.NAMES


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64", "float32", "float64"])
def test_compiled_functions_agree(dtype: str) -> None:
    x = _sample(dtype)
    names = [name for name in _FORMS if whole.compiled(name, Array(x.dtype, ("n", "m")))]
    forms = [(name, form) for name in names for form in _FORMS[name]]

    def everything(array: Any) -> Any:
        return [form(array) for _, form in forms]

    results = torch.compile(everything, fullgraph=True)(x)
    for (name, _), wanted, seen in zip(forms, everything(x), results, strict=True):
        got = np.asarray(seen)
        assert got.dtype == np.asarray(wanted).dtype, name
        np.testing.assert_allclose(got, wanted, rtol=1e-5 if dtype == "float32" else 1e-12, err_msg=name)
