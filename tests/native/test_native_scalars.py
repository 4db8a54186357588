"""Arithmetic of Python's and NumPy's scalars, compiled: the same types and bits, operation by operation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native
from nprewrite.runtime.numba import build

# a and b hold elements, i and x are a Python int and float.
ANY = [
    "a[0] + b[0]",
    "a[0] - a[1]",
    "a[0] * a[1]",
    "a[0] / a[1]",
    "a[0] // a[1]",
    "a[0] % a[1]",
    "a[1] ** 3",
    "a[0] + i",
    "i - a[0]",
    "a[0] * x",
    "x / a[0]",
    "a[0] // i",
    "i % a[1]",
    "a[0] // a[2]",
    "a[0] % a[2]",
    "a[0] < b[0]",
    "a[0] == i",
    "a[0] >= x",
    "b[0] != x",
    "a[2] < i <= a[1]",
    "-a[0] if i else 0",
    "+a[1]",
    "abs(a[0])",
    "min(a[0], a[1], i)",
    "max(a[1], x)",
    "a[2] or i",
    "a[1] and x",
    "not a[2]",
    "int(a[1])",
    "float(a[0])",
    "bool(a[2])",
    "np.sqrt(abs(a[1]))",
    "np.float32(a[0])",
    "np.maximum(a[0], b[0])",
    "np.abs(a[0])",
    "np.square(a[1])",
    "np.square(i)",
    "np.round(a[1])",
    "np.round(i)",
    "np.around(x)",
    "np.clip(a[0], 0, 2)",
    "np.clip(x, i, 7.5)",
    "np.clip(i, a[2], 3)",
    "np.clip(a[2] > 1, i, a[1])",
    "np.min([a[0], a[1], a[2]])",
    "np.max((x, b[0], 0.5))",
    "np.max([i, 4])",
    "np.amin([x, math.nan])",
    "math.sqrt(abs(a[1]))",
    "math.floor(a[1])",
    "np.floor(a[1])",
    "a[0] / a[2]",
    "x + True",
    "True + True",
    "i // 3",
    "-i // 3",
    "-i % 3",
    "x // 0.3",
    "-x % 0.3",
    "i / 7",
    "i ** 2",
    "x ** 2",
    "7 & i",
    "i ^ 5",
    "~i",
    "i << 3",
    "-i >> 1",
    "True & False",
    "x - i",
    "i == x",
    "(a[0] if i > 2 else x) * 2",
    "(a[0] if i < 2 else i) + a[1]",
    "np.isnan(x)",
    "np.isnan(a[0])",
    "np.isinf(a[1])",
    "np.isfinite(a[2])",
    "np.isfinite(i)",
    "np.isnan(a[0] > 1)",
    "np.ceil(a[0])",
    "math.isinf(x)",
    "round(x)",
    "math.ceil(x)",
    "len(a) + a.size + b.ndim",
    "a.shape[0] * b.shape[-1]",
    "np.pi * i",
    "math.inf > x",
    "np.sign(a[0])",
    "np.sign(a[2])",
    "np.sign(b[1])",
    "np.sign(x)",
    "np.sign(-i)",
    "1 / np.sign(-0.0 * x)",
    "np.sign(x * math.nan)",
    "np.logical_and(a[0], x)",
    "np.logical_or(a[2], i - 3)",
    "np.logical_xor(a[2], b[0] > 1)",
    "np.logical_not(i)",
    "np.deg2rad(x)",
    "np.degrees(i)",
    "np.fmod(x, b[0])",
    "np.reciprocal(x)",
    "np.logaddexp(x, b[1])",
    "min(a[0], float('inf'))",
    "max(x, float('-inf'))",
    "i * float('1.5e3')",
    "x < float('nan')",
]
INTEGERS = [
    "a[0] & a[1]",
    "a[0] | i",
    "a[0] ^ a[1]",
    "~a[0]",
    "a[0] << i",
    "a[0] >> 2",
    "a[1] << 70",
    "a[0] >> 70",
]
VALUES = {
    "int8": (-128, 7), "int64": (2**63 - 1, 9), "uint16": (65535, 3), "uint64": (2**64 - 1, 3),
    "float32": (0.1, 3.7), "float64": (-1e308, 12.5), "bool": (True, True),
}  # fmt: skip


def holds(text: str, dtype: str) -> bool:
    """Whether NumPy does not refuse the expression for the dtype, and does not compute it in float16."""
    if dtype in ("int8", "uint8", "bool") and "np.sqrt" in text:
        return False
    if dtype == "bool":
        return (
            "np.min([a" not in text
            and "-a" not in text
            and " - a" not in text
            and "+a" not in text
            and "math" not in text
            and "np.round(a" not in text
            and "np.sign(a" not in text
        )
    return not (dtype.startswith("uint") and text.startswith("-a"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", VALUES)
def test_same_scalars(dtype: str, make: Callable[[str], Native]) -> None:
    expressions = [each for each in ANY if holds(each, dtype)]
    expressions += INTEGERS if dtype.startswith(("int", "uint")) else []
    items = ",\n        ".join(expressions)
    compiled = make(f"def f(a, b, i, x):\n    return (\n        {items},\n    )\n")
    first, second = VALUES[dtype]
    a, b = np.array([first, second, 0], dtype), np.array([1.5, -2.0])
    for i, x in ((3, 2.5), (4, -0.75)):
        expected, seen = (Outcome.of(each, (a, b, i, x)) for each in (compiled.function, compiled))
        wrong = [
            each for each in zip(expressions, expected.result, seen.result, strict=True) if each[1] != each[2]
        ]
        assert wrong == []
    assert compiled.runs["compiled"] == 2, compiled.runs


RAISING: list[tuple[str, tuple[Any, ...]]] = [
    ("1 / i", (0, 1.0)), ("1 // i", (0, 1.0)), ("i % (i - 2)", (2, 1.0)), ("1.5 % (x - 1)", (0, 1.0)),
    ("x / (x - 1)", (0, 1.0)), ("math.sqrt(-x)", (0, 1.0)), ("math.log(x - 1)", (0, 1.0)),
    ("math.exp(1000 * x)", (0, 1.0)), ("0.0 ** -x", (0, 1.0)), ("(-x) ** 0.5", (0, 1.0)),
    ("10.0 ** (400 * x)", (0, 1.0)),
    ("2 ** -i", (3, 1.0)), ("i << -1", (3, 1.0)), ("i * 2 ** 62", (5, 1.0)), ("2 ** 62 + 2 ** i", (62, 1.0)),
    ("int(x * 1e300)", (0, 1.0)), ("int(x * math.inf)", (0, 1.0)), ("a[0] + i", (256, 1.0)),
    ("a[i]", (3, 1.0)),
    ("a[0] ** -i", (2, 1.0)), ("a[i]", (-4, 1.0)), ("np.uint8(i)", (300, 1.0)),
    ("-(i - 2 ** 62 - 2 ** 62)", (0, 1.0)),
    ("i == x", (2**53 + 1, 2.0**53)), ("(i + 1) / 3", (2**60, 1.0)), ("abs(-i - 1)", (2**63 - 1, 1.0)),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_what_leaves_the_road(make: Callable[[str], Native]) -> None:
    """Python raises, or goes on with a complex number or a longer integer: the loop as written does so."""
    lines = [f"    if k == {k}:\n        return {text}" for k, (text, _) in enumerate(RAISING)]
    compiled = make("def f(a, k, i, x):\n" + "\n".join(lines) + "\n    return 0\n")
    a = np.array([250, 7, 0], np.uint8)
    for k, (text, numbers) in enumerate(RAISING):
        given = (a, k, *numbers)
        compiled._repeated = 0
        try:
            expected = Outcome.of(compiled.function, given)
        except TypeError:
            expected = None
        assert Outcome.of(compiled, given) == expected, text


WRAPPING = [
    "a[0] + 1 > a[0]",
    "a[0] - b[0] < 0",
    "a[0] * 2 // 2",
    "a[0] * b[0] // b[0]",
    "a[0] * 3 % 3",
    "a[0] ** 2 // a[0]",
    "np.add(a[0], 1) > a[0]",
    "-a[0] // -1",
    "abs(a[0]) // 2",
    "(a[0] << 1) // 2",
    "float(h[0] + 1 > h[0])",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**62, 3])
def test_numpy_integers_wrap_around(number: int, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(a, b, h):\n    return {', '.join(WRAPPING)}\n")
    arguments = np.array([number]), np.array([-3]), np.array([2**64 - 1], np.uint64)
    assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert compiled.runs["compiled"] == 1, compiled.runs


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**53 + 1, 2**64 - 1])
@pytest.mark.parametrize(
    "text", ["int(h[0])", "int(h[0]) / 1.0", "math.floor(h[0])", "int(h[0]) + 1", "h[0] < 2.0**53"]
)
def test_large_unsigned_integers(text: str, number: int, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(h):\n    return {text}\n")
    arguments = (np.array([number], np.uint64),)
    assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)


@pytest.mark.parametrize("place", ["x[h[0]]", "m[0, h[0]]", "x[h[0]] = 1"])
def test_index_beyond_all_integers(place: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(x, m, h):\n    {place}\n")
    arguments = np.zeros(3), np.zeros((3, 3)), np.array([2**63], np.uint64)
    assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)


def test_other_kernels_are_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Numba keeps beside a file has the kernels in it that were there then."""
    before = build._written("f", "text")
    (tmp_path / "kernels.py").write_text("changed = 1\n")
    monkeypatch.setattr(build, "_KERNELS", (tmp_path / "kernels.py",))
    assert build._written("f", "text") != before
