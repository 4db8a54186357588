"""Loops over single complex numbers, compiled: the types, bits and errors of Python and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.runtime import Native

# a holds elements; z, i and x are Python's complex, int and float.
SAME = [
    "z + a[0]",
    "a[0] - z",
    "a[0] * a[1]",
    "a[0] / a[1]",
    "a[0] / a[2]",
    "a[1] ** 2",
    "a[1] ** 3",
    "a[1] ** 5",
    "a[1] ** -2",
    "a[2] ** 0",
    "a[0] * i - x / a[1]",
    "i * 1j + x",
    "z * z + (0.25 - 0.5j)",
    "z / (1 - 2j)",
    "1 / z",
    "z ** 2",
    "z ** 7",
    "z ** -3",
    "z ** 0",
    "1j ** 2",
    "2.5j * r[0]",
    "r[0] * 2.5j",
    "z / r[1]",
    "z == a[0]",
    "z == x",
    "a[0] != a[0]",
    "z != i",
    "z == r[0]",
    "-a[0] + +z",
    "-z",
    "abs(z)",
    "abs(a[1])",
    "z.real + a[0].imag",
    "a[1].real",
    "i.imag + x.real",
    "(x + 2j).imag",
    "z.conjugate()",
    "a[0].conj()",
    "np.conj(z)",
    "np.conjugate(a[1])",
    "np.real(z)",
    "np.imag(a[0])",
    "complex(x, i)",
    "complex(i)",
    "complex(r[0], x)",
    "np.complex64(z)",
    "np.complex128(i)",
    "bool(a[2])",
    "not z",
    "z or i",
    "a[2] and z",
    "1j if z else x",
    "np.isnan(a[0] / 0)",
    "np.isfinite(z)",
    "z.real < x",
    "cmath.pi * z",
]
ROUNDED = [
    "np.abs(z)",
    "np.abs(a[0])",
    "np.square(a[0])",
    "np.multiply(a[0], z)",
    "np.exp(a[0])",
    "np.exp(-2j * np.pi * i / 7)",
    "np.sqrt(z)",
    "np.sin(a[1])",
    "np.cosh(z)",
    "np.angle(z)",
    "np.angle(a[0])",
    "z ** 0.5",
    "z ** (1 + 0.5j)",
    "a[1] ** (0.5 - 1j)",
    "cmath.exp(z)",
    "cmath.sqrt(-x)",
    "cmath.phase(z)",
]


def listed(expressions: list[str]) -> str:
    items = ",\n        ".join(expressions)
    return f"def f(a, r, z, i, x):\n    return (\n        {items},\n    )\n"


def given(dtype: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.array([0.3 - 1.7j, -2.5 + 0.1j, 0], dtype), np.array([1.5, -2.0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_same_bits(dtype: str, make: Callable[[str], Native]) -> None:
    compiled = make("import cmath\n" + listed(SAME))
    for z, i, x in ((0.4 + 0.9j, 3, 2.5), (-1.5 - 0.2j, 2, -0.75), (2.5 + 0j, 1, 2.5)):
        arguments = (*given(dtype), z, i, x)
        expected, seen = (Outcome.of(each, arguments) for each in (compiled.function, compiled))
        wrong = [each for each in zip(SAME, expected.result, seen.result, strict=True) if each[1] != each[2]]
        assert wrong == []
    assert compiled.runs["compiled"] == 3, compiled.runs


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_rounded_functions(dtype: str, make: Callable[[str], Native]) -> None:
    compiled = make("import cmath\n" + listed(ROUNDED))
    arguments = (*given(dtype), -0.4 + 0.9j, 3, 2.5)
    expected, seen = compiled.function(*arguments), compiled(*arguments)
    assert [type(each) for each in seen] == [type(each) for each in expected]
    np.testing.assert_allclose(seen, expected, rtol=1e-6 if dtype == "complex64" else 1e-13)
    assert compiled.runs["compiled"] == 1, compiled.runs


RAISING: list[tuple[str, complex]] = [
    ("1 / z", 0j),
    ("(1 + 1j) / (z - z)", 1 + 1j),
    ("z ** -1", 0j),
    ("z ** 1j", 0j),
    ("z ** 90", 1e300j),
    ("abs(z)", 1.7e308 + 1.7e308j),
    ("cmath.exp(z * 1000)", 1 + 0j),
]


@pytest.mark.parametrize(("text", "z"), RAISING)
def test_errors_of_values(text: str, z: complex, make: Callable[[str], Native]) -> None:
    compiled = make(f"import cmath\ndef f(a, z):\n    a[0] = 1j\n    return {text}\n")
    arguments = np.zeros(2, complex), z
    assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)


WRONG_TYPES = [
    "z < 1.0",
    "z // 2",
    "z % 2",
    "int(z)",
    "float(z)",
    "math.sqrt(z)",
    "max(z, 1)",
    "~z",
    "round(z)",
]


@pytest.mark.parametrize("text", WRONG_TYPES)
def test_errors_of_types(text: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(a, z):\n    return {text}\n")
    compiled.on_fallback = "warn"
    with pytest.raises(TypeError):
        compiled(np.zeros(2, complex), 1 + 1j)
    assert compiled.runs["compiled"] == 0


def test_stores(make: Callable[[str], Native]) -> None:
    compiled = make(
        "def f(a, b, r):\n    for k in range(3):\n        a[k] = b[k] * 1j\n        b[k] += r[k] - k\n"
        "        a[k] *= b[k].real\n"
    )
    for first, second in (("complex64", "complex128"), ("complex128", "complex64")):
        arguments = np.zeros(3, first), np.array([1j, 2.5, -3 + 1j], second), np.array([0.5, -1, 2])
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert compiled.runs["compiled"] == 2, compiled.runs


def test_complex_number_into_real_array(make: Callable[[str], Native]) -> None:
    compiled = make("def f(r, z):\n    r[0] = 1.0\n    r[1] = z\n")
    compiled.on_fallback = "warn"
    r = np.zeros(3)
    with pytest.raises(TypeError):
        compiled(r, 1 + 1j)
    assert r.tolist() == [1, 0, 0]


def test_starts_as_an_integer(make: Callable[[str], Native]) -> None:
    """The name holds an int in the first iteration, and complex numbers after that."""
    compiled = make(
        "def f(c, most):\n"
        "    z = 0\n"
        "    for n in range(most):\n"
        "        if abs(z) > 2:\n"
        "            return n, z\n"
        "        z = z * z + c\n"
        "    return most, z\n"
    )
    for c in (-0.7 + 0.3j, 1 + 1j, np.complex128(0.3 + 0.6j), np.complex64(0.3 + 0.6j), 0.25, 1):
        assert Outcome.of(compiled, (c, 30)) == Outcome.of(compiled.function, (c, 30)), c
    assert compiled.runs["compiled"] == 6, compiled.runs


def test_roots_of_a_polynomial(make: Callable[[str], Native]) -> None:
    """A name that only the inner loop sets is read after it; there it raises if that loop made no trip."""
    compiled = make(
        "import cmath\n"
        "def f(out, n, most):\n"
        "    for i in range(n):\n"
        "        z = complex(i / n - 0.5, 1 / (i + 1))\n"
        "        for k in range(most):\n"
        "            step = (z**3 - 1) / (3 * z**2)\n"
        "            z -= step\n"
        "            if abs(step) < 1e-9:\n"
        "                break\n"
        "        out[i] = k + 10 * z.imag\n"
    )
    for most in (20, 0):
        arguments = np.zeros(40), 40, most
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert compiled.runs["compiled"] == 2, compiled.runs


@pytest.mark.parametrize("kind", [complex, np.complex128, np.complex64, float])
def test_magnitude_beside_a_bound(kind: Any, make: Callable[[str], Native]) -> None:
    """Squares decide where they can, and agree with the magnitude everywhere."""
    tests = [
        "abs(z) > 2",
        "abs(z) >= 2",
        "abs(z) < 2.0",
        "abs(z) <= 2",
        "abs(z) > 1e-90",
        "2 < abs(z) < 3",
    ]
    lines = [f"    if {each}:\n        found += {2**k}\n" for k, each in enumerate(tests)]
    compiled = make("def f(z):\n    found = 0\n" + "".join(lines) + "    return found\n")
    generator = np.random.default_rng(5)
    angles = generator.uniform(0, 7, 300)
    sizes = 2 * (1 + generator.integers(-60, 60, 300) * 2.0**-53)
    beside = [
        *(sizes * np.exp(1j * angles)),
        2,
        2j,
        -2j,
        0,
        1e-90,
        1e-200j,
        1e200 + 1e200j,
        np.nan,
        np.inf * 1j,
    ]
    given = (
        beside if np.issubdtype(kind, np.complexfloating) else [each.real for each in map(complex, beside)]
    )
    for z in map(kind, given):
        assert Outcome.of(compiled, (z,)) == Outcome.of(compiled.function, (z,)), z
    overflows = (kind(1.5e308 + 1.5e308j),) if kind is complex else (kind(3),)
    assert Outcome.of(compiled, overflows) == Outcome.of(compiled.function, overflows)
