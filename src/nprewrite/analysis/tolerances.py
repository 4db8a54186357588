"""Loops that stop where an error is small enough: which of them float32 may never reach.

Near 1, neighbouring numbers of float32 are 2**-23 apart, and the results of iterations fluctuate by some of
these steps, so that an error may never fall below ``REACH``. The data are taken to be of size 1, as literal
tolerances assume, and so is a norm of which a tolerance is a multiple.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator

from nprewrite.base.syntax import children, walk
from nprewrite.program.function import Function
from nprewrite.program.number_sizes import Size, Sizes
from nprewrite.types.problems import Problem

REACH = 2.0**-20
"""Eight units in the last place of 1."""

_CLOSE = {"numpy.allclose": 1e-5, "numpy.isclose": 1e-5, "math.isclose": 1e-9}
"""Comparing functions, with their default tolerance."""
_EQUAL = {"numpy.array_equal", "numpy.array_equiv"}


def tolerance_problem(function: Function, computed: Callable[[ast.expr], bool]) -> Problem | None:
    """The first test that ends a loop and that float32 may never pass.

    ``computed`` says whether an expression is computed in single precision.
    """
    sizes = Sizes(function)
    for test, endless in _tests(function):
        for each in _decided(test, sizes, set()):
            if not _compares(each, function, sizes, computed):
                continue
            why = _why(each, endless, function, sizes)
            if why:
                return Problem("tolerance-out-of-reach", f"`{ast.unparse(each)}`{why}", each)
    return None


def _tests(function: Function) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that end a loop, each with whether nothing else ends it."""
    for statement in function.statements():
        loops = function.loops_around(statement)
        if isinstance(statement, ast.While):
            yield statement.test, True
        elif isinstance(statement, ast.If) and loops and _leaves(statement):
            yield statement.test, isinstance(loops[-1], ast.While)


def _leaves(statement: ast.If) -> bool:
    return any(
        isinstance(each, ast.Break | ast.Return | ast.Raise)
        for block in (statement.body, statement.orelse)
        for inner in block
        for each in walk(inner)
    )


def _decided(node: ast.expr, sizes: Sizes, seen: set[str]) -> Iterator[ast.Compare | ast.Call]:
    """The comparisons that decide a test, also those whose result a name stands for."""
    if isinstance(node, ast.Name) and node.id not in seen:
        seen.add(node.id)
        for value in sizes.bound.get(node.id, ()):
            yield from _decided(value, sizes, seen)
    if isinstance(node, ast.Compare | ast.Call):
        yield node
    if isinstance(node, ast.Compare):
        return
    for each in children(node):
        if isinstance(each, ast.expr):
            yield from _decided(each, sizes, seen)


def _compares(node: ast.expr, function: Function, sizes: Sizes, computed: Callable[[ast.expr], bool]) -> bool:
    """Whether a node compares a value computed in single precision, or a Python number computed from one."""
    if isinstance(node, ast.Call) and function.dotted(node.func) in {*_CLOSE, *_EQUAL}:
        return any(computed(each) for each in sizes.parts(node))
    if not isinstance(node, ast.Compare):
        return False
    sides = (node.left, *node.comparators)
    return any(map(computed, sides)) or any(
        computed(part) for each in sides if sizes.is_float(each) for part in sizes.parts(each)
    )


def _why(node: ast.Compare | ast.Call, endless: bool, function: Function, sizes: Sizes) -> str:
    """Why a comparison may never come out as it does in double precision; empty where it does."""
    if isinstance(node, ast.Call):
        dotted = function.dotted(node.func) or ""
        return " tests for equality" if dotted in _EQUAL else _called(node, _CLOSE[dotted], sizes)
    sides = [sizes.of(each) for each in (node.left, *node.comparators)]
    for left, right in itertools.pairwise(sides):
        why = _between(left, right, endless)
        if why:
            return why
    return ""


def _between(left: Size, right: Size, endless: bool) -> str:
    if left.pure and right.pure:
        return ""
    if not (left.said and right.said):
        return _UNSAID
    if left.number == right.number and not (left.pure or right.pure):
        # Two values of the program, neither of which is a multiple of the other.
        return _UNSAID if endless else ""
    tolerance = _tolerance(left, right)
    if tolerance == 0:
        return _UNSAID if endless else ""
    return _small(tolerance) if tolerance < REACH else ""


_UNSAID = ": the tolerance is not written as a number"


def _small(tolerance: float) -> str:
    return f": {tolerance:g} is below what float32 can reach, about {REACH:.1e} of the data"


def _tolerance(left: Size, right: Size) -> float:
    """How small one side has to be relative to the other."""
    if not left.number or not right.number:
        return 0.0
    if left.pure or right.pure:
        return left.number / right.number if left.pure else right.number / left.number
    return min(left.number / right.number, right.number / left.number)


def _called(node: ast.Call, default: float, sizes: Sizes) -> str:
    """``np.allclose(a, b, rtol, atol)`` and the like: each given tolerance is judged by itself."""
    written = [*node.args[2:], *(each.value for each in node.keywords if each.arg != "equal_nan")]
    found = [sizes.of(each) for each in written]
    if not all(each.said and each.pure for each in found):
        return _UNSAID
    small = [each.number for each in found if 0 < each.number < REACH]
    smallest = min(small, default=default if not written else REACH)
    return _small(smallest) if smallest < REACH else ""
