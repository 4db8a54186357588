"""Tests of ``abs(z) > bound``, as every program that follows a number until it escapes has them.

The sum of the squares decides most of them without a root. Near the bound, and where the squares leave the
floats, the magnitude itself does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from nprewrite.lowering import operators
from nprewrite.lowering.numbers import Number
from nprewrite.lowering.values import Code, Value, truth

_MARGIN = 1e-14
"""The sum of the squares and the magnitude are within a few units of 2**-53 of the real numbers."""
_BOUNDS = (1e-100, 1e100)
"""For these, squares that leave the floats are on the right side: too small below, infinite above."""


def is_decided(operator: ast.cmpop, value: Value, bound: Value) -> bool:
    """Whether squares can decide the test for some type that the number may have."""
    literal = bound.literal
    if literal is None or not _BOUNDS[0] < literal < _BOUNDS[1]:
        return False
    ordered = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return ordered and any(_is_double(each) for each in value.codes)


def _is_double(number: Number) -> bool:
    return number.is_complex and number.dtype.itemsize == 16


def compared(
    code: Code,
    magnitude: Callable[[Value], Value],
    operator: ast.cmpop,
    value: Value,
    bound: Value,
    node: ast.AST,
) -> str:
    """The code of whether ``magnitude(value) operator bound``; ``magnitude`` writes that of ``abs``."""
    assert bound.literal is not None
    square = float(bound.literal) ** 2
    low, high = square * (1 - _MARGIN), square * (1 + _MARGIN)
    above = isinstance(operator, ast.Gt | ast.GtE)
    result = code.declare(code.fresh(), "bool")

    def exactly(one: Value) -> None:
        made = operators.compare(code, operator, magnitude(one), bound, node)
        code.line(f"{result} = {truth(code, made)}")

    def write(number: Number) -> None:
        text = value.codes[number]
        one = Value({number: text}, form=value.form)
        if not _is_double(number):
            exactly(one)
            return
        size = code.temporary(f"{text}.real * {text}.real + {text}.imag * {text}.imag")
        code.line(f"{result} = {size} {'>' if above else '<'} {(high if above else low)!r}")
        # Python raises where the magnitude of finite parts is infinite.
        with code.block(f"if not ({size} < {low!r} or {high!r} < {size} < np.inf):"):
            exactly(one)

    code.by_tag(value, write)
    return result
