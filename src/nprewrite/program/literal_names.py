"""A function with literals where it reads names that stand for nothing else.

def shifted(u, by=1):              def shifted(u):
    left = -1                          return np.roll(u, -1) + 1 * u
    return np.roll(u, left) + by * u

A shift, an axis or a shape has to be a literal where array code is compiled.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping

from nprewrite.base.syntax import is_none, name_nodes, names_in, with_body, with_names
from nprewrite.source.names import parameter_names


def with_literals(function: ast.FunctionDef, given: Mapping[str, ast.expr]) -> ast.FunctionDef:
    """The function with literals in place of the names in ``given`` and of those that it binds once to one.

    ``given`` are literals that are passed for parameters which the function does not bind anew.
    """
    statements = dict(_bound_to_literals(function))
    literals = {**given, **{name: statement.value for name, statement in statements.items()}}
    if not literals:
        return function
    left_out = {id(each) for each in statements.values()}
    return with_body(
        function, [_filled(each, literals) for each in function.body if id(each) not in left_out]
    )


def _stored(function: ast.FunctionDef) -> Counter[str]:
    """How often the function binds each name."""
    return Counter(each.id for each in name_nodes(*function.body) if not isinstance(each.ctx, ast.Load))


def _bound_to_literals(function: ast.FunctionDef) -> Iterator[tuple[str, ast.Assign]]:
    """The names that are bound once, to a number or truth value, before anything mentions them."""
    stored = _stored(function)
    mentioned = set(parameter_names(function.args))
    for statement in function.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_number(value):
                if stored[name] == 1 and name not in mentioned:
                    yield name, statement
        mentioned |= names_in(statement)


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is arithmetic on literal numbers that cannot raise, or a truth value or None."""
    match node:
        case ast.Constant(value=value):
            return value is None or isinstance(value, bool | int | float | complex)
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            return _is_number(operand) and not is_none(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return all(_is_number(each) and not is_none(each) for each in (left, right))
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=divisor) as right):
            return _is_number(left) and not is_none(left) and _is_number(right) and bool(divisor)
    return False


def _filled(statement: ast.stmt, literals: Mapping[str, ast.expr]) -> ast.stmt:
    """A statement with literals in place of names."""
    if literals.keys().isdisjoint(names_in(statement)):
        return statement
    made = with_names(statement, lambda name: copy.deepcopy(literals.get(name.id)))
    return ast.fix_missing_locations(made)
