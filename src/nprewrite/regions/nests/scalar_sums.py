"""Numbers that a loop adds to, as ``s = 0.0`` and ``s += x[i]``: their types and starting values.

Such a number starts as a Python number and becomes NumPy's with the first term. If it starts as NumPy's, its
type stays the same, and can be known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.base.syntax import bindings
from nprewrite.program.function import Function
from nprewrite.types.single_precision import is_double
from nprewrite.types.values import Scalar, Unknown, Value


def scalar_sums(function: Function) -> frozenset[str]:
    """The names of double-precision numbers that loops add to or multiply."""
    return frozenset(
        target.id
        for target, _ in _added(function)
        if isinstance(value := function.facts.value(target), Scalar) and is_double(value)
    )


def python_starts(function: Function) -> list[ast.expr]:
    """The Python numbers with which such sums start, where that hides their type.

    The same goes for names that a loop binds again to NumPy numbers: ``error = 1.0``, ``error =
    np.max(...)``.
    """
    bound = _bindings(function)
    added = _added_to(function)
    found = [each for name in sorted(added & bound.keys()) for each in bound[name] if _is_number(each)]
    for name in sorted(_bound_again(function, bound) - added):
        found += [each for each in bound[name] if _is_number(each) or _is_float(each, function)]
    return found


def of_two_types(function: Function) -> str | None:
    """A name that stands for NumPy's numbers and for Python's."""
    return min({*_added_to(function), *_bound_again(function, _bindings(function))}, default=None)


def is_unclear(value: Value) -> bool:
    """Whether a value may be one of NumPy's numbers or one of Python's."""
    return isinstance(value, Unknown) or (
        isinstance(value, Scalar) and value.dtype is None and not value.proven
    )


def _bindings(function: Function) -> dict[str, list[ast.expr]]:
    bound: dict[str, list[ast.expr]] = {}
    for target, value in bindings(function.statements()):
        bound.setdefault(target.id, []).append(value)
    return bound


def _added_to(function: Function) -> set[str]:
    return {target.id for target, _ in _added(function) if is_unclear(function.facts.value(target))}


def _bound_again(function: Function, bound: Mapping[str, Sequence[ast.expr]]) -> set[str]:
    unclear = _unclear(function) & bound.keys()
    return {name for name in unclear if any(_is_floating(each, function) for each in bound[name])}


def _unclear(function: Function) -> set[str]:
    """The local names that are read where their type is not known."""
    values = function.facts.expressions.values.items()
    names = {
        node.id
        for node, value in values
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and is_unclear(value)
    }
    return {name for name in names if function.is_local(name) and not function.is_shared(name)}


def _added(function: Function) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names to which loops add NumPy floats, with these floats."""
    for statement in function.statements():
        match statement:
            case ast.AugAssign(
                target=ast.Name() as target, op=ast.Add() | ast.Sub() | ast.Mult(), value=value
            ) if function.loops_around(statement):
                local = function.is_local(target.id) and not function.is_shared(target.id)
                if local and _is_floating(value, function):
                    yield target, value


def _is_floating(node: ast.expr, function: Function) -> bool:
    """Whether an expression is a NumPy float or complex number."""
    known = function.facts.value(node)
    return isinstance(known, Scalar) and known.dtype is not None and known.dtype.kind in "fc"


def _is_float(node: ast.expr, function: Function) -> bool:
    """Whether an expression is a Python float: ``np.inf``, ``float("inf")``, ``2 * tolerance``."""
    known = function.facts.value(node)
    return isinstance(known, Scalar) and known.dtype is None and known.kind == "float"


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
