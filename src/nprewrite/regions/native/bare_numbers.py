"""Loops that compute with numbers alone: sums of series, integrals, searches, orbits."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from nprewrite.base.syntax import walk
from nprewrite.lowering.tuples import tuple_lengths
from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Function
from nprewrite.regions.native.lists import is_of_list, lists_of
from nprewrite.types.array_functions import literal
from nprewrite.types.values import Absent, Items, Scalar, Unknown, Value

_OF_NUMPY = ("numpy.", "math.", "cmath.")
_OF_NUMBERS = (*_OF_NUMPY, "builtins.range")


def is_of_numbers(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the text shows arithmetic, and nothing that numbers do not have."""
    nodes = [*walk(loop)]
    of_lists = lists_of(loop, function)
    lists = {id(each) for each in nodes if is_of_list(each, of_lists)}
    calls = (each.func for each in nodes if isinstance(each, ast.Call) and id(each.func) not in lists)
    called = [function.dotted(each) or "" for each in calls]
    known = all(map(_is_of_number, called))
    attributes = (each for each in nodes if isinstance(each, ast.Attribute) and id(each) not in lists)
    plain = all(each.attr in ("real", "imag") or function.dotted(each) is not None for each in attributes)
    computes = any(isinstance(each, ast.BinOp | ast.AugAssign) for each in nodes)
    computes |= any(each.startswith(_OF_NUMPY) for each in called)
    tuples = _tuples(loop, function)
    picks = any(
        isinstance(each, ast.Subscript) and id(each) not in lists and not _is_picked(each, tuples)
        for each in nodes
    )
    return known and plain and computes and not picks


def _tuples(loop: ast.stmt, function: Function) -> frozenset[str]:
    """The names of tuples of numbers, where the loop begins or in it."""
    before = function.facts.before(loop)
    return frozenset(tuple_lengths(loop)).union(name for name, each in before.items() if _are_scalars(each))


def _is_picked(node: ast.Subscript, tuples: Collection[str]) -> bool:
    """Whether it is a number of a tuple, ``best[0]``."""
    named = isinstance(node.value, ast.Name) and node.value.id in tuples
    return named and isinstance(literal(node.slice), int)


def _are_scalars(value: Value | None) -> bool:
    if not isinstance(value, Items) or value.changes:
        return False
    return all(isinstance(each, Scalar) for each in value.values)


def _is_of_number(dotted: str) -> bool:
    python = python_function(dotted)
    return dotted.startswith(_OF_NUMBERS) or (python is not None and python.numbers)


def are_numbers(names: Sequence[str], loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the names are known to stand for numbers, tuples of these, strings or lists, or for None, where
    the loop begins."""
    before, globals_ = function.facts.before(loop), function.module.values
    lists = lists_of(loop, function)
    values = [before.get(name) or globals_.get(name) for name in names if name not in lists]
    return all(map(_is_number, values))


def _is_number(value: Value | None) -> bool:
    if isinstance(value, Unknown):
        return value.string or isinstance(value, Absent)
    return isinstance(value, Scalar) or _are_scalars(value)
