"""A subscript by a name that could be a mask has its line; one by a key or a position has none."""

from __future__ import annotations

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options, Outcome, Site
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.types.values import value_of


def sites(*lines: str, head: str = "def f(x, m, k):") -> tuple[Site, ...]:
    body = "\n    ".join(lines)
    return rewrite_source(f"import numpy as np\n\n\n{head}\n    {body}\n", "f.py", Options()).sites


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["x[m] = 0"], "refused[dtype-unknown]"),
        (["x[m] += 1"], "refused[dtype-unknown]"),
        (["x[~m] = 0"], "refused[dtype-unknown]"),
        (["x[m & k] = 0"], "refused[dtype-unknown]"),
        (["x[m], k = 0, 1"], "refused[second-index]"),
        (["x[m] = k[m] = 0"], "refused[second-index]"),
        (["n = x[m].sum()"], "refused[dtype-unknown]"),
        (["w = x[m]"], "refused[selection-escapes]"),
        (["return k(x=x[m])"], "refused[selection-escapes]"),
        (["y = np.zeros(3)", "y[m] = 0"], "refused[dtype-unknown]"),
        (["y = np.zeros(3)", "return y[m]"], "refused[selection-escapes]"),
        (["y = np.zeros(3)", "w = chosen(x)", "y[w] = 0"], "refused[dtype-unknown]"),
        (["w = chosen(x)", "if w.any():", "    x[w] = 0"], "refused[dtype-unknown]"),
        (["y = 2 * x", "y[m] = 0"], "refused[dtype-unknown]"),
        (["if m is None:", "    return x", "x[m] = 0"], "refused[dtype-unknown]"),
    ],
    ids=lambda each: "; ".join(each) if isinstance(each, list) else "",
)
def test_what_may_be_a_mask_has_a_line(lines: list[str], verdict: str) -> None:
    assert verdict in [site.verdict for site in sites(*lines)]


@pytest.mark.parametrize("statement", ["x[m] = i", "x[m] *= x[m]", "k = x[m]", "k[~m] = x[~m]"])
def test_a_loop_waits_for_the_types_of_a_call(statement: str) -> None:
    found = sites("for i in range(9):", f"    {statement}", "return x, k")
    assert {(site.code, site.outcome) for site in found} >= {("NPR401", Outcome.DEFERRED)}
    assert {site.outcome for site in found} == {Outcome.DEFERRED}


@pytest.mark.parametrize(
    "lines",
    [
        ["if m in x:", "    x[m] = 0"],
        ["x.setdefault(k, 0)", "x[m] = 0"],
        ["x[m] = 0", "return x[m + 1]"],
        ["x[m] = 0", "return x[m:]"],
        ["x[m] = 0", "return f'{m}'"],
        ["x[m] = 0", "del x[k]"],
        ["if m == 'name':", "    x[m] = 0"],
        ["if x[m] > 0:", "    return k"],
        ["return x[m][k]"],
        ["return x[m].name"],
        ["return [each for each in x[m]]"],
        ["return k[x[m]]"],
        ["x[m], x[k] = x[k], x[m]"],
        ["w = m.argsort()", "y = np.zeros(3)", "return y[w]"],
        ["w = slice(m, k)", "y = np.zeros(3)", "y[w] = 0"],
        ["w = chosen(x)", "x[w] = 0"],
        ["w = k[0]", "y = np.zeros(3)", "y[w] = 0"],
        ["y = {}", "y[m] = 0"],
        ["y = [0] * 3", "y[m] = 0"],
        ["y = dict(a=k)", "y[m] = 0"],
        ["return [x[each] for each in k]"],
    ],
    ids="; ".join,
)
def test_keys_and_positions_have_none(lines: list[str]) -> None:
    assert sites(*lines) == ()


@pytest.mark.parametrize(
    "head",
    [
        "def f(x: dict, m, k=0):",
        "def f(x, m: str, k=0):",
        "def f(x: list[float], m: int, k=0):",
        "def f(x, m='name', k=0):",
        "def f(x, m=-1, k=0):",
        "def f(m, x={}, k=0):",
        "def f(m, k, **x):",
        "def f(m, k, *x):",
    ],
)
def test_annotations_and_defaults_tell_keys_and_containers(head: str) -> None:
    assert sites("return x[m]", head=head) == ()


@pytest.mark.parametrize("head", ["def f(x: np.ndarray, m: 'np.ndarray | None'):", "def f(x, m=None):"])
def test_annotations_and_defaults_of_arrays_do_not(head: str) -> None:
    assert [site.verdict for site in sites("x[m] = 0", head=head)] == ["refused[dtype-unknown]"]


@pytest.mark.parametrize(("attribute", "reported"), [("u", True), ("names", False)])
def test_attributes_that_the_class_says_are_arrays(attribute: str, reported: bool) -> None:
    text = f"""\
import numpy as np


class Field:
    def __init__(self, n):
        self.u, self.names = None, {{}}
        self.u = np.zeros(n)

    def damp(self, m):
        self.{attribute}[m] = 0.0
"""
    found = rewrite_source(text, "field.py", Options()).sites
    assert [site.reason for site in found] == (["not-local"] if reported else [])


def test_what_a_call_has_not_shown_as_an_array_is_none() -> None:
    text = "import numpy as np\n\n\ndef f(x, m):\n    x[m] = 0\n"
    found = rewrite_source(text, "f.py", Options(), {"f": {}}, "f").sites
    assert "NPR101" not in [site.code for site in found]


CONDITIONS = ["(k < 3) | (k > 3)", "(k < 3) & (k > 1)", "(k < 3) ^ (k < 1)", "k < 3"]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_truth_of_numbers_is_an_index_that_copies(condition: str) -> None:
    """``x[True]`` is a copy, where ``x[1]`` is a view."""
    text = (
        "import numpy as np\n\n\ndef f(x, k):\n    for n in range(3):\n"
        f"        chosen = {condition}\n        x[chosen] = np.minimum(x[chosen] * 2, n * 0.5 + 1)\n"
    )
    given = {"f": {"x": value_of(np.ones((4, 4)), "x@parameter"), "k": value_of(2, "k@parameter")}}
    assert rewrite_source(text, "f.py", Options(), given, only="f").text == text
