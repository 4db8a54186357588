"""Loops over computed arrays, over ranges side by side, and over all places of an array, compiled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

LOOPS = [
    "for x in np.arange(0, 1, 0.25):\n        y += x * a[0, 1]",
    "for x in np.arange(0.1, 2.3, 0.1):\n        y += x",
    "for x in np.arange(3.5):\n        y += x",
    "for x in np.arange(1, -1.2, -0.3):\n        y += x",
    "for x in np.arange(2.0, 1.0):\n        y += x",
    "for k in np.arange(4):\n        y += k * a[k, 1]",
    "for k in np.arange(1, n):\n        y += k",
    "for x in np.linspace(0, 1, 5):\n        y += x * a[0, 1]",
    "for x in np.linspace(-0.3, n, 7, endpoint=False):\n        y += x",
    "for x in np.linspace(2.0, 2.0, 3):\n        y += x",
    "for x in np.linspace(1e-3, 0.7, 1):\n        y += x",
    "for x in np.linspace(0, n):\n        y += x",
    "for k, x in enumerate(np.linspace(0, 1, 4)):\n        y += x * a[k, 1]",
    "for k, x in enumerate(np.linspace(0, 1, 4), 2):\n        y += x * k",
    "for x in a.flat:\n        y += x",
    "for x in a.ravel():\n        y = y * 0.5 + x",
    "for x in a.flatten():\n        a[0, 0] += 1\n        y = y * 0.5 + x",
    "for r in a.T:\n        y = y * 0.5 + r[0] * r[1]\n        r[1] = y",
    "for r in a * 2 + 1:\n        y = y * 0.5 + r[0]",
    "for k, x in zip(range(4), a[1]):\n        y = y * 0.5 + k * x",
    "for k, x in zip(range(9, 2, -3), a[1]):\n        y = y * 0.5 + k * x",
    "for k, x in zip(range(1, n, 2), a[1]):\n        y = y * 0.5 + k * x",
    "for j, k in zip(range(n), range(1, n + 1)):\n        y += j * k",
    "for x, z, k in zip(a[0], a[1] + 1, range(n)):\n        y = y * 0.5 + x * z - k",
    "for k, j in enumerate(range(3, n)):\n        y += k * j * a[0, 0]",
    "for k, j in enumerate(reversed(range(n)), 1):\n        y += k * j",
    "for k in list(range(n)):\n        y = y * 0.5 + k",
    "for p, q in itertools.product(range(3), range(4)):\n        y = y * 0.5 + a[p, q]",
    "for p, q in np.ndindex(4, 4):\n        if p > q:\n            continue\n        y = y * 0.5 + a[p, q]",
    "for p, q in np.ndindex(a.shape):\n        y = y * 0.5 + a[p, q]",
    "for p, q in np.ndindex(*a.shape):\n        y = y * 0.5 + a[p, q]",
    "for (p, q), v in np.ndenumerate(a):\n        y = y * 0.5 + p * q * v\n        a[q, p] = y",
    "m = n\n    for p, q in np.ndindex(m, 2):\n        m = 1\n        y += p * q",
    "for k, x in zip(range(0), a[1]):\n        y += x\n    else:\n        y += 100",
]
RAISING = [
    "for x in np.arange(0, 1, n - 6.0):\n        y += x",
    "for x in np.linspace(0, 1, n - 9):\n        y += x",
    "for p, q, r in np.ndindex(a.shape):\n        y += a[p, q]",
]
AS_WRITTEN = [
    "for p, q in itertools.product(range(3), range(n - 6)):\n        y += 1\n    p = p if y else -1",
    "for x in a.flat:\n        a[0] = a[1] + 1\n        y += x",
    "for p, q in np.ndindex(3, 4):\n        y += p\n        if q == 1:\n            break",
    "for k, x in zip(range(4), xs):\n        xs.append(k)\n        y += x",
    "for x in np.arange(0, 4, dtype=float):\n        y += x",
]


def _text(body: str) -> str:
    return f"import itertools\n\n\ndef f(a, n, xs):\n    y = 0\n    {body}\n    return y\n"


def _outcome(function: Callable[..., object]) -> tuple[Outcome, list[int]]:
    xs = [1]
    return Outcome.of(function, (np.linspace(-0.5, 1, 16).reshape(4, 4), 6, xs)), xs


@pytest.mark.parametrize("body", LOOPS)
def test_compiled(body: str, make: Callable[[str], Native]) -> None:
    compiled = make(_text(body))
    assert _outcome(compiled) == _outcome(compiled.function)
    assert compiled.runs["compiled"], compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", RAISING + AS_WRITTEN)
def test_the_same_as_written(body: str, make: Callable[[str], Native]) -> None:
    compiled = make(_text(body))
    assert _outcome(compiled) == _outcome(compiled.function)
    assert body in RAISING or not compiled.runs["compiled"]
