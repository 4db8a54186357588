"""Loops over the characters of strings, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

import nprewrite
from nprewrite.runtime import Native

TEXTS = ["", "A", "GATTACA", "naïve", "a😀b", "\ud800x"]

SAME = [
    "len(s)",
    "s[0] == 'G'",
    "s[-1] != t[0]",
    "s[0] < t[0] <= 'z'",
    "min(s[0], t[-1])",
    "ord(s[0]) - ord('A')",
    "not s[0]",
    "s[0] or t[0]",
    "s[0] in 'GAx'",
    "s[n] not in 'AEé'",
    "s[0] in ('G', 'a')",
    "s[n]",
    "s[0] if n else t[-1]",
]


@pytest.mark.parametrize("text", SAME)
def test_same_values(text: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(s, t, n):\n    return {text}\n")
    runs = 0
    for s in TEXTS:
        for n in (-2, 0, 3):
            assert outcome(compiled, s, "abc", n) == outcome(compiled.function, s, "abc", n), (s, n)
            runs += 1
    assert compiled.runs["compiled"] == runs, compiled.runs


def outcome(function: Callable[..., Any], *given: Any) -> Any:
    try:
        value = function(*given)
    except IndexError as error:
        return f"IndexError: {error}"
    return type(value), value


LOOPS = [
    "for c in s:\n        found[0] += c == 'A'",
    "for k, c in enumerate(s):\n        found[k % 3] += ord(c)",
    "for c, d in zip(s, t):\n        found[1] += c != d",
    "for k in range(len(s)):\n        last = s[k]\n        if last == 'T':\n            break",
]


@pytest.mark.parametrize("loop", LOOPS)
def test_loops(loop: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(s, t, found):\n    last = 'x'\n    {loop}\n    return ord(last)\n")
    for s in TEXTS:
        arguments = s, "GATHERS", np.zeros(3)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments), s
    assert compiled.runs["compiled"] == len(TEXTS), compiled.runs


REFUSED = [
    "s[0] + t[0]",
    "s[0] * 2",
    "s[1:] == t",
    "s == t",
    "s[0] == 'GA'",
    "s[0] == 65",
    "s[0] in t",
    "int(s[0])",
    "s.size",
    "s.shape[0]",
    "found[0] + s[0]",
    "found[s[0]]",
    "abs(s[0])",
]


@pytest.mark.filterwarnings("ignore::nprewrite.NprewriteWarning")
@pytest.mark.parametrize("text", REFUSED)
def test_other_operations_stay_in_python(text: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(s, t, found):\n    return {text}\n")
    compiled.on_fallback = "warn"
    expected: Any = None
    try:
        expected = compiled.function("1x", "1", np.zeros(3))
    except (TypeError, AttributeError, IndexError, ValueError, np.exceptions.DTypePromotionError) as error:
        with pytest.raises(type(error)):
            compiled("1x", "1", np.zeros(3))
    else:
        assert compiled("1x", "1", np.zeros(3)) == expected
    assert compiled.runs["compiled"] == 0


@pytest.mark.parametrize("statement", ["s[0] = 'x'", "found[0] = s[0]", "s[0] += 'x'"])
def test_no_store_of_characters(statement: str, make: Callable[[str], Native]) -> None:
    compiled = make(f"def f(s, found):\n    {statement}\n")
    with pytest.raises((TypeError, ValueError)):
        compiled("Ax", np.zeros(3))
    assert compiled.runs["compiled"] == 0


def test_alignment() -> None:
    """A table that is filled row by row from two strings, as a decorated function has it."""

    def align(a: str, b: str, gap: int) -> np.ndarray[Any, Any]:
        table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
        for i in range(1, len(a) + 1):
            table[i, 0] = i * gap
        for i in range(1, len(a) + 1):
            for j in range(1, len(b) + 1):
                score = 1 if a[i - 1] == b[j - 1] else -1
                table[i][j] = max(table[i - 1][j - 1] + score, table[i - 1][j] + gap, table[i][j - 1] + gap)
        return table

    compiled = nprewrite.jit(wait=True)(align)
    generator = np.random.default_rng(3)
    a, b = ("".join(generator.choice([*"ACGT"], count)) for count in (60, 70))
    for first, second in ((a, b), (a, b), (b, a), ("", b), ("é😀", a)):
        np.testing.assert_array_equal(compiled(first, second, -2), align(first, second, -2))
    assert "compiled" in str(compiled.report())
