"""What loops over rows and slices are as loops over elements, and which are read as none."""

from __future__ import annotations

import ast

import pytest

from nprewrite.program.function import Module
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.row_loops import read_array_loop
from nprewrite.regions.nests.triangular_systems import Substitution, substitution
from nprewrite.source.document import Document
from nprewrite.types.problems import Problem

HEAD = """\
import numpy as np
def f(n: int, m: int, other):
    A = np.zeros((n, m))
    L = np.zeros((n, n))
    X = np.zeros((n, m))
    x = np.zeros(n)
    b = np.zeros(n)
    w = np.zeros(m)
    k = np.zeros(n, dtype=np.int64)
    s = 0.0
"""


def read(body: str) -> Nest | Problem:
    """The loop over ``i`` with these statements, read as one over elements."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    module = Module(Document(f"{HEAD}    for i in range(n):\n{lines}\n"), {})
    function = module.functions[1]
    loop = function.node.body[-1]
    assert isinstance(loop, ast.For)
    assert function.facts
    return read_array_loop(loop, function)


def text(body: str) -> str:
    """The statements over elements, as one line each."""
    found = read(body)
    assert isinstance(found, Nest), found
    return "; ".join(
        " ".join(line.strip() for line in ast.unparse(each.node).splitlines()) for each in found.root.body
    )


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("x[i] = 2.0 * b[i]", "x[i] = 2.0 * b[i]"),
        ("A[i] = w", "for index in range(0, A.shape[1]): A[i, index] = w[index]"),
        ("A[i, 1:] = A[i, :-1]", "for index in range(1, A.shape[1]): A[i, index] = A[i, index - 1]"),
        ("A[i] += x[i]", "for index in range(0, A.shape[1]): A[i, index] += x[i]"),
        (
            "x[i] = A[i] @ w",
            "product = 0.0; for index in range(0, A.shape[1]): product += A[i, index] * w[index]; "
            "x[i] = product",
        ),
        (
            "x[i] = A[i].mean()",
            "total = 0.0; for index in range(0, A.shape[1]): total += A[i, index]; x[i] = total / A.shape[1]",
        ),
        ("s += x[i]\nb[i] = s", "s += x[i]; b[i] = s"),
        ("L[:i, i] = x[:i]", "for index in range(0, i): L[index, i] = x[index]"),
    ],
)
def test_elements(body: str, elements: str) -> None:
    assert text(body) == elements


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("A[i] = other[i]", "dtype-unknown"),
        ("A[i] = np.sort(w)", "unknown-call"),
        ("A[i, :2] = x[:3]", "shape-mismatch"),
        ("A[i] = t\nt = x[i]", "scalar-carried"),
        ("row = A[i]\nA[i] = row", "loop-carried"),
        ("A[i, ::2] = 1.0", "index-not-linear"),
        ("x[i] = k[:i].sum()", "not-array-code"),
    ],
)
def test_what_is_not_read(body: str, code: str) -> None:
    found = read(body)
    assert isinstance(found, Problem)
    assert found.code == code


def solved(body: str) -> Substitution | None:
    """The triangular system of the loop with these statements."""
    found = read(body)
    assert isinstance(found, Nest), found
    return substitution(found)


@pytest.mark.parametrize(
    ("body", "unit"),
    [
        ("x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]", False),
        ("x[i] = (b[i] - np.dot(x[:i], L[i, :i])) / L[i, i]", False),
        ("x[i] = b[i] - (L[i, :i] * x[:i]).sum()", True),
        ("x[i] -= L[i, :i] @ x[:i]\nx[i] /= L[i, i]", False),
        ("s = L[i, :i] @ x[:i]\nx[i] = (b[i] - s) / L[i, i]", False),
        ("X[i] = A[i] - L[i, :i] @ X[:i]", True),
        ("X[i] = A[i]\nX[i] -= L[i, :i] @ X[:i]\nX[i] /= L[i, i]", False),
    ],
)
def test_triangular_systems(body: str, unit: bool) -> None:
    found = solved(body)
    assert found is not None
    assert (found.matrix, found.upper, found.unit) == ("L", False, unit)
    assert {found.right, found.unknowns} <= {"b", "x", "A", "X"}


@pytest.mark.parametrize(
    "body",
    [
        "x[i] = (b[i] - L[i, :i] @ x[:i]) / L[0, 0]",
        "x[i] = (b[i] - L[i, :i] @ x[:i]) * L[i, i]",
        "x[i] = (b[i] + L[i, :i] @ x[:i]) / L[i, i]",
        "x[i] = (L[i, :i] @ x[:i] - b[i]) / L[i, i]",
        "x[i] = b[i] / L[i, i] - L[i, :i] @ x[:i]",
        "x[i] = (b[i] - L[:i, i] @ x[:i]) / L[i, i]",
        "x[i] = (b[i] - L[i, :i] @ b[:i]) / L[i, i]",
        "x[i] = (b[0] - L[i, :i] @ x[:i]) / L[i, i]",
        "x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]\nb[i] = 0.0",
        "x[i] = b[i] - L[i, :i] @ x[:i] - L[i, :i] @ x[:i]",
        "x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i] / L[i, i]",
    ],
)
def test_near_to_triangular_systems(body: str) -> None:
    assert solved(body) is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("d = x - x[i]\nL[i, :] = d * d", None),
        ("d = x - x[i]\ne = d * 2\nb[i] = (d * e).sum()", None),
        ("d = x - x[i]\nL[i, :] = x", "not-array-code"),
        ("d = x - x[i]\nfor j in range(m):\n    L[i, :] = d", "not-array-code"),
        ("d = x - x[i]\nd *= 2\nL[i, :] = d", "not-array-code"),
        ("d = x - b[i]\nb[i] = 2.0\nL[i, :] = d", "loop-carried"),
        ("d = L[:, i] * 2\nL[i, :] = d", "loop-carried"),
    ],
)
def test_rows_that_each_iteration_makes(body: str, reason: str | None) -> None:
    """They are elements where they are read, if nothing they are made of changes and each is read."""
    found = read(body)
    assert reason is None or isinstance(found, Problem)
    assert (found.code if isinstance(found, Problem) else None) == reason
