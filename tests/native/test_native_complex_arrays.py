"""Small arrays of complex numbers in compiled loops: as NumPy computes with them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

EXPRESSIONS = [
    "np.argmin(np.abs(z - w[k % 5]))",
    "np.sum(np.abs(z * w) ** 2)",
    "np.sum(z) + z.sum().imag + (z * w).sum()",
    "np.mean(z) - np.mean(z * w)",
    "np.sum(m, axis=0)[k % 5] + m.mean(axis=1)[0]",
    "np.dot(z, w) + (z @ w) + z.dot(w)",
    "np.vdot(z, w) + np.vdot(r, z) + np.vdot(z, r)",
    "np.inner(z, w)",
    "np.linalg.norm(z) + np.linalg.norm(z - w) + np.linalg.norm(m)",
    "np.any(z == w[k % 5]) + np.all(z != w)",
    "np.sum(np.angle(z)) + np.sum(np.conj(z) * z)",
    "np.sum(np.abs(np.outer(z, w))) + np.sum(np.abs(m @ z))",
    "np.trace(m) + np.abs(m[k % 5]).sum() + np.sum(np.abs(m[:, k % 5] - z))",
    "np.sum(abs(z) > abs(w)) + np.sum(np.abs(z / w)) + np.sum(np.abs(z - r))",
    "np.sum(np.abs(z[r > 0.3])) + np.abs(z[1:4]).max() + np.abs(m.T[k % 5]).max()",
    "np.sum(z[:2]) + np.concatenate((z, w))[k % 10]",
    "np.prod(z) + sum(z)",
]
REFUSED = [
    "np.max(z)",
    "z.argmax()",
    "np.var(z)",
    "np.std(z - w)",
    "np.sort(z)[0]",
    "np.median(z)",
    "np.linalg.norm(z, 1)",
    "np.searchsorted(z, w[0])",
]
STATEMENTS = [
    "z[:] = z * 0.9 + 0.1 * w",
    "z += 0.01 * w; z *= np.exp(0.01j); z -= r * 0.001",
    "m[k % 5] = z; m[:, k % 5] += w * 0.5",
    "z = m @ z; z = z / np.linalg.norm(z)",
    "z = 0.5 * (z + w); w = z; z = z * 0.9",
    "t = z.copy(); z[0] = 0.5j; z[1] = t[0]",
    "z = np.where(r > 0.5, z, 0.9 * w)",
    "r = np.abs(z) * 0.5; z = r + 1j * r ** 2",
    "z = np.zeros(5, complex); z[k % 5] = 1j * r[0]",
    "m = m @ m * 0.1; z = np.conj(z)",
    "z = np.exp(1j * r); r[k % 5] += 0.01",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression: str, make: Callable[[str], Native]) -> None:
    compiled = make(_function(f"total = total * 0.5 + {expression}\nz[k % 5] += 0.001"))
    _compare(compiled)
    assert compiled.runs == {"compiled": 2}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_left_to_numpy(expression: str, make: Callable[[str], Native]) -> None:
    compiled = make(_function(f"total = total * 0.5 + {expression}\nz[k % 5] += 0.001"))
    _compare(compiled)
    assert "compiled" not in compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("statements", STATEMENTS)
def test_statements(statements: str, make: Callable[[str], Native]) -> None:
    body = "\n".join(each.strip() for each in statements.split(";"))
    compiled = make(_function(f"{body}\ntotal = total * 0.5 + z[k % 5] + w[0] + m[k % 5, 1] + r[2]"))
    _compare(compiled)
    assert compiled.runs == {"compiled": 2}


def _function(body: str) -> str:
    inside = textwrap.indent(body, "        ")
    loop = f"    total = 0j\n    for k in range(n):\n{inside}"
    return f"def f(z, w, m, r, n):\n{loop}\n    return total, z, w, m, r\n"


def _compare(compiled: Native) -> None:
    for dtype in (np.complex128, np.complex64):
        given, expected = _given(dtype), _given(dtype)
        found, wanted = compiled(*given, 40), compiled.function(*expected, 40)
        for one, other in zip((*found, *given), (*wanted, *expected), strict=True):
            assert type(one) is type(other)
            assert np.asarray(one).dtype == np.asarray(other).dtype
            assert np.allclose(one, other, rtol=1e-5 if dtype == np.complex64 else 1e-10, atol=1e-12)
        assert [*_shared(found, given)] == [*_shared(wanted, expected)]


def _shared(results: tuple[Any, ...], given: tuple[Any, ...]) -> Iterator[tuple[int, int]]:
    """Which results are arrays that were given, or one another."""
    for number, each in enumerate(results[1:]):
        yield from ((number, place) for place, one in enumerate((*given, *results[1:])) if one is each)


def _given(dtype: Any) -> tuple[Any, ...]:
    random = np.random.default_rng(3)

    def drawn(*shape: int) -> Any:
        return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)

    return drawn(5), drawn(5), drawn(5, 5) * dtype(0.3), random.random(5)
