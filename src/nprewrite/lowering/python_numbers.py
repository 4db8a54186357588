"""Operators between Python's own numbers.

If an integer leaves int64, the loop as written runs. Division by zero raises. A power of a negative base with
an exponent that is not an integer is complex, and left to Python.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.lowering import complex_numbers
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import BOOL, COMPLEX, FLOAT, INT, INT64, Number
from nprewrite.lowering.plans import SYMBOLS, Plan, wrapped
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.values import Code, Value, as_float

Operands = tuple[Value, Value]

_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_RAISING: dict[type[ast.AST], str] = {
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
"""Operators that raise for some numbers."""


def binary(
    kind: type[ast.AST], first: Number, second: Number, operands: Operands, form: Form | None, node: ast.AST
) -> Plan:
    """The plan of ``first kind second``."""
    if COMPLEX in (first, second):
        return complex_numbers.binary(kind, first, second, node)
    if FLOAT in (first, second):
        return _floats(kind, node)
    if kind is ast.Div:
        return Plan(
            FLOAT,
            None,
            lambda code, texts: _true_quotient(code, operands, (first, second), texts),
            (kind, first, second),
        )
    if kind in _BITS and first == second == BOOL:
        word = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "!="}[kind]
        return Plan(
            BOOL, (BOOL.dtype, BOOL.dtype), lambda _, texts: f"{texts[0]} {word} {texts[1]}", (kind, BOOL)
        )
    inputs = (INT.dtype, INT.dtype)
    return Plan(INT, inputs, lambda code, texts: _integers(code, kind, operands, form, texts, node), (kind,))


def _integers(
    code: Code,
    kind: type[ast.AST],
    operands: Operands,
    form: Form | None,
    texts: Sequence[str],
    node: ast.AST,
) -> str:
    left, right = texts
    low, high = code.bounds(operands[1].form, INT)
    if kind in _BITS:
        return f"{left} {SYMBOLS[kind]} {right}"
    if kind in (ast.Add, ast.Sub, ast.Mult):
        return _checked(code, kind, form, left, right)
    if kind in (ast.FloorDiv, ast.Mod):
        if low <= 0 <= high:
            code.end_if(f"{right} == 0", _operation(kind, INT, texts))
        if low <= -1 <= high and kind is ast.FloorDiv:
            # -2**63 // -1 is 2**63.
            code.end_if(f"{right} == -1 and {left} == {INT64[0]}", Event.REPLAY)
        return f"{left} // {right}" if kind is ast.FloorDiv else f"remainder({left}, {right})"
    if kind in (ast.LShift, ast.RShift):
        if low < 0:
            code.end_if(f"{right} < 0", _operation(kind, INT, texts))
        if kind is ast.RShift:
            return f"right_shift({left}, {right}, 64)"
        if high > 62 or not _is_int64(code, form):
            code.end_if(f"{right} > 62 or ({left} << {right}) >> {right} != {left}", Event.REPLAY)
        return f"{left} << {right}"
    if kind is ast.Pow:
        return _power(code, operands, left, right)
    raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)


def _operation(kind: type[ast.AST], number: Number, texts: Sequence[str]) -> Operation:
    """The operator on operands of one type."""
    return Operation(f"_0 {_RAISING[kind]} _1", tuple((number, text) for text in texts))


def _is_int64(code: Code, form: Form | None) -> bool:
    if form is None:
        return False
    return code.symbols.lower(form) >= INT64[0] and code.symbols.upper(form) <= INT64[1]


def _checked(code: Code, kind: type[ast.AST], form: Form | None, left: str, right: str) -> str:
    """A sum, difference or product; if it leaves int64, the loop as written runs."""
    text = f"{left} {SYMBOLS[kind]} {right}"
    if _is_int64(code, form):
        return text
    if kind is ast.Mult:
        # The float64 product is accurate to some 2**11: what may reach 2**63 is left to Python.
        code.end_if(f"abs(np.float64({left}) * np.float64({right})) > 9.2e18", Event.REPLAY)
        return text
    result = code.temporary(wrapped(kind, left, right))
    other = right if kind is ast.Add else left
    mixed = (
        f"({left} ^ {result}) & ({other} ^ {result})"
        if kind is ast.Add
        else f"({left} ^ {right}) & ({left} ^ {result})"
    )
    # A sum that leaves int64 has the sign of neither operand.
    code.end_if(f"({mixed}) < 0", Event.REPLAY)
    return result


def _power(code: Code, operands: Operands, left: str, right: str) -> str:
    low, high = code.bounds(operands[1].form, INT)
    if low < 0:
        code.end_if(f"{right} < 0", Event.REPLAY)
    base = code.bounds(operands[0].form, INT)
    largest = max(abs(base[0]), abs(base[1]))
    small = high <= 64 and largest <= 2**32 and largest ** int(high) < 2**63
    if not small:
        code.end_if(f"abs(np.float64({left})) ** np.float64({right}) > 9.2e18", Event.REPLAY)
    return f"integer_power({left}, {right})"


def _true_quotient(
    code: Code, operands: Operands, numbers: tuple[Number, Number], texts: Sequence[str]
) -> str:
    """The quotient of integers: for those that are exact as float64, that of the floats."""
    low, high = code.bounds(operands[1].form, numbers[1])
    if low <= 0 <= high:
        code.end_if(f"{texts[1]} == 0", _operation(ast.Div, INT, texts))
    left, right = (as_float(code, *each, exactly=True) for each in zip(operands, numbers, strict=True))
    return f"{left} / {right}"


def _floats(kind: type[ast.AST], node: ast.AST) -> Plan:
    def write(code: Code, texts: Sequence[str]) -> str:
        left, right = texts
        if kind in (ast.Div, ast.FloorDiv, ast.Mod):
            code.end_if(f"{right} == 0.0", _operation(kind, FLOAT, texts))
        if kind is ast.Div:
            return f"{left} / {right}"
        if kind in (ast.FloorDiv, ast.Mod):
            return f"{'float64_floor_divide' if kind is ast.FloorDiv else 'float_remainder'}({left}, {right})"
        if kind is ast.Pow:
            return _float_power(code, left, right)
        if kind not in (ast.Add, ast.Sub, ast.Mult):
            raise NotNative(
                "unsupported-operation", f"`{ast.unparse(node)}` raises TypeError for floats", node
            )
        return f"{left} {SYMBOLS[kind]} {right}"

    return Plan(FLOAT, (FLOAT.dtype, FLOAT.dtype), write, (kind, FLOAT))


def _float_power(code: Code, left: str, right: str) -> str:
    itself = _operation(ast.Pow, FLOAT, (left, right))
    code.end_if(f"{left} == 0.0 and {right} < 0.0", itself)
    code.end_if(f"{left} < 0.0 and {right} != np.floor({right})", Event.REPLAY)
    code.rounds = True
    result = code.temporary(f"{left} ** {right}")
    code.end_if(f"np.isinf({result}) and np.isfinite({left}) and np.isfinite({right})", itself)
    return result


def unary(kind: type[ast.AST], number: Number, form: Form | None, node: ast.AST) -> Plan:
    """The plan of ``-x``, ``+x``, ``~x``."""
    if number in (FLOAT, COMPLEX):
        if kind is ast.Invert:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` raises TypeError", node)
        return Plan(
            number,
            (number.dtype,),
            lambda _, texts: f"-{texts[0]}" if kind is ast.USub else texts[0],
            (kind, number),
        )

    def write(code: Code, texts: Sequence[str]) -> str:
        if kind is ast.USub and not _is_int64(code, form):
            code.end_if(f"{texts[0]} == {INT64[0]}", Event.REPLAY)
        sign = "-" if kind is ast.USub else "~" if kind is ast.Invert else ""
        return f"{sign}{texts[0]}"

    return Plan(INT, (INT.dtype,), write, (kind,))


def compare(kind: type[ast.AST], first: Number, second: Number, operands: Operands) -> Plan:
    """The plan of a comparison with a float or a complex number on at least one side."""

    def write(code: Code, texts: Sequence[str]) -> str:
        sides = [
            text if number.is_complex else as_float(code, value, number, exactly=True)
            for text, value, number in zip(texts, operands, (first, second), strict=True)
        ]
        return f"{sides[0]} {SYMBOLS[kind]} {sides[1]}"

    return Plan(BOOL, None, write, (kind, first, second))
