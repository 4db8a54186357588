"""Which elementwise operations a step may contain: those whose dtype and values torch.compile gives as NumPy.

Some are replaced in the step's text by ``corrections``; those that cannot be are problems here.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME
from nprewrite.types.array_functions import literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar

DIVISIONS = frozenset(["floor_divide", "remainder"])


def elementwise_problem(
    name: str, node: ast.expr, operands: Sequence[ast.expr], function: Function
) -> Problem | None:
    """Why the operation ``name`` of ``operands`` does not become part of a step."""
    if name in ("left_shift", "right_shift") and _is_short_shift(node, operands[1], function):
        return literals_problem(node, operands, function)
    entry = ELEMENTWISE[name]
    loop = function.facts.expressions.loops.get(node, ())
    taken = [function.facts.value(each) for each in operands]
    kinds = {each.dtype.kind for each in taken if isinstance(each, Array)}
    short = loop and loop[-1].kind == "f" and loop[-1].itemsize < 8
    because = None
    if not entry.compiled:
        because = entry.because
    elif "c" in kinds and entry.corrected:
        because = "its parts are not computed apart"
    elif "c" in kinds and not entry.complexes:
        because = "torch does not compute it of complex numbers"
    elif kinds & set("iub") and not entry.integers:
        because = "torch computes it of floats only"
    elif "b" in kinds and not entry.bools:
        because = "torch does not compute it of bools"
    elif short and kinds and kinds <= set("iub") and not entry.same_bits:
        because = f"torch does not give {loop[-1]} for integers"
    if because is not None:
        return Problem("stays-in-numpy", f"`{ast.unparse(node)}`: {because}", node)
    if name in DIVISIONS:
        return _division_problem(node, operands, function)
    if name == "power":
        return _power_problem(node, operands, function)
    return literals_problem(node, operands, function)


def comparison_problem(node: ast.Compare, operands: Sequence[ast.expr], function: Function) -> Problem | None:
    """Why a comparison does not become part of a step."""
    names = (OPERATORS.get(type(each).__name__) for each in node.ops)
    problems = (elementwise_problem(each, node, operands, function) for each in names if each is not None)
    found = next((each for each in problems if each is not None), None)
    return found or literals_problem(node, operands, function)


def literals_problem(node: ast.expr, operands: Sequence[ast.expr], function: Function) -> Problem | None:
    """Why a literal does not fit the integers next to it: unlike torch, NumPy raises or compares exactly."""
    loop = function.facts.expressions.loops.get(node, ())
    for dtype, operand in zip(loop, operands, strict=False):
        value = function.facts.value(operand)
        number = value.constant if isinstance(value, Scalar) else None
        if dtype.kind not in "iu" or type(number) is not int:
            continue
        info = np.iinfo(dtype)
        if not info.min <= number <= info.max:
            text = f"`{ast.unparse(operand)}` is out of the range of {dtype}"
            return Problem("value-out-of-range", text, node)
    return None


def integer_division(node: ast.expr, divisor: ast.expr, function: Function) -> str:
    """How a quotient or remainder becomes part of a step: "as written", "corrected" or "floats"."""
    loop = function.facts.expressions.loops.get(node, ())
    if not loop or loop[0].kind not in "iu":
        return "floats"
    # A name is a parameter of the step, which could be 0 there.
    number = literal(divisor)
    return "as written" if type(number) is int and number not in (0, -1) else "corrected"


def has_other_words(name: str, node: ast.expr, operands: Sequence[ast.expr], function: Function) -> bool:
    """Whether an operation has to be replaced by one of the runtime's functions."""
    dotted = function.dotted(node.func) if isinstance(node, ast.Call) else None
    if dotted is not None and dotted.startswith(RUNTIME):
        return False
    if name in DIVISIONS:
        return integer_division(node, operands[1], function) != "as written"
    loop = function.facts.expressions.loops.get(node, ())
    return ELEMENTWISE[name].corrected and bool(loop) and loop[0].kind == "f"


def _division_problem(node: ast.expr, operands: Sequence[ast.expr], function: Function) -> Problem | None:
    how = integer_division(node, operands[1], function)
    loop = function.facts.expressions.loops.get(node, ())
    text = f"`{ast.unparse(node)}`"
    if how == "corrected" and loop[0].kind == "u":
        return Problem("stays-in-numpy", f"{text}: unsigned integers over what may be 0", node)
    taken = [function.facts.value(each) for each in operands]
    mixed = any(
        isinstance(each, Array | Scalar) and each.dtype and each.dtype.kind in "iub" for each in taken
    )
    if how == "floats" and mixed:
        return Problem("stays-in-numpy", f"{text}: integers and floats are divided", node)
    return literals_problem(node, operands, function)


def _is_short_shift(node: ast.expr, by: ast.expr, function: Function) -> bool:
    """Whether a shift is by a literal number of bits below the width of the integers."""
    value, loop = function.facts.value(by), function.facts.expressions.loops.get(node, ())
    number = value.constant if isinstance(value, Scalar) else None
    return bool(loop) and type(number) is int and 0 <= number < 8 * loop[0].itemsize and loop[0].kind in "iu"


def _power_problem(node: ast.expr, operands: Sequence[ast.expr], function: Function) -> Problem | None:
    """Integers to a negative power raise; complex powers are products for integer literals only."""
    exponent = function.facts.value(operands[1])
    number = exponent.constant if isinstance(exponent, Scalar) else None
    result = function.facts.expressions.loops.get(node)
    if (result is None or result[-1].kind in "iub") and not (type(number) is int and number >= 0):
        return Problem("may-raise", f"`{ast.unparse(node)}`: integers to a negative power raise", node)
    return literals_problem(node, operands, function)
