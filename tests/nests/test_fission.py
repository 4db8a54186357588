"""Which statements of a loop stay together, and which numbers every part computes for itself."""

from __future__ import annotations

import ast

import pytest
from test_dependence import nest

from nprewrite.regions.nests.dependence import dependences
from nprewrite.regions.nests.fission import Fission, fission


def split(body: str, live: tuple[str, ...] = ()) -> Fission:
    """The components of a loop over ``i`` from 1 to ``n - 1`` with these statements."""
    lines = "\n".join(f" {line}" for line in body.splitlines())
    each = nest(f"for i in range(1, n - 1):\n{lines}")
    return fission(each, list(dependences(each)), live)


def lines(found: Fission) -> list[list[int]]:
    """The line of each statement in the loop, for each component."""
    return [[node.node.lineno - 6 for node in each] for each in found.components]


@pytest.mark.parametrize(
    ("body", "together"),
    [
        ("x[i] = 1.0\ny[i] = x[i]", [[1], [2]]),
        ("x[i] = x[i - 1]\ny[i] = x[i]", [[1], [2]]),
        ("x[i] = y[i - 1]\ny[i] = x[i]", [[1, 2]]),
        ("x[i] = y[i + 1]\ny[i] = x[i]", [[1], [2]]),
        ("x[i] = 1.0\ny[i] = x[i + 1]\nx[i] = 2.0", [[1], [2], [3]]),
        ("t = x[i]\ny[i] = t", [[1], [2]]),
        ("y[i] = t\nt = x[i]", [[1, 2]]),
        ("t = x[i]\ny[i] = t\nt = 2.0 * x[i]\nu[i, 0] = t", [[1, 2, 3, 4]]),
        ("t = t + x[i]\ny[i] = t", [[1], [2]]),
        ("if x[i] > 0:\n t = x[i]\ny[i] = t", [[1], [3]]),
        ("for j in range(n):\n u[i, j] = x[i]\nfor j in range(n):\n y[j] += u[i, j]", [[1], [3]]),
    ],
)
def test_components(body: str, together: list[list[int]]) -> None:
    assert lines(split(body)) == together


def test_components_know_what_they_need() -> None:
    found = split("y[i] = x[i + 1]\nx[i] = 1.0\nu[i, 0] = y[i] + x[i]")
    assert found.needs == (frozenset(), frozenset({0}), frozenset({0, 1}))


def test_an_element_that_is_read_ahead_is_read_first() -> None:
    """In the text the store comes first; each iteration reads what only a later one stores."""
    found = split("x[i] = 1.0\ny[i] = x[i + 1]")
    assert found.needs == (frozenset({1}), frozenset())


@pytest.mark.parametrize(
    ("body", "repeated"),
    [
        ("t = 0.5 * i\nw = t + 1.0\ny[i] = w", ["t", "w"]),
        ("t = np.sin(i)\ny[i] = t", []),
        ("t = x[i]\ny[i] = t", []),
        ("y[i] = t\nt = 0.5 * i", []),
        ("t = 0.5 * i\ny[i] = t\nt = 2.0\nx[i] = t", []),
    ],
)
def test_numbers_that_every_part_computes(body: str, repeated: list[str]) -> None:
    assert [each.name for each in split(body).repeated] == repeated


def test_numbers_that_are_read_after_the_loop_stay_in_it() -> None:
    assert split("t = 0.5 * i\ny[i] = t", ("t",)).repeated == ()


def test_the_last_value_is_that_of_the_last_statement() -> None:
    """Apart, the loop that runs last would leave its own."""
    body = "t = x[i]\nx[i] = t + 1.0\nt = y[i]\ny[i] = y[i - 1] + t"
    assert len(split(body, ("t",)).components) == 1


def test_statements_are_nodes_of_the_nest() -> None:
    (component,) = split("x[i] = x[i - 1]").components
    assert isinstance(component[0].node, ast.Assign)
