"""Whether a loop has any iteration, as a condition in the text."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.analysis.repeated_cost import is_pure
from nprewrite.base.syntax import walk
from nprewrite.program.function import Function
from nprewrite.types import array_functions
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

_TESTS = (
    *(ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp),
    *(ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop, ast.operator),
)


def has_iterations(loop: ast.For | ast.While, function: Function) -> str | Problem | None:
    """The text of a condition for it; None where the loop certainly has an iteration."""
    if isinstance(loop, ast.While):
        return _tested(loop, function)
    problem = Problem("not-a-range", f"the loop runs over `{ast.unparse(loop.iter)}`", loop)
    match loop.iter:
        case ast.Name() as array:
            pass
        case ast.Call(func=called, args=[ast.Name() as array], keywords=[]) if (
            function.dotted(called) == "builtins.enumerate"
        ):
            pass
        case ast.Call(func=called, args=arguments, keywords=[]) if (
            function.dotted(called) == "builtins.range"
        ):
            return _in_range(loop, arguments, function, problem)
        case _:
            return problem
    known = isinstance(function.facts.value(array), Array)
    return f"len({function.document.segment(array)}) > 0" if known else problem


def _tested(loop: ast.While, function: Function) -> str | Problem | None:
    if isinstance(loop.test, ast.Constant) and loop.test.value:
        return None
    if all(isinstance(each, _TESTS) for each in walk(loop.test)):
        text = function.document.segment(loop.test)
        return f"({text})" if "\n" in text else text
    text = f"`{ast.unparse(loop.test)}` would be computed once more"
    return Problem("not-a-range", text, loop, help="compute it in the body of the loop, and test a name")


def _in_range(
    loop: ast.For, arguments: Sequence[ast.expr], function: Function, problem: Problem
) -> str | Problem | None:
    values = [function.facts.value(each) for each in arguments]
    known = [each.constant for each in values if isinstance(each, Scalar)]
    numbers = [each for each in known if type(each) is int]
    step = array_functions.literal(arguments[2]) if len(arguments) == 3 else 1
    if type(step) is not int or not step or not all(is_pure(each, function) for each in arguments):
        return problem
    if len(numbers) == len(arguments):
        return None if len(range(*numbers)) else problem
    # The range itself, which is true where it has a number: what is no integer raises as in the loop.
    text = function.document.segment(loop.iter)
    return f"({text})" if "\n" in text else text
