"""Annotations and ``global`` in functions, as far as they mean nothing, are not in the tree."""

from __future__ import annotations

import ast
import textwrap

import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.document import Document


def statements_of(text: str) -> list[str]:
    tree = Document(textwrap.dedent(text)).tree
    return [ast.unparse(each) for each in tree.body[-1].body]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("x: float = 1.0", "x = 1.0"),
        ("x: float", "x: float"),
        ("x.y: float = 1.0", "x.y: float = 1.0"),
        ("if k:\n        x: int = 1", "if k:\n    x = 1"),
        ("global k\n    return k", "pass"),
        ("global k\n    k = 1", "global k"),
        ("global k\n    k += 1", "global k"),
        ("global k\n    del k", "global k"),
        ("global k, m\n    m[0] = k", "global k, m"),
        ("global k\n    import numpy as k", "global k"),
        ("global k\n    def k(): pass", "global k"),
        ("global k\n    def inner():\n        return k", "pass"),
    ],
)
def test_the_first_statement_of_a_function(body: str, left: str) -> None:
    assert statements_of(f"def f(x, k2):\n    {body}\n")[0] == left


def test_other_scopes_stay_as_they_are() -> None:
    text = "x: float = 1.0\nclass A:\n    y: int = 2\n    def f(self):\n        z: int = 3\n"
    tree = Document(text).tree
    assert ast.unparse(tree) == text.replace("z: int = 3", "z = 3").replace("1.0\n", "1.0\n\n").replace(
        "2\n", "2\n\n"
    ).rstrip("\n")


def test_a_function_in_a_function_keeps_its_global() -> None:
    text = "def f():\n    k = 1\n\n    def g():\n        global k\n        return k\n    return g()\n"
    assert "global k" in ast.unparse(Document(text).tree)


def test_what_is_rewritten_keeps_the_words_of_its_text() -> None:
    text = textwrap.dedent("""
        import numpy as np


        def f(n):
            global rate
            u = np.linspace(0.0, 1.0, 1000)
            for _ in range(n):
                a: np.ndarray = np.exp(-u)
                u = u + 0.01 * (a - u)
            return u
    """)
    made = rewrite_source(text, "program.py", Options()).text
    assert "global rate" in made
    assert made.count("a: np.ndarray = np.exp(-u)") == 2
