"""Functions with two names for one object, and the same with one name."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from inlined import body_of_main, inlined, outcome

from nprewrite.program.aliases import without_aliases

UNIFIED = {
    "changed in place": ("s = x * 0.5\nf = s\no = s * s\nf -= y\nreturn f, o", "f"),
    "bound anew": ("s = x * 0.5\nf = s\nf = f + s\nreturn f", "f"),
    "never changed": ("s = x * 0.5\nf = s\nreturn f + s, f * s", "f"),
    "of a parameter": ("f = x\ng = f + y\nreturn f, g", "f"),
    "of a parameter that is bound anew": ("x = x + 1\nf = x\nf -= y\nreturn f", "f"),
    "of an alias": ("s = x + 1\nf = s\ng = f\nreturn g - y", "fg"),
    "stored into": ("s = x + y\nf = s\nf[:1] = 7\nreturn f, s", "f"),
    "the other is bound anew": ("s = x + 1\nf = s\ns = f * 2\nreturn s", "f"),
    "bound in a loop": ("s = x + 1\nf = s\nfor k in range(3):\n    f = f + y\nreturn f", "f"),
    "bound in a branch": ("s = x + 1\nf = s\nif y is not None:\n    f = f + y\nreturn f", "f"),
}
STAYS = {
    "both read after a change": "s = x * 0.5\nf = s\nf -= y\nreturn f, s",
    "read after it is bound anew": "s = x * 0.5\nf = s\ns = s + y\nreturn f, s",
    "changed in a loop, read in the next iteration": (
        "s = x * 0.5\nf = s\nfor k in range(3):\n    f = f + s\nreturn f"
    ),
    "bound in a branch, both read": "s = x + 1\nf = s\nif y is not None:\n    f = f + y\nreturn f - s",
    "bound in a branch": "s = x + 1\nif y is not None:\n    f = s\nelse:\n    f = x\nf = f + 1\nreturn f - s",
    "bound before": "f = x + 1\ns = f * 2\nf = s\nf = f + 1\nreturn f",
    "a parameter": "s = y\ns = s + 1\nx = y\nx = x + s\nreturn x",
    "of a parameter that is not": "f = x\nf = f + y\nreturn f",
    "perhaps without a value": "if y is None:\n    s = x\nf = s\nreturn f + 1",
    "perhaps without a value, and never read": "if y is None:\n    s = x\nf = s\nreturn y",
    "of a name of the module": "f = LEVEL\nf = f + x\nreturn f",
    "in two statements": "s = x * 1\nf = s\nf = s = x + y\nreturn f, s",
    "in a function inside": "s = x + 1\nf = s\ndef g():\n    return s\nf = f + y\nreturn f, g()",
    "in a lambda": "s = x + 1\nf = s\ng = lambda: s\nf = f + y\nreturn f, g()",
    "in a comprehension": "s = x + 1\nf = s\ng = [s for s in range(3)]\nf = f + y\nreturn f, g",
    "deleted": "s = x + 1\nf = s\ndel s\nf = f + y\nreturn f",
    "global": "global LEVEL\nLEVEL = x + 1\nf = LEVEL\nf = f + y\nreturn f",
    "bound in an expression": "s = x + 1\nf = s\ng = (f := f + y) * s\nreturn f, g",
    "an error on the way": "s = x + 1\nf = s\ntry:\n    f = f + y\nexcept TypeError:\n    pass\nreturn f",
}


def defined(body: str) -> ast.FunctionDef:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (function,) = ast.parse(f"def main(x, y):\n{lines}\n").body
    assert isinstance(function, ast.FunctionDef)
    return function


@pytest.mark.parametrize(("body", "gone"), UNIFIED.values(), ids=UNIFIED)
def test_one_name_in_place_of_two(body: str, gone: str) -> None:
    function = defined(body)
    made = without_aliases(function)
    assert {each.id for each in ast.walk(made) if isinstance(each, ast.Name)}.isdisjoint(gone)
    assert ast.unparse(function) == ast.unparse(defined(body))
    assert_same(ast.unparse(function), ast.unparse(made))


@pytest.mark.parametrize("body", STAYS.values(), ids=STAYS)
def test_names_that_can_be_told_apart_stay(body: str) -> None:
    assert ast.unparse(without_aliases(defined(body))) == ast.unparse(defined(body))


def test_a_function_of_an_alias_alone() -> None:
    assert ast.unparse(without_aliases(defined("f = x"))) == "def main(x, y):\n    pass"


def test_an_inlined_function_has_one_name_for_its_flux() -> None:
    program = """
        def flux_of(left, right):
            star = 0.5 * (left + right)
            flux, other = star, star * star
            flux -= right
            return flux, other

        def main(x, y):
            f, g = flux_of(x, y)
            return f, g
        """
    text = inlined(program)
    assert body_of_main(text) == "f = 0.5 * (x + y)\ng = f * f\nf -= y\nreturn f, g\n"
    assert_same(program, text)


def assert_same(program: str, text: str) -> None:
    """Both return and leave behind the same, for arrays and for numbers."""
    for x, y in ((np.arange(3.0), np.ones(3)), (2.0, 0.5)):
        results: list[Any] = []
        for each in (program, text):
            one, other = np.copy(x) if np.ndim(x) else x, np.copy(y) if np.ndim(y) else y
            results.append((outcome(each, one, other), one, other))
        assert repr(results[0]) == repr(results[1])
