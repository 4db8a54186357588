"""Loops that compute with numbers alone: sums of series, integrals, searches, orbits."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Function
from nprewrite.types.values import Scalar, Unknown

_OF_NUMBERS = ("numpy.", "math.", "cmath.", "builtins.range")


def is_of_numbers(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the text shows arithmetic, and nothing that numbers do not have."""
    nodes = [*ast.walk(loop)]
    calls = (each.func for each in nodes if isinstance(each, ast.Call))
    known = all(_is_of_number(function.dotted(each) or "") for each in calls)
    attributes = (each for each in nodes if isinstance(each, ast.Attribute))
    plain = all(each.attr in ("real", "imag") or function.dotted(each) is not None for each in attributes)
    computes = any(isinstance(each, ast.BinOp | ast.AugAssign) for each in nodes)
    return known and plain and computes and not any(isinstance(each, ast.Subscript) for each in nodes)


def _is_of_number(dotted: str) -> bool:
    python = python_function(dotted)
    return dotted.startswith(_OF_NUMBERS) or (python is not None and python.numbers)


def are_numbers(names: Sequence[str], loop: ast.stmt, function: Function) -> bool:
    """Whether the names are known to stand for numbers, or strings, where the loop begins."""
    before, globals_ = function.facts.before(loop), function.module.values
    values = [before.get(name) or globals_.get(name) for name in names]
    return all(isinstance(each, Scalar) or (isinstance(each, Unknown) and each.string) for each in values)
