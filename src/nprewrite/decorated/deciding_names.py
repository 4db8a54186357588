"""Names whose values decide what array code is, in a part of a program that runs once.

    if scheme == 1: ...           flags choose between equations
    u[n + 1, :] = u[n, :]         positions at the edge of a grid
    f = shifted(f, by)            what functions do with a number

Where these are written out, as literals, more can be compiled.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from nprewrite.base.syntax import conditions, items_of, stored_names, walk
from nprewrite.source.names import ALL_SCOPES

_ARITHMETIC = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
_LITERALS = (bool, int, str, type(None))
_LARGEST = 2**31


def is_literal_value(value: object) -> bool:
    """Whether a value can stand in the text."""
    return type(value) in _LITERALS and not (isinstance(value, int) and abs(value) >= _LARGEST)


def deciding(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """Such names among those that the statements, and the functions in them, do not bind."""
    nodes = [each for statement in statements for each in walk(statement)]
    found = {name for node in nodes for part in _deciding_parts(node) for name in _names(part)}
    arguments = {each.arg for each in nodes if isinstance(each, ast.arg)}
    defined = {getattr(each, "name", "") for each in nodes if isinstance(each, ALL_SCOPES)}
    return frozenset(found - arguments - defined - stored_names(*statements))


def _deciding_parts(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from (part for each in conditions(test) for part in _compared(each))
        case ast.Subscript():
            yield from (each for each in items_of(node) if not isinstance(each, ast.Slice))
        case ast.Call(func=called, args=args, keywords=keywords):
            if not isinstance(called, ast.Name) or not hasattr(builtins, called.id):
                yield from (*args, *(each.value for each in keywords))


def _compared(test: ast.expr) -> Iterator[ast.expr]:
    """The names that a condition compares, or takes for a truth value."""
    match test:
        case ast.Compare(left=left, comparators=others):
            yield from (each for each in (left, *others) if isinstance(each, ast.Name))
        case ast.Name():
            yield test


def _names(node: ast.expr) -> Iterator[str]:
    """The names in a number, or a tuple of numbers, that is computed from names."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    for part in parts:
        inside = [*walk(part)]
        if all(isinstance(each, _ARITHMETIC) for each in inside):
            yield from (each.id for each in inside if isinstance(each, ast.Name))
