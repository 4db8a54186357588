"""Of a module's text only the functions stay that decide what one of them is rewritten to."""

from __future__ import annotations

import pytest

from nprewrite.source.excerpt import excerpt, restored

TEXT = """import numpy as np
SIZE = 3
doubled = lambda x: twice(x)


def twice(x):
    return 2 * x

# A comment.
def single(): return 3

class Model:
    def advance(self):
        return drift(self.x)


def drift(x):
    return x + 1.0


@np.vectorize
def other(
    x,
):
    return x


def far(x):
    def inner(x):
        return x
    return inner(x)


def rescale():
    global SIZE
    SIZE = 4


def root(x, model):
    return doubled(x) * model.advance()


def main():
    return root(other(far(1.0)), Model())


main()
"""


def functions(text: str) -> set[str]:
    """The names of the functions in a text."""
    names = ["twice", "drift", "other", "far", "rescale", "root", "main", "advance"]
    return {name for name in names if f"def {name}(" in text}


@pytest.mark.parametrize(
    ("name", "others", "expected"),
    [
        ("root", (), {"root", "twice", "drift"}),
        ("twice", (), {"twice"}),
        ("twice", ("far",), {"twice", "far"}),
        ("Model.advance", (), {"drift"}),
        ("far.<locals>.inner", (), {"far"}),
        ("main", (), {"main", "root", "other", "far", "twice", "drift"}),
    ],
)
def test_what_a_function_leads_to_stays(name: str, others: tuple[str, ...], expected: set[str]) -> None:
    # What is in classes, and what binds a name of the module, stays in any case.
    assert functions(excerpt(TEXT, name, others)) == expected | {"rescale", "advance"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_keep_their_numbers(end: str) -> None:
    text = TEXT.replace("\n", end)
    for line, written in zip(excerpt(text, "root").split(end), text.split(end), strict=True):
        assert line in ("", written) or '"""' in line
    assert excerpt(text, "main", ["single"]) == text
    assert restored(
        excerpt(text, "root").replace("root", "base"), excerpt(text, "root"), text
    ) == text.replace("def root", "def base")


def test_a_function_of_which_a_method_is_named_like_another_stays() -> None:
    made = "def made():\n    class A:\n        def f(self):\n            pass\n    return A()\n\n"
    text = f"{made}def g(a):\n    a.f()\n"
    assert excerpt(text, "g") == text
