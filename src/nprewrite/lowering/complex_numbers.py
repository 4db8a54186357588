"""Complex numbers in lowered code: what Python and NumPy do with single ones, and their parts.

Python has no order of complex numbers, and its remainders and whole quotients do not take them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from nprewrite.lowering.numbers import COMPLEX, FLOAT, NUMPY, DType, Number
from nprewrite.lowering.plans import SYMBOLS, Plan, apply
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.values import Code, Value, cast

_MIXES = sys.version_info >= (3, 14)
"""Since 3.14 a real operand is not made complex: signs of zeros and what is not finite differ."""


def part_of(number: Number) -> Number:
    """The type of the parts of a complex number."""
    return FLOAT if number.weak else NUMPY[f"float{4 * number.dtype.itemsize}"]


def binary(kind: type[ast.AST], first: Number, second: Number, node: ast.AST) -> Plan:
    """The plan of ``first kind second`` of Python's numbers, of which one is complex."""
    if _MIXES and first != second:
        raise NotNative(
            "unsupported-operation", f"`{ast.unparse(node)}` is of a real and a complex number", node
        )
    if kind not in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow):
        text = f"`{ast.unparse(node)}` raises TypeError for complex numbers"
        raise NotNative("unsupported-operation", text, node)

    def write(code: Code, texts: Sequence[str]) -> str:
        left, right = texts
        if kind is ast.Div:
            parts = tuple((FLOAT, f"{each}.{part}") for each in texts for part in ("real", "imag"))
            code.end_if(f"{right} == 0", Operation("complex(_0, _1) / complex(_2, _3)", parts))
            return f"complex_quotient({left}, {right})"
        if kind is ast.Pow:
            code.rounds = True
            code.end_if(f"{left} == 0 and ({right}.real < 0.0 or {right}.imag != 0.0)", Event.REPLAY)
            result = code.temporary(f"complex_power({left}, {right})")
            code.end_if(f"np.isinf({result}.real) or np.isinf({result}.imag)", Event.REPLAY)
            return result
        return f"{left} {SYMBOLS[kind]} {right}"

    return Plan(COMPLEX, (COMPLEX.dtype, COMPLEX.dtype), write, (kind, COMPLEX))


def numpy_text(kind: type[ast.AST], dtype: DType, code: Code, left: str, right: str) -> str:
    """The code of a quotient or a power as NumPy's loops have it."""
    if kind is ast.Div:
        return f"{dtype.name}_quotient({left}, {right})"
    code.rounds = True
    code.end_if(f"{left} == 0 and ({right}.real < 0.0 or {right}.imag != 0.0)", Event.REPLAY)
    return f"{dtype.name}_power({left}, {right})"


def magnitude(number: Number) -> Plan:
    """The plan of ``abs(z)``, which for Python's numbers raises where the result leaves the floats."""

    def write(code: Code, texts: Sequence[str]) -> str:
        (z,) = texts
        result = code.temporary(f"abs({z})")
        if number.weak:
            parts = (FLOAT, f"{z}.real"), (FLOAT, f"{z}.imag")
            finite = f"np.isfinite({z}.real) and np.isfinite({z}.imag)"
            code.end_if(f"np.isinf({result}) and {finite}", Operation("abs(complex(_0, _1))", parts))
        return result

    return Plan(part_of(number), (number.dtype,), write, (number,))


def part(code: Code, name: str, value: Value) -> Value:
    """``x.real`` or ``x.imag`` of a number."""

    def rule(number: Number) -> Plan:
        if number.is_complex:
            return Plan(part_of(number), None, lambda _, texts: f"{texts[0]}.{name}", (number,))
        if number.dtype.kind == "b":
            raise NotNative("unsupported-operation", f"`.{name}` of a boolean", code.node)
        zero = cast("0", number.dtype)
        return Plan(number, None, lambda _, texts: texts[0] if name == "real" else zero, (number,))

    return apply(code, (value,), rule, value.form if name == "real" else None)


def conjugate(code: Code, value: Value) -> Value:
    """``z.conjugate()`` of a number."""

    def rule(number: Number) -> Plan:
        if number.dtype.kind == "b":
            raise NotNative("unsupported-operation", "the conjugate of a boolean", code.node)
        text = "np.conj({})" if number.is_complex else "{}"
        return Plan(number, (number.dtype,), lambda _, texts: text.format(texts[0]), (number,))

    return apply(code, (value,), rule, value.form)


def joined(code: Code, parts: Sequence[Value], node: ast.Call) -> Value:
    """``complex(x, y)`` of real numbers, or ``complex(x)``."""

    def rule(*numbers: Number) -> Plan:
        if len(numbers) == 1:
            return Plan(COMPLEX, (COMPLEX.dtype,), lambda _, texts: texts[0], ())
        if any(each.is_complex for each in numbers):
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` joins complex numbers", node)
        dtypes = (FLOAT.dtype, FLOAT.dtype)
        return Plan(COMPLEX, dtypes, lambda _, texts: f"complex({', '.join(texts)})", ())

    return apply(code, parts, rule, None)


def of_cmath(code: Code, name: str, value: Value) -> Value:
    """A function of ``cmath``; where the result is not finite the loop as written runs, and may raise."""
    code.rounds = True

    def write(code: Code, texts: Sequence[str]) -> str:
        result = code.temporary(f"np.{name}({texts[0]})")
        finite = f"np.isfinite({result}.real) and np.isfinite({result}.imag)"
        code.end_if(f"not ({finite})", Event.REPLAY)
        return result

    return apply(code, (value,), lambda _: Plan(COMPLEX, (COMPLEX.dtype,), write, (name,)), None)
