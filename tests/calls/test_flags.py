"""Flags among a function's own parameters: for each value that is tested for, the function is another one."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns
from nprewrite.program.constant_branches import Constant, NoneOf, constant
from nprewrite.program.flags import flags

PROGRAM = """
def bounds(b, x, mode="free"):
    if b == 1:
        x[0] = -x[1]
    elif b in (2, -3):
        x[0] = x[1]
    x[-1] = 0.0 if mode == "fixed" else x[-2]

def relax(n, b, x, source, mode="free", *others, quiet=True):
    for k in range(n):
        x[1:-1] = 0.5 * (x[:-2] + x[2:]) + source[1:-1]
        bounds(b, x, mode=mode)
        if not quiet:
            print(k)

class Solver:
    def step(self, x, order):
        self.inner(x, order)

    def inner(self, x, order):
        if n == 3 or order is True:
            pass
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (2, {"b": {1, 2, -3}, "mode": {"fixed"}}),
        (9, {"b": {1, 2, -3}, "mode": {"fixed"}, "quiet": {0, ""}}),
        (17, {"order": {True}}),
        (1, {}),
    ],
)
def test_flags_are_found_in_the_functions_that_are_called_too(line: int, expected: dict[str, Any]) -> None:
    assert flags(line, ast.parse(PROGRAM)) == expected


def value(text: str, **known: Any) -> Any:
    return constant(ast.parse(text, mode="eval").body, {name: Constant(each) for name, each in known.items()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b == 1", False),
        ("b != 2", True),
        ("1 == b or b == 2", False),
        ("b in (1, 2)", False),
        ("b not in [2, 1]", True),
        ("b is None", False),
        ("b is True", False),
        ("not (b == 1)", True),
    ],
)
def test_of_another_value_is_known_that_it_is_none_of_the_literals(text: str, expected: bool) -> None:
    assert value(text, b=NoneOf(frozenset([1, 2]))).truth is expected


@pytest.mark.parametrize(
    "text", ["b == 3", "b > 1", "b in (1, 3)", "not b", "b + 1", "b is False", "b == c", "b and b == 1"]
)
def test_and_no_more_than_that(text: str) -> None:
    found = value(text, b=NoneOf(frozenset([1, 2])), c=NoneOf(frozenset([1, 2])))
    assert found is None or found.truth is None


def test_where_nothing_false_is_left_it_counts_as_true() -> None:
    assert value("b", b=NoneOf(frozenset([0, ""]))).truth is True
    assert value("b", b=NoneOf(frozenset([0]))).truth is None


def bounds(n: int, b: Any, x: Any) -> None:
    x[0, 1:-1] = -x[1, 1:-1] if b == 1 else x[1, 1:-1]
    if b == 2:
        x[1:-1, 0] = -x[1:-1, 1]
    else:
        x[1:-1, 0] = x[1:-1, 1]


def relax(n: int, b: Any, x: Any, source: Any) -> None:
    for _ in range(n):
        x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) + source[1:-1, 1:-1]
        bounds(n, b, x)


def filtered(x: Any, n: int = 3, mode: str = "reflect", *, scaled: bool = False) -> Any:
    for _ in range(n):
        left = np.roll(x, 1) if mode == "wrap" else np.concatenate((x[:1], x[:-1]))
        x = 0.5 * (x + left)
        if scaled:
            x = x / 2
    return x


def rebound(x: Any, b: int) -> Any:
    y = x * 2
    b = b + 1
    if b == 2:
        y = y + 1
    return y * y


def rebound_elsewhere(x: Any, b: int) -> Any:
    def change() -> None:
        nonlocal b
        b = 2

    y = x * 2
    change()
    if b == 2:
        y = y + 1
    return y * y


def rebound_by_a_handler(x: Any, b: Any) -> Any:
    y = x * 2
    try:
        int("two")
    except ValueError as b:
        y = y - 1 if b == 2 else y * 3  # type: ignore[comparison-overlap]
    return y * y


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


@pytest.mark.usefixtures("compiled")
def test_a_loop_that_hands_a_flag_on_is_a_step() -> None:
    decorated = nprewrite.jit(relax)
    source = np.random.default_rng(0).random((150, 150))
    for b in (1, 2, 0, 3, True, np.int64(2), 1.0, None, "1", 1, 2, 0):
        mine, theirs = source.copy(), source.copy()
        decorated(4, b, mine, source)
        relax(4, b, theirs, source)
        np.testing.assert_allclose(mine, theirs, rtol=1e-13)
        plain = type(b) in (int, bool, str)
        assert str(decorated.report()).count("NPR401") == plain, b


@pytest.mark.usefixtures("compiled")
def test_a_flag_may_be_text_a_truth_value_or_left_out() -> None:
    decorated = nprewrite.jit(filtered)
    x = np.random.default_rng(0).random(40_000)
    for given in ({}, {"mode": "wrap"}, {"scaled": True}, {"mode": "wrap", "scaled": True}, {"mode": "else"}):
        np.testing.assert_allclose(decorated(x, **given), filtered(x, **given), rtol=1e-13)
        assert not re.search(r"\bif (mode|scaled)|if mode", decorated.source), given
    np.testing.assert_allclose(decorated(x, 2, "wrap"), filtered(x, 2, "wrap"), rtol=1e-13)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("function", [rebound, rebound_elsewhere, rebound_by_a_handler])
def test_a_parameter_that_is_bound_again_is_no_flag(function: Any) -> None:
    decorated = nprewrite.jit(function)
    x = np.arange(30_000.0)
    for b in (1, 2, 1):
        np.testing.assert_array_equal(decorated(x, b), function(x, b))


def test_what_is_kept_for_one_flag_is_kept_for_no_other() -> None:
    """By defaults too, which someone may set."""
    decorated = nprewrite.jit(wait=True)(filtered)
    x = np.random.default_rng(0).random(40_000)
    for mode in 12 * ("wrap",) + 12 * ("reflect",) + ("wrap", "reflect"):
        np.testing.assert_allclose(decorated(x, 3, mode), filtered(x, 3, mode), rtol=1e-13)
    before = filtered.__defaults__
    try:
        for defaults in ((3, "wrap"), (3, "reflect"), (3, "wrap")):
            filtered.__defaults__ = defaults
            np.testing.assert_allclose(decorated(x), filtered(x), rtol=1e-13)
    finally:
        filtered.__defaults__ = before
