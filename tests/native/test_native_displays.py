"""Lists and generators that the text of a compiled loop writes out: what they hold, fold and pick."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import agrees

from nprewrite.runtime import Native

LOOPS = [
    "k = [(i % 4, (i + 1) % 4), (i % 3, 2)]\n        for n in k:\n            y += a[n]",
    "for n in [(i % 4, (i + 1) % 4), (i % 3, 2)]:\n            y += a[n] * n[1]",
    "for p, q in [[i % 4, (i + 1) % 4], (i % 3, 2)]:\n            y += a[p, q]",
    "k = [[0, 1], [i % 4, 2]]\n        for p in k:\n            y += a[p[0], p[1]] + k[1][0]",
    "n = (i % 4, (i + 1) % 4)\n        a[n] = 7\n        a[n] += i",
    "place = [i % 4, 2]\n        place[1] = 3\n        y += a[place[0], place[-1]] * len(place)",
    "place = [i % 4, 2]\n        place[i % 2] += i\n        p, q = place\n        y += a[p % 4, q % 4]",
    "place = [i % 4, 2]\n        place[i % 2 - 2] += 1\n        y += sum(place)",
    "w = [1, 2]\n        w[0], w[1] = w[1], w[0] + i\n        y += w[0] * w[1]",
    "w = [0.0] * 3\n        for k in range(3):\n            w[k] += a[k, i % 4]\n        y += w[0] - w[2]",
    "w = [a[k, 1] * 2 for k in range(4)]\n        y += w[i % 4] + max(w)",
    "y += (1, 2.5, i)[i % 3 - 3] + (3, 4)[i % 2]",
    "for k, p in enumerate([i % 4, 2]):\n            y += a[p, 0] * k",
    "k = [(0, 1), (2, i % 4)]\n        for m, (p, q) in enumerate(k):\n            y += a[p, q] * m",
    "for p, q in zip((0, 1, 1), [2, 0, i % 4]):\n            y += a[p, q]",
    "y += len([1, i, 3])",
    "y += sum([a[0, 1], a[1, i % 4], 1]) + sum((1, i), 2.5)",
    "y += max([a[0, 1], a[1, i % 4], 1]) - min((a[0, 0], i))",
    "y += sum(a[i % 4]) + max(a[1]) - min(a[:, 2])",
    "y += sum(a[k, m] for k in range(4) for m in range(k) if k != i)",
    "y += sum([k * 0.5 for k in range(i)], 2.5)",
    "y += sum(x * x for x in a[i % 4]) + sum(p * q for p, q in zip(a[0], a[i % 4]))",
    "k = 2\n        y += sum(a[k, 1] for k in range(i % 4)) + k",
    "y += max(a[k, i % 4] for k in range(4) if k != i)",
    "y += any(a[i % 4, k] > 0.5 for k in range(i % 5))",
    "y += all([a[i % 4, 0] > 0.1, i > 2]) + all(a[k, 0] < 0.5 for k in range(4))",
    "y += 1 if any(k == i for k in (1, 2, 5)) else sum(k for k in range(3))",
    "y += 1 if i in range(2, 4) else 0.5 if i - 5 not in range(3) else 2",
    "y += (i > 3) in range(1, 2)",
    "while sum(a[0]) < i and max(a[1]) < 100:\n            a[0] += 0.5\n            y += 1",
    "p, q = divmod(i, 4)\n        y += a[p % 4, q]",
    "a[[0, i % 4]] = a[[i % 4, 0]]",
    "a[[0, i % 4], 1:] = a[0, 0] if i < 3 else 2.0",
    "a[[0, i % 4], 1:] = a[[i % 4, 0], 1:]",
    "a[:, [0, i % 4]] = a[:, [i % 4, 0]]",
    "b = a[i % 4]\n        b[[0, i % 4]] = b[[i % 4, 0]]",
    "a[[0, 2]] = i",
    "a[[1, 2], 1] = a[[2, 0], 0]",
    "a[[0, i]] = a[[i - 1, 0]]",
    "w = [sum(k for k in range(2)) + i for k in range(3)]\n        y += w[0]",
    "y += sum(a[i % 4] * 2) + max(abs(a[:, 1] - i)) - min(x * 2 for x in a[0] + i)",
    "y += 1 if any(a[i % 4] > 0.5) else 2 if all(a[0] + i < 3) else 3",
    "w = [i, a[0, 1], 2]\n        y += sum(w[:2]) + max(w[-2:]) - sum(w[1:]) + len(w[:])",
    "w = [i, a[0, 1], 2]\n        v = [sum(w[:k]) for k in range(1, 4)]\n        y += v[i % 3] + v[-1]",
    "w = [[1, 0], [-1, i]]\n        y += w[i % 2][0] + w[-(i % 2)][-1]",
    "w = ((1, 0.5), (i, 2))\n        p, q = w[i % 2]\n        y += p * q",
    "c = np.array([(0, 1), (1, i)])\n        b = c[i % 2]\n        y += b[0] * 2 + (b * 3).sum()",
    "w = [1, 2]\n        for x in w:\n            w[1] = 5\n            y += x",
    "w = [i, 2]\n        if i > 2:\n            w = [1, 2, 3]\n        y += w[0]",
]  # fmt: skip
LEFT = [
    "w = [i, 2]\n        w[i - 3] = 7\n        y += w[0]",
    "y += [1, 2.5][i - 3]",
    "w = [[1, 0], [2, i]]\n        y += w[i][0]",
    "w = ((1, 0), (2, i))\n        p, q = w[i]\n        y += p + q",
    "y += min(a[k, i % 4] for k in range(4 - i))",
]
"""These raise, which the loop as written does."""
AS_WRITTEN = [
    "w = [i, 2]\n        v = w\n        v[0] = 9\n        y += w[0]",
    "y += sum(z := k for k in range(3)) + z",
    "y += any(k == m for k in range(i) for m in (2, 3))",
    "y += a[0, 1] * 4 in range(2)",
    "y += i in range(0, 8, 2)",
]


def _text(body: str) -> str:
    return f"def f(a):\n    y = 0\n    for i in range(9):\n        {body}\n    return y\n"


GIVEN = (np.linspace(-0.5, 1, 16).reshape(4, 4),)


@pytest.mark.parametrize("body", LOOPS)
def test_compiled(body: str, make: Callable[[str], Native]) -> None:
    compiled = make(_text(body))
    assert agrees(compiled, GIVEN), compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", LEFT + AS_WRITTEN)
def test_run_as_written(body: str, make: Callable[[str], Native]) -> None:
    assert not agrees(make(_text(body)), GIVEN)
