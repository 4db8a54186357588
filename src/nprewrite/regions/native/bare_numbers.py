"""Loops that compute with numbers alone: sums of series, integrals, searches, orbits."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Function
from nprewrite.regions.native.lists import is_of_list, lists_of
from nprewrite.types.values import Scalar, Unknown

_OF_NUMPY = ("numpy.", "math.", "cmath.")
_OF_NUMBERS = (*_OF_NUMPY, "builtins.range")


def is_of_numbers(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the text shows arithmetic, and nothing that numbers do not have."""
    nodes = [*ast.walk(loop)]
    of_lists = lists_of(loop, function)
    lists = {id(each) for each in nodes if is_of_list(each, of_lists)}
    calls = (each.func for each in nodes if isinstance(each, ast.Call) and id(each.func) not in lists)
    called = [function.dotted(each) or "" for each in calls]
    known = all(map(_is_of_number, called))
    attributes = (each for each in nodes if isinstance(each, ast.Attribute) and id(each) not in lists)
    plain = all(each.attr in ("real", "imag") or function.dotted(each) is not None for each in attributes)
    computes = any(isinstance(each, ast.BinOp | ast.AugAssign) for each in nodes)
    computes |= any(each.startswith(_OF_NUMPY) for each in called)
    picks = any(isinstance(each, ast.Subscript) and id(each) not in lists for each in nodes)
    return known and plain and computes and not picks


def _is_of_number(dotted: str) -> bool:
    python = python_function(dotted)
    return dotted.startswith(_OF_NUMBERS) or (python is not None and python.numbers)


def are_numbers(names: Sequence[str], loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the names are known to stand for numbers, strings or lists, where the loop begins."""
    before, globals_ = function.facts.before(loop), function.module.values
    lists = lists_of(loop, function)
    values = [before.get(name) or globals_.get(name) for name in names if name not in lists]
    return all(isinstance(each, Scalar) or (isinstance(each, Unknown) and each.string) for each in values)
