"""What is known of NumPy's functions, one line each.

``ELEMENTWISE`` are functions whose result at a place depends on the operands at that place only; all
are ufuncs, so that their dtype rule is NumPy's own ``resolve_dtypes``. ``same_bits`` says that
Inductor's CPU code computes the same bits; ``compiled`` is False where torch means something else
(``sign`` of nan is 0, ``rint`` of integers raises, ...), see the table "What torch.compile itself changes".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Elementwise:
    """An elementwise function: the ufunc that gives its dtype rule, and how compiling treats it."""

    ufunc: np.ufunc
    same_bits: bool = False
    compiled: bool = True


def _exact(*names: str) -> dict[str, Elementwise]:
    return {name: Elementwise(getattr(np, name), same_bits=True) for name in names}


def _rounded(*names: str) -> dict[str, Elementwise]:
    return {name: Elementwise(getattr(np, name)) for name in names}


ELEMENTWISE: dict[str, Elementwise] = {
    **_exact("add", "subtract", "multiply", "negative", "positive", "square"),
    **_exact("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
    **_exact("logical_and", "logical_or", "logical_xor", "logical_not"),
    **_exact("bitwise_and", "bitwise_or", "bitwise_xor", "invert"),
    **_exact("absolute", "maximum", "minimum", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite"),
    **_exact("conjugate"),
    **_rounded("divide", "sqrt", "reciprocal", "power", "float_power", "hypot", "arctan2"),
    **_rounded("exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    **_rounded("sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    **_rounded("sinh", "cosh", "tanh", "arcsinh", "arctanh"),
    "arccosh": Elementwise(np.arccosh, compiled=False),
    "sign": Elementwise(np.sign, compiled=False),
    "fmax": Elementwise(np.fmax, compiled=False),
    "fmin": Elementwise(np.fmin, compiled=False),
    "rint": Elementwise(np.rint, compiled=False),
    "floor_divide": Elementwise(np.floor_divide, compiled=False),
    "remainder": Elementwise(np.remainder, compiled=False),
    "copysign": Elementwise(np.copysign, compiled=False),
    "heaviside": Elementwise(np.heaviside, compiled=False),
    "left_shift": Elementwise(np.left_shift, compiled=False),
    "right_shift": Elementwise(np.right_shift, compiled=False),
}

NOT_OF_INTEGERS = frozenset(["square", "trunc", "floor", "ceil", "reciprocal"])
"""Functions that torch computes in floating point, which has not all integers."""

QUOTIENTS = frozenset(["divide", "hypot", "arctan2"])
"""Functions of two integers that NumPy computes in float64 and torch in float32."""

ALIASES = {
    "abs": "absolute",
    "conj": "conjugate",
    "true_divide": "divide",
    "mod": "remainder",
    "pow": "power",
    "acos": "arccos",
    "asin": "arcsin",
    "atan": "arctan",
    "atan2": "arctan2",
    "acosh": "arccosh",
    "asinh": "arcsinh",
    "atanh": "arctanh",
    "bitwise_not": "invert",
    "bitwise_invert": "invert",
}

OPERATORS = {
    "Add": "add",
    "Sub": "subtract",
    "Mult": "multiply",
    "Div": "divide",
    "Pow": "power",
    "FloorDiv": "floor_divide",
    "Mod": "remainder",
    "BitAnd": "bitwise_and",
    "BitOr": "bitwise_or",
    "BitXor": "bitwise_xor",
    "LShift": "left_shift",
    "RShift": "right_shift",
    "USub": "negative",
    "UAdd": "positive",
    "Invert": "invert",
    "Lt": "less",
    "LtE": "less_equal",
    "Gt": "greater",
    "GtE": "greater_equal",
    "Eq": "equal",
    "NotEq": "not_equal",
}

REDUCTIONS = frozenset(
    ["sum", "mean", "min", "max", "amin", "amax", "any", "all", "prod", "std", "var", "count_nonzero"]
)

MATH = {
    **dict.fromkeys(["sin", "cos", "tan", "asin", "acos", "atan", "atan2"], float),
    **dict.fromkeys(["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"], float),
    **dict.fromkeys(["exp", "expm1", "log", "log2", "log10", "log1p", "pow", "sqrt", "hypot"], float),
    **dict.fromkeys(["fabs", "fmod", "copysign", "radians", "degrees", "erf", "erfc", "gamma"], float),
    **dict.fromkeys(["floor", "ceil", "trunc"], int),
}
"""Functions of the module ``math`` that a loop may evaluate ahead, and what they give."""

COMPILED_DTYPES = frozenset(
    ["bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"]
)
"""Dtypes that torch computes with as NumPy does.

It does not so with float16, the wider unsigned integers and long double.
"""


def elementwise(name: str | None) -> tuple[str, Elementwise] | None:
    """The entry for a dotted name such as ``numpy.abs`` or ``builtins.abs``, with its canonical name."""
    if name == "builtins.abs":
        return "absolute", ELEMENTWISE["absolute"]
    if name is None or not name.startswith("numpy."):
        return None
    short = name.removeprefix("numpy.")
    canonical = ALIASES.get(short, short)
    entry = ELEMENTWISE.get(canonical)
    return (canonical, entry) if entry else None
