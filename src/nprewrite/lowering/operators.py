"""Operators on scalars: Python's arithmetic between Python numbers, NumPy's where one is a NumPy scalar."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

import numpy as np

from nprewrite.lowering import python_numbers
from nprewrite.lowering.forms import Form, products, quotients
from nprewrite.lowering.numbers import BOOL, CHARACTER, COMPLEX, NUMPY, Number
from nprewrite.lowering.numpy_scalars import numpy_plan, resolved
from nprewrite.lowering.plans import SYMBOLS, Plan, apply
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Code, Value

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def binary(code: Code, operator: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """``left operator right``."""
    code.node, kind = node, type(operator)
    form = _form(code, kind, left, right)

    def rule(first: Number, second: Number) -> Plan:
        # Python's complex numbers take an np.float64, which is a float, before NumPy does.
        if first.weak and (second.weak or (first == COMPLEX and second == NUMPY["float64"])):
            return python_numbers.binary(kind, first, second, (left, right), form, node)
        return numpy_plan(kind, (first, second), node)

    return apply(code, (left, right), rule, form)


def unary(code: Code, operator: ast.unaryop, value: Value, node: ast.AST) -> Value:
    """``-x``, ``+x`` or ``~x``; ``not x`` goes through the truth of ``x``."""
    code.node, kind = node, type(operator)
    form = value.form
    if form is not None and kind is not ast.UAdd:
        form = Form(0 if kind is ast.USub else -1).minus(form)

    def rule(number: Number) -> Plan:
        return (
            python_numbers.unary(kind, number, form, node)
            if number.weak
            else numpy_plan(kind, (number,), node)
        )

    literal = -value.literal if kind is ast.USub and value.literal is not None else None
    made = apply(code, (value,), rule, form)
    return Value(made.codes, made.tag, made.form, literal)


def compare(code: Code, operator: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """One comparison."""
    code.node, kind = node, type(operator)
    if kind not in _SWAPPED:
        raise NotNative(
            "unsupported-operation", f"`{ast.unparse(node)}` is not a comparison of numbers", node
        )

    characters = [each.only == CHARACTER for each in (left, right)]
    if all(characters):
        text = code.temporary(f"{left.code} {SYMBOLS[kind]} {right.code}")
        return Value({BOOL: text}, form=code.symbols.between(0, 1))

    def rule(first: Number, second: Number) -> Plan:
        if kind not in (ast.Eq, ast.NotEq) and (first.is_complex or second.is_complex):
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` orders complex numbers", node)
        result = BOOL if first.weak and second.weak else NUMPY["bool"]
        if first.dtype.kind in "iub" and second.dtype.kind in "iub":
            return Plan(
                result, None, lambda _, texts: _integers(kind, (first, second), texts), (kind, first, second)
            )
        if first.weak and second.weak:
            return python_numbers.compare(kind, first, second, (left, right))
        *inputs, _ = resolved(np.less, (first, second), node)
        dtypes = tuple(each.dtype for each in inputs)
        return Plan(result, dtypes, lambda _, texts: f"{texts[0]} {SYMBOLS[kind]} {texts[1]}", (kind,))

    return apply(code, (left, right), rule, code.symbols.between(0, 1))


def _integers(kind: type[ast.AST], numbers: tuple[Number, Number], texts: Sequence[str]) -> str:
    """A comparison of integers, exact for all dtypes; Numba would compare int64 and uint64 as floats."""
    left, right = texts
    wide = [each.dtype == np.uint64 for each in numbers]
    if wide == [False, True]:
        return _integers(_SWAPPED[kind], numbers[::-1], (right, left))
    if wide == [True, False]:
        other = f"np.int64({right})"
        alone = f"{left} {SYMBOLS[kind]} np.uint64({other})"
        below = kind in (ast.Gt, ast.GtE, ast.NotEq)
        return f"({other} < 0 or {alone})" if below else f"({other} >= 0 and {alone})"
    if all(wide):
        return f"{left} {SYMBOLS[kind]} {right}"
    return f"np.int64({left}) {SYMBOLS[kind]} np.int64({right})"


def _form(code: Code, kind: type[ast.AST], left: Value, right: Value) -> Form | None:
    """What the exact result of integer operands can be."""
    a, b = left.form, right.form
    if a is None or b is None:
        return None
    if kind is ast.Add:
        return a.plus(b)
    if kind is ast.Sub:
        return a.minus(b)
    symbols = code.symbols
    first, second = [(symbols.lower(each), symbols.upper(each)) for each in (a, b)]
    if first[0] > first[1] or second[0] > second[1]:
        # Code that is never reached, such as that of ``if i > s:`` where i is at most 1 and s at least 2.
        return None
    if kind is ast.Mult:
        if not a.terms or not b.terms:
            return b.times(a.constant) if not a.terms else a.times(b.constant)
        return symbols.between(*products(first, second))
    if kind is ast.FloorDiv and second[0] > 0:
        divisors = [int(each) for each in second if each != math.inf] or [1]
        if second[1] == math.inf:
            return symbols.between(min(first[0], 0), max(first[1], 0))
        return symbols.between(*quotients(first, divisors))
    if kind is ast.Mod and second[0] > 0:
        return symbols.between(0, min(second[1] - 1, first[1]) if first[0] >= 0 else second[1] - 1)
    if kind is ast.BitAnd and max(first[0], second[0]) >= 0:
        return symbols.between(0, min(high for low, high in (first, second) if low >= 0))
    if kind in (ast.BitOr, ast.BitXor) and min(first[0], second[0]) >= 0 and max(first[1], second[1]) < 2**63:
        return symbols.between(0, 2 ** int(max(first[1], second[1])).bit_length() - 1)
    if kind is ast.RShift and second[0] >= 0:
        return symbols.between(min(first[0], 0), max(first[1], 0))
    if kind is ast.LShift and second[0] >= 0 and second[1] < 64:
        return symbols.between(*products(first, (2 ** int(second[0]), 2 ** int(second[1]))))
    return symbols.between(-math.inf, math.inf)
