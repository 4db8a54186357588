"""Operators where an operand is a NumPy scalar: the loop that NumPy would choose, in Numba's terms."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.lowering import complex_numbers
from nprewrite.lowering.numbers import DType, Number, of_dtype
from nprewrite.lowering.plans import SYMBOLS, Plan, apply, wrapped
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.values import Code, Value, cast
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS

_WORDS: dict[type[ast.AST], str] = {
    ast.Add: "or",
    ast.BitOr: "or",
    ast.Mult: "and",
    ast.BitAnd: "and",
    ast.BitXor: "!=",
}
"""Operators on booleans."""


def numpy_plan(kind: type[ast.AST], numbers: tuple[Number, ...], node: ast.AST) -> Plan:
    """The plan of an operator where an operand is a NumPy scalar."""
    name = OPERATORS.get(kind.__name__)
    if name is None:
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
    *inputs, out = resolved(ELEMENTWISE[name].ufunc, numbers, node)
    return Plan(
        out,
        tuple(each.dtype for each in inputs),
        lambda code, texts: _numpy(kind, inputs[0], code, texts),
        (kind,),
    )


def resolved(ufunc: np.ufunc, numbers: Sequence[Number], node: ast.AST) -> list[Number]:
    """The types in which a function of NumPy computes for scalars of these types, and that of its result."""
    try:
        dtypes = ufunc.resolve_dtypes((*(each.operand for each in numbers), None))
    except TypeError as error:
        types = ", ".join(map(str, numbers))
        raise NotNative(
            "unsupported-operation", f"`{ast.unparse(node)}` raises TypeError for {types}", node
        ) from error
    found = [of_dtype(each) for each in dtypes]
    if None in found:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` computes in {dtypes[-1]}", node)
    return [each for each in found if each is not None]


def _numpy(kind: type[ast.AST], loop: Number, code: Code, texts: Sequence[str]) -> str:
    """The code of a NumPy loop on operands of its types."""
    dtype = loop.dtype
    if len(texts) == 1:
        return _numpy_unary(kind, dtype, texts[0])
    left, right = texts
    if dtype.kind == "b":
        return f"{left} {_WORDS[kind]} {right}"
    if dtype == np.int64 and kind in (ast.Add, ast.Sub, ast.Mult):
        return wrapped(kind, left, right)
    if dtype.kind == "c" and kind in (ast.Div, ast.Pow):
        return complex_numbers.numpy_text(kind, dtype, code, left, right)
    if kind in SYMBOLS or kind is ast.Div:
        text = f"{left} {SYMBOLS.get(kind, '/')} {right}"
        return text if kind is ast.Div else cast(text, dtype)
    if dtype.kind == "f":
        return _floats(kind, dtype, code, left, right)
    if dtype == np.uint64:
        return _wide(kind, code, left, right)
    bits = 8 * dtype.itemsize
    signed = f"np.int64({left}), np.int64({right})"
    if kind is ast.Pow:
        if dtype.kind == "i":
            code.end_if(f"{right} < 0", Operation("_0 ** _1", ((loop, left), (loop, right))))
        return cast(f"integer_power({signed})", dtype)
    if kind in (ast.LShift, ast.RShift):
        return cast(f"{'left' if kind is ast.LShift else 'right'}_shift({signed}, {bits})", dtype)
    return cast(f"{'floor_divide' if kind is ast.FloorDiv else 'remainder'}({signed})", dtype)


def _floats(kind: type[ast.AST], dtype: DType, code: Code, left: str, right: str) -> str:
    if kind is ast.Pow:
        code.rounds = True
        return f"{left} ** {right}"
    kernel = f"{dtype.name}_floor_divide" if kind is ast.FloorDiv else "float_remainder"
    return cast(f"{kernel}({left}, {right})", dtype)


def _wide(kind: type[ast.AST], code: Code, left: str, right: str) -> str:
    """The code of a loop on uint64, which Numba would combine with int64 as float64."""
    zero = "np.uint64(0)"
    if kind in (ast.LShift, ast.RShift):
        sign = "<<" if kind is ast.LShift else ">>"
        return f"np.uint64({left} {sign} {right}) if {right} < np.uint64(64) else {zero}"
    if kind is ast.Pow:
        # Modulo 2**64 it does not matter whether the base is signed.
        code.end_if(f"{right} > np.uint64({2**63 - 1})", Event.REPLAY)
        return f"np.uint64(integer_power(np.int64({left}), np.int64({right})))"
    return (
        f"np.uint64({left} {'//' if kind is ast.FloorDiv else '%'} {right}) if {right} != {zero} else {zero}"
    )


def _numpy_unary(kind: type[ast.AST], dtype: DType, operand: str) -> str:
    if kind is ast.UAdd:
        return operand
    if dtype.kind == "b":
        return f"not {operand}"
    return cast(f"{'-' if kind is ast.USub else '~'}{operand}", dtype)


def strong(code: Code, value: Value, ufunc: np.ufunc, node: ast.Call) -> Value:
    """A Python number as the NumPy scalar that a function of NumPy makes it."""

    def rule(number: Number) -> Plan:
        made = resolved(ufunc, (number,), node)[0]
        return Plan(made, (made.dtype,), lambda _, texts: texts[0], (made,))

    return apply(code, (value,), rule, value.form)
