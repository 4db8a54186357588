"""Loops that stop where an error is small enough: which of them float32 may never reach.

Near 1, two numbers of float32 are 2**-23 apart, and what an iteration computes wavers by some of these
steps: below ``REACH`` an error may never fall. The data are taken to be of the size of 1, as a tolerance that
is written as a number takes them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from nprewrite.facts.function import Function
from nprewrite.facts.problems import Problem
from nprewrite.facts.values import Scalar

REACH = 2.0**-20
"""Eight units in the last place of 1."""

_CLOSE = {"numpy.allclose", "numpy.isclose", "math.isclose"}


def tolerance_problem(function: Function, computed: Callable[[ast.expr], bool]) -> Problem | None:
    """The first test that ends a loop and that float32 may never pass.

    ``computed`` says whether an expression is computed in single precision.
    """
    for test, endless in _tests(function):
        compared = [each for each in ast.walk(test) if _compares(each, function, computed)]
        for each in compared:
            problem = _problem(each, endless, function)
            if problem is not None:
                return problem
    return None


def _tests(function: Function) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that end a loop, and whether nothing else does."""
    for statement, outer in function.statements():
        loops = [each for each in outer if isinstance(each, ast.For | ast.While)]
        if isinstance(statement, ast.While):
            yield statement.test, True
        elif isinstance(statement, ast.If) and loops and _leaves(statement):
            yield statement.test, isinstance(loops[-1], ast.While)


def _leaves(statement: ast.If) -> bool:
    return any(
        isinstance(each, ast.Break | ast.Return | ast.Raise)
        for block in (statement.body, statement.orelse)
        for inner in block
        for each in ast.walk(inner)
    )


def _compares(node: ast.AST, function: Function, computed: Callable[[ast.expr], bool]) -> bool:
    """Whether a node compares something computed in single precision."""
    if isinstance(node, ast.Call) and function.dotted(node.func) in _CLOSE:
        return any(computed(each) for each in ast.walk(node) if isinstance(each, ast.expr))
    if not isinstance(node, ast.Compare):
        return False
    return any(computed(each) for each in (node.left, *node.comparators))


def _problem(node: ast.AST, endless: bool, function: Function) -> Problem | None:
    assert isinstance(node, ast.Compare | ast.Call)
    text = ast.unparse(node)
    parts = [each for each in ast.walk(node) if isinstance(each, ast.expr) and each is not node]
    numbers = [value for each in parts if (value := _number(each, function)) is not None]
    small = [each for each in numbers if 0 < abs(each) < REACH]
    if small:
        message = f"`{text}`: {small[0]:g} is below what float32 can reach, about {REACH:.1e} of the data"
        return Problem("tolerance-out-of-reach", message, node)
    if isinstance(node, ast.Call) or any(numbers):
        return None
    if endless or _is_named(node, function):
        message = f"`{text}`: the text does not say how small the tolerance is"
        return Problem("tolerance-out-of-reach", message, node)
    return None


def _number(node: ast.expr, function: Function) -> float | None:
    """The value of a literal, or of a name that is always one number; integers are no tolerances."""
    value = function.facts.value(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(value, Scalar) and isinstance(value.constant, float):
        return value.constant
    return None


def _is_named(node: ast.Compare, function: Function) -> bool:
    """Whether something is compared with a float whose value only a call tells."""
    values = (function.facts.value(each) for each in (node.left, *node.comparators))
    return any(isinstance(each, Scalar) and each.dtype is None and each.kind == "float" for each in values)
