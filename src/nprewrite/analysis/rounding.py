"""Operations whose last bits depend on the memory layout of their operands.

NumPy's loops for contiguous arrays differ from those for strided ones in the last bit of exponentials and
angles, in whether complex products are fused, and in the order of sums. A step computes on private,
contiguous copies.
"""

from __future__ import annotations

import ast

from nprewrite.analysis.array_steps import function_name
from nprewrite.base.syntax import walk
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.program.function import Function
from nprewrite.types import array_functions
from nprewrite.types.values import Array, Scalar, Value


def rounds(node: ast.AST, function: Function) -> bool:
    """Whether NumPy itself may give ``node`` other last bits with contiguous copies of its operands."""
    return any(_rounds(each, function) for each in walk(node))


def _rounds(node: ast.AST, function: Function) -> bool:
    values = function.facts.expressions.values
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.BinOp(op=ast.Pow(), right=exponent):
            # NumPy computes x ** 2 as a square.
            plain = array_functions.literal(exponent) in (1, 2) or _is_whole_number(values.get(node))
            return _is_complex(values.get(node)) or not plain
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            return _is_complex(values.get(node))
        case ast.AugAssign(op=ast.Pow(), value=exponent):
            return array_functions.literal(exponent) not in (1, 2) or _is_complex(values.get(node.target))
        case ast.AugAssign(op=ast.Mult() | ast.Div()):
            return _is_complex(values.get(node.target))
        case ast.Call():
            return _reduces_selected(node, function) or _call_rounds(node, function)
    return False


def _reduces_selected(node: ast.Call, function: Function) -> bool:
    """``x[m].sum()``, which a step computes over all of ``x``."""
    values = function.facts.expressions.values
    taken = [values.get(each) for each in walk(node) if isinstance(each, ast.Subscript)]
    selected = any(isinstance(each, Array) and each.under is not None for each in taken)
    return selected and isinstance(values.get(node), Scalar)


def _call_rounds(node: ast.Call, function: Function) -> bool:
    found = elementwise(function.dotted(node.func))
    if found is not None:
        # IEEE 754 determines correctly rounded results, though Inductor's may still differ.
        own = found[1].same_bits or found[1].correctly_rounded
        return not own or _is_complex(function.facts.expressions.values.get(node))
    line = array_function(function_name(node, function))
    ordered = line is not None and line.rounds
    return ordered and not _is_whole_number(function.facts.value(node))


def _is_whole_number(value: Value | None) -> bool:
    dtype = value.dtype if isinstance(value, Array | Scalar) else None
    return dtype is not None and dtype.kind in "iub"


def _is_complex(value: object) -> bool:
    return isinstance(value, Array) and value.dtype.kind == "c"
