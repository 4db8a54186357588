"""Lists that a loop makes for itself, as memory that it is lent."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]

LOOPS: dict[str, str] = {
    "comprehension": "d = [a[k] * i for k in range(i + 1)]\n        y += len(d) + sum(d)",
    "with a condition": "d = [k for k in range(9) if a[k] > 0.3]\n        y += sum(d) * i",
    "over elements": "d = [x * 2 for x in a]\n        y += max(d) - min(d)",
    "two loops": "d = [k * m for k in range(3) for m in range(k)]\n        y += d[-1] + d[i % 3]",
    "its variable has a name": "k = 5\n        d = [a[k] for k in range(4)]\n        y += d[0] + k",
    "appended": "d = []\n        "
    "for k in range(i):\n            if a[k] > 0.2:\n                d.append(a[k])\n"
    "        for v in d:\n            y += v",
    "pairs or nothing": "d = [(i, 2)] if a[i] > 0.3 else []\n        "
    "while d:\n            u, v = d.pop()\n            y += u * v",
    "in both branches": "if a[i] > 0.3:\n            d = [a[i]]\n        else:\n            d = [i, 2]\n"
    "        d.append(1)\n        y += sum(d)",
    "a comprehension or nothing": "d = [k * a[k] for k in range(i)] if i % 2 else []\n"
    "        y += len(d) + sum(d)",
    "smallest": "d = [abs(a[k] - 0.4) for k in range(9)]\n        y += np.argmin(d) * i",
    "as an argument": "y += np.argmax([a[k] * (5 - k) for k in range(9)])",
    "mean": "d = [a[k] for k in range(i + 1)]\n        y += np.mean(d) + np.sum(d) * np.max(d)",
    "an array": "d = np.array([a[k] - 0.1 * i for k in range(4)])\n        d *= 2\n        y += d.sum()",
    "an array of integers": "d = np.array([k * i for k in range(4)])\n        y += d[2] // 2",
    "an array later": "d = []\n        "
    "for k in range(4):\n            d.append(a[k])\n        e = np.asarray(d)\n"
    "        d.append(3.0)\n        y += e.sum() + len(d)",
    "empty": "d = [a[k] for k in range(9) if a[k] > 5]\n        y += np.sum(d)",
    "empty, and no mean": "d = [a[k] for k in range(9) if a[k] > 0.1 * i]\n        y += max(d)",
    "is there any": "d = [k for k in range(9) if a[k] > 0.11 * i]\n        y += a[d[0]] if d else -1\n"
    "        if not d:\n            y += 3",
    "a stack": "d = [(i, 1)]\n        while d:\n            p, q = d.pop()\n            y += p * q\n"
    "            if p > 1:\n                d.append((p - 2, q + 1))\n                d.append((p // 2, 2))",
    "numbers of a stack": "d = [i, 2]\n        while d:\n            p = d.pop()\n            y += p\n"
    "            if p > 3:\n                d.append(p - 2)",
    "a queue": "d = [(i, 1)]\n        while d:\n            p, q = d.pop(0)\n"
    "            y += p * q + len(d)\n"
    "            if p > 1:\n                d.append((p - 2, q + 1))\n                d.append((p // 2, 2))",
    "a queue with two ends": "d = deque([i, 2])\n        while len(d) > 0:\n            p = d.popleft()\n"
    "            y += p + (d[0] if d else 7)\n"
    "            if p > 3:\n                d.append(p - 2)\n                y += d[-1] + d.pop()",
    "a queue that is empty": "d = deque()\n        d.append(i)\n        y += d.popleft()\n"
    "        if i == 3:\n            y += d.popleft()",
    "several types": "d = [1, 0.5]\n        d.append(i)\n        y += d[i % 3]",
    "items that change": "d = [a[k] for k in range(4)]\n        d[i % 4] += 2\n        y += sum(d)",
    "numbered": "d = [a[k] for k in range(4)]\n        for k, v in enumerate(d):\n            y += k * v",
    "as often as that": "d = [0.0] * (i + 2)\n        "
    "for k in range(len(d)):\n            d[k] += a[k % 4] * k\n        y += sum(d) + d[-1]",
    "two numbers as often": "d = 3 * [1, i]\n        d[i % 3] += 2\n        y += sum(d)",
    "less often than once": "d = [i] * (i - 3)\n        d.append(2)\n        y += d[0] * len(d)",
    "side by side": "d = [a[k] for k in range(i + 1)]\n        "
    "for u, v in zip(d, a):\n            y += u * v",
    "less a number of NumPy's": "d = [a[k] for k in range(4)]\n        m = a[i]\n        "
    "e = d - m\n        y += e[1] + (m / d)[i % 3 + 1]",
    "times an array": "d = [a[k] for k in range(4)]\n        e = a[:4] * d + d\n        y += e[i % 4]",
    "integers times an array": "d = [k for k in range(4)]\n        e = d * a[:4]\n        y += e[i % 4]",
    "another length": "d = [k for k in range(i)]\n        y += (a[:4] - d)[0]",
    "out of range": "d = [a[k] for k in range(4)]\n        y += d[i]",
    "nothing to take": "d = [1]\n        d.pop()\n        y += d.pop()",
    "raises in the middle": "d = []\n        "
    "for k in range(4):\n            d.append(1 / (5 - i))\n        y += len(d)",
    "out of range of an array": "d = [a[i + k] for k in range(4)]\n        y += len(d)",
}  # fmt: skip
ELSEWHERE = {
    "a list has one end": "d = [1]\n        y += d.popleft()",
    "a queue has no places to take": "d = deque([1])\n        y += d.pop(0)",
    "one or the other": "d = [1]\n        if i > 3:\n            d = deque([2])\n"
    "            y += d.popleft()",
    "a queue of what is given": "d = deque(a)\n        y += d.popleft()",
    "returned": "d = [a[k] for k in range(4)]\n        if i > 3:\n            return d",
    "another name": "d = [1.0]\n        e = d\n        e.append(2)\n        y += len(d)",
    "handed on": "d = [1.0]\n        y += len(sorted(d))\n        d.append(y)",
    "a list of lists": "d, e = [], [1]\n        d.append(e)\n        e.append(2)\n        y += len(d[0])",
    "read before": "if i > 2:\n            y += len(d)\n        d = [1]\n        d.append(2)",
    "repeated": "d = [1]\n        d.append(2)\n        y += len(d * 2)",
    "less a number": "d = [1.0]\n        d.append(2)\n        m = 0.5 * i\n        y += (d - m)[0]",
    "repeated by NumPy": "d = [1]\n        d.append(2)\n        m = np.int64(i)\n        y += len(d * m)",
    "times a number of NumPy's": "d = [a[k] for k in range(4)]\n        m = a[i]\n        y += (d * m)[0]",
    "a number of NumPy's times it": "d = [1.0, a[i]]\n        m = a[i]\n        y += (m * d)[0]",
    "extended by an array": "d = [a[k] for k in range(4)]\n        d += a[:4]\n        y += len(d)",
    "two lists": "d, e = [1], [2]\n        d.append(2)\n        y += len(d + e)",
    "not always made": "if i % 2 == 0:\n            d = []\n        d.append(i)\n        y += len(d)",
}  # fmt: skip


def run(function: Any) -> Any:
    a = np.linspace(0, 1, 10)
    try:
        result = function(a)
    except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
        return type(error), str(error)
    return type(result), result


@pytest.mark.parametrize("name", [*LOOPS, *ELSEWHERE])
def test_same_results(name: str, make: Make) -> None:
    body = {**LOOPS, **ELSEWHERE}[name]
    head = "from collections import deque\ndef f(a):\n    y = 0\n    for i in range(8):\n        "
    compiled = make(f"{head}{body}\n    return y\n")
    for _ in range(2):
        assert run(compiled) == run(compiled.function)
    ran = compiled.runs["compiled"] + compiled.runs["as written: an error"]
    empty = compiled.runs["as written: a value that is not followed"]
    assert bool(ran or empty) == (name in LOOPS)


def test_many_items(make: Make) -> None:
    """More than there is room for at first; a list made anew keeps its room."""
    compiled = make(
        "def f(a):\n    y = 0\n    for i in range(5):\n        d = [k * i for k in range(3000 * i)]\n"
        "        y += sum(d) + len(d)\n    return y\n"
    )
    assert run(compiled) == run(compiled.function)
    assert compiled.runs["compiled"] == 1


CHOICES = {
    "a pair": "d = [(k, i) for k in range(i + 2)]\n        u, v = random.choice(d)\n        y += u * v",
    "a number": "d = [k * 0.5 for k in range(i + 2)]\n        y += random.choice(d)",
    "of what is left": "d = [k for k in range(9) if k > i]\n        y += random.choice(d)",
    "a pair that is given": "u, v = random.choice(moves)\n        y += u * i + v",
    "a number that is given": "y += random.choice(numbers) * i",
    "a number of none": "y += random.choice(numbers[:0] if i == 6 else numbers)",
    "an element": "d = [k * 0.5 for k in range(i + 2)]\n        y += np.random.choice(d)",
    "an integer": "d = [k * i for k in range(i + 2)]\n        y = np.random.choice(d)",
    "of nothing": "d = [k for k in range(9) if k > i + 3]\n        y += np.random.choice(d)",
    "of a generator": "d = [k for k in range(i + 2)]\n        y += rng.choice(d)",
}  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
def test_same_choices(name: str, make: Make) -> None:
    header = "import random\ndef f(moves, rng, numbers):\n"
    text = header + "    y = 0\n    for i in range(8):\n        {}\n    return y\n"
    compiled = make(text.format(CHOICES[name]))

    def chosen(function: Any, seed: int) -> Any:
        random.seed(seed)
        np.random.seed(seed)
        rng = np.random.default_rng(seed)
        try:
            found = function([(0, 1), (1, 0), (2, 2)], rng, [1.5, 2, -3, 0.25, 7])
        except (IndexError, ValueError) as error:
            found = str(error)
        return type(found), found, random.random(), np.random.rand(), rng.random()

    for seed in range(4):
        assert chosen(compiled, seed) == chosen(compiled.function, seed)
    assert compiled.runs["compiled"] or name in ("of what is left", "of nothing", "a number of none")
