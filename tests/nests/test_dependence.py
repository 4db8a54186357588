"""Which dependences a nest has, which loops may run in lockstep, and the evidence."""

from __future__ import annotations

import ast

import pytest

from nprewrite.program.function import Module
from nprewrite.regions.nests.dependence import carried, dependences
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.reader import read_nest
from nprewrite.regions.nests.tree import Loop, nodes
from nprewrite.source.document import Document

HEAD = """\
import numpy as np
def f(n: int, m: int):
    u = np.zeros((n, n))
    x = np.zeros(n)
    y = np.zeros(n)
"""


def nest(body: str) -> Nest:
    """The nest of the loop ``body`` in a function with square ``u`` and vectors ``x`` and ``y``."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    module = Module(Document(f"{HEAD}{lines}\n"), {})
    function = module.functions[1]
    assert isinstance(function.node, ast.FunctionDef)
    loop = function.node.body[-1]
    assert isinstance(loop, ast.For)
    assert function.facts
    found = read_nest(loop, function)
    assert isinstance(found, Nest), found
    return found


def lockstep(body: str) -> str:
    """The loops that may, each by itself, run in lockstep."""
    each = nest(body)
    found = list(dependences(each))
    loops = [each.root, *(node for node in nodes(each.root.body) if isinstance(node, Loop))]
    return "".join(loop.name for loop in loops if carried(found, [loop]) is None)


JACOBI = (
    "for i in range(1, n - 1):\n for j in range(1, n - 1):\n  {} = u[i - 1, j] + u[i + 1, j] + u[i, j - 1]"
)


@pytest.mark.parametrize(
    ("body", "free"),
    [
        ("for i in range(n):\n x[i] = y[i]", "i"),
        ("for i in range(1, n):\n x[i] = x[i - 1]", ""),
        ("for i in range(n - 1):\n x[i] = x[i + 1]", "i"),
        ("for i in range(n - 1, 0, -1):\n x[i] = x[i - 1]", "i"),
        ("for i in range(n - 2, -1, -1):\n x[i] = x[i + 1]", ""),
        ("for i in range(0, n - 1, 2):\n x[i] = x[i + 1]", "i"),
        ("for i in range(1, n, 2):\n x[i] = x[i - 1]", "i"),
        ("for i in range(2, n, 2):\n x[i] = x[i - 2]", ""),
        ("for i in range(1, n):\n x[i] = x[0]", "i"),
        ("for i in range(n):\n x[i] = x[0]", ""),
        ("for i in range(n):\n x[0] = y[i]", ""),
        ("for i in range(n):\n x[2 * i] = x[2 * i + 1]", "i"),
        ("for i in range(n):\n x[i] = y[n - 1 - i]", "i"),
        ("for i in range(n):\n x[i] = x[n - 1 - i]", ""),
        ("for i in range(n):\n x[i] = y[i]\n y[i] = x[i]", "i"),
        ("for i in range(1, n):\n x[i] = y[i]\n y[i] = x[i - 1]", "i"),
        ("for i in range(1, n):\n y[i] = x[i - 1]\n x[i] = y[i]", ""),
        (JACOBI.format("u[i, j]"), ""),
        ("for i in range(1, n):\n for j in range(n):\n  u[i, j] = u[i - 1, j]", "j"),
        ("for i in range(n):\n for j in range(1, n):\n  u[i, j] = u[i, j - 1]", "i"),
        ("for i in range(1, n):\n for j in range(n - 1):\n  u[i, j] = u[i - 1, j + 1]", "j"),
        ("for i in range(n):\n for j in range(i + 1, n):\n  u[i, j] = u[j, i]", "ij"),
        ("for i in range(n):\n for j in range(n):\n  u[i, j] = u[j, i]", "j"),
        (
            "for k in range(n):\n for i in range(k + 1, n):\n  for j in range(k + 1, n):\n"
            "   u[i, j] -= u[i, k] * u[k, j]",
            "ij",
        ),
        ("for i in range(n):\n if i > 0:\n  x[i] = x[0]", "i"),
        ("for i in range(n):\n for k in range(n):\n  x[i] = x[i] + u[i, k]", "i"),
    ],
)
def test_loops_in_lockstep(body: str, free: str) -> None:
    assert lockstep(body) == free


def test_evidence_names_accesses_and_distance() -> None:
    each = nest("for i in range(2, n):\n y[i] = 1.0\n x[i] = x[i - 2]")
    found = carried(dependences(each), [each.root])
    assert found is not None
    assert (found.distance, found.loop.name, found.first.write, found.second.write) == (2, "i", True, False)
    assert found.sentence(8, 8) == "line 8 reads `x[i - 2]`, which iteration i - 2 wrote on the same line"
    assert "on line 7" in found.sentence(8, 7)


def test_unknown_index_may_be_any_element() -> None:
    each = nest("for i in range(n):\n x[i] = x[i * i]")
    found = carried(dependences(each), [each.root])
    assert found is not None
    assert found.distance is None
    assert "another iteration over `i` may have written" in found.sentence(7, 7)
