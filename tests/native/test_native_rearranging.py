"""Arrays that a compiled loop moves, joins, sorts and searches, and stores by masks and positions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scalar_programs import agrees

from nprewrite.runtime import Native

LOOPS = [
    "y += np.count_nonzero(a[i % 4] > 0.5) + np.count_nonzero(k)",
    "q = np.where(b > i * 0.5)[0]\n        for p in q:\n            y += p\n        y += len(q)",
    "r = np.nonzero(a > 0.5)[1]\n        y += r.sum() + a[0, r[0]] + len(np.where(b > i)[0])",
    "r = (b > 1).nonzero()[0]\n        b[r] += 1\n        b[np.flatnonzero(k)] *= 2",
    "b[i % 4 :] = np.sort(b[i % 4 :])\n        y += np.sort(k * b[::-1])[1] + np.sort(f)[0]",
    "b[:] = np.concatenate((b[2:], a[0, :2]))\n        y += np.concatenate([k, b, [1, 2.5]])[i]",
    "y += np.hstack((b, a[0], 7))[i + 2] + np.append(k, i * 0.5)[-1] + np.append(f, 1.5)[-1]",
    "c = np.vstack((a, a[0], k[:4]))\n        y += c[5, 1] + np.stack((b, k))[1, 2]\n"
    "        y += np.concatenate((a, a[1:]))[5, 1]",
    "b[:] = np.roll(b, i - 4)\n        a[:] = np.roll(a, i, axis=0) - np.roll(a, -1, 1)",
    "y += np.cumsum(b)[i % 6] + k.cumsum()[-1] + np.cumprod(b)[2] + np.cumsum(a)[7] + np.cumsum(f)[3]",
    "y += np.interp(i * 0.3 - 0.2, a[0], a[1]) + np.interp(a[i % 4] * 3, a[0], k[:4])[1]",
    "y += np.searchsorted(a[0], i * 0.05) + np.searchsorted(a[0], a[i % 4], side='right').sum()",
    "y += a[1].searchsorted(i) + np.searchsorted(np.sort(k), i)",
    "c = np.flip(b)\n        c[0] += i\n"
    "        y += np.flipud(a)[0, 1] + np.fliplr(a)[0, 1] + np.flip(a, 1)[1, 2]",
    "y += np.diff(b)[i % 5] + np.diff(k)[1] + np.diff(a, axis=0)[1, 1] + np.diff(a)[1, 2]",
    "y += np.tile(b, 2)[7] + np.repeat(k, i)[i - 1 :].sum()",
    "b[b > 3] = 0\n        c = b > i\n        b[c] -= 1\n"
    "        a[a > b[0]] *= 0.5\n        b[b < 0] = k[b < 0]",
    "b[m] = a[0, :3]\n        b[m] += a[0, :3]\n        b[m] += a[1, :1]",
    "k[k > 2] = 2.7\n        k[m] += i\n        k[0:2] = [1.5, i]\n        a[0, :] = [1, 2, i, 4]",
    "b[k] += 1\n        b[np.array([0, 0, 1])] += 1\n        b[np.array([0, -1, 1])] = a[0, :3]",
    "b[np.array([0, 7])] = 1",
    "m[m] = False\n        b[m] = i\n        m[:] = b > 2",
    "y += np.sort(e).sum() + len(np.diff(e)) + np.cumsum(e).sum() + len(np.roll(e, 2))\n"
    "        y += len(np.concatenate((e, e))) + len(np.flatnonzero(e)) + np.sort(n)[0]",
]  # fmt: skip
RAISE = [
    "b[m] = a[0, :2]",
    "y += np.interp(0.5, e, e)",
    "y += np.concatenate((a, a[:, :2]))[0, 0]",
    "y += len(np.repeat(b, 3 - i))",
]
AS_WRITTEN = ["b.sort()\n        y += b[0]", "c = np.argsort(b)\n        y += c[0]", "y += np.sort(a)[0, 0]"]
GIVEN = (
    np.linspace(0, 1, 16).reshape(4, 4),
    np.array([3.0, 1, 2, 0, 5, 4]),
    np.array([3, 1, 2, 0, 5, 4]),
    np.array([True, False, True, True, False, False]),
    np.array([3, -1, 2, 0.5], dtype=np.float32),
    np.empty(0),
    np.array([np.nan, 2, np.nan, -np.inf, 1]),
)


def _text(body: str) -> str:
    return f"def f(a, b, k, m, f, e, n):\n    y = 0\n    for i in range(9):\n        {body}\n    return y\n"


@pytest.mark.parametrize("body", LOOPS)
def test_compiled(body: str, make: Callable[[str], Native]) -> None:
    compiled = make(_text(body))
    assert agrees(compiled, GIVEN), compiled.runs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", RAISE + AS_WRITTEN)
def test_run_as_written(body: str, make: Callable[[str], Native]) -> None:
    assert not agrees(make(_text(body)), GIVEN)
