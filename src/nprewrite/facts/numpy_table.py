"""What is known of NumPy's functions, one line each.

``ELEMENTWISE`` are functions whose result at a place depends on the operands at that place only; all
are ufuncs, so that their dtype rule is NumPy's own ``resolve_dtypes``. ``same_bits`` says that
Inductor's CPU code computes the same bits; ``because`` says why a function stays in NumPy. A step's text
names the runtime's function where torch means something else (``sign`` of nan is 0), see ``corrections``.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import numpy as np


@dataclass(frozen=True)
class Elementwise:
    """An elementwise function: the ufunc that gives its dtype rule, and how compiling treats it."""

    ufunc: np.ufunc
    same_bits: bool = False
    because: str = ""

    @property
    def compiled(self) -> bool:
        """Whether a step may hold it."""
        return not self.because


def _exact(*names: str) -> dict[str, Elementwise]:
    return {name: Elementwise(_ufunc(name), same_bits=True) for name in names}


def _numpy(because: str, *names: str) -> dict[str, Elementwise]:
    return {name: Elementwise(_ufunc(name), because=because) for name in names}


def _ufunc(name: str) -> np.ufunc:
    # `np.clip` is a function around a ufunc of that name.
    found: np.ufunc = attrgetter("_core.umath.clip" if name == "clip" else name)(np)
    return found


def _rounded(*names: str) -> dict[str, Elementwise]:
    return {name: Elementwise(_ufunc(name)) for name in names}


ELEMENTWISE: dict[str, Elementwise] = {
    **_exact("add", "subtract", "multiply", "negative", "positive", "square"),
    **_exact("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
    **_exact("logical_and", "logical_or", "logical_xor", "logical_not"),
    **_exact("bitwise_and", "bitwise_or", "bitwise_xor", "invert"),
    **_exact("absolute", "maximum", "minimum", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite"),
    **_exact("conjugate"),
    **_rounded("divide", "sqrt", "reciprocal", "power", "float_power", "hypot", "arctan2"),
    **_rounded("exp", "exp2", "log", "log2", "log10", "log1p", "logaddexp"),
    **_rounded("sin", "cos", "tan", "arcsin", "arccos", "arctan", "tanh", "arcsinh"),
    **_rounded("deg2rad", "rad2deg"),
    **_exact("clip", "sign", "fmax", "fmin", "fabs", "rint", "fmod", "floor_divide", "remainder"),
    **_numpy("Inductor loses its digits near zero", "expm1", "arctanh", "cbrt"),
    **_numpy("it overflows earlier in Inductor", "sinh", "cosh", "arccosh"),
    **_numpy("Inductor ignores signed zeros", "copysign", "signbit", "nextafter", "spacing"),
    **_numpy("torch computes something else", "heaviside", "logaddexp2", "gcd", "lcm", "ldexp"),
    **_numpy("a shift by more than the width means something else in C++", "left_shift", "right_shift"),
}

NOT_OF_INTEGERS = frozenset(
    ["square", "trunc", "floor", "ceil", "reciprocal", "rint", "fabs", "fmod", "logaddexp"]
)
"""Functions that torch computes in floating point, which has not all integers, or of floats only."""

NOT_OF_BOOLS = frozenset(["subtract", "power", "float_power", "floor_divide", "remainder", "fmod", "clip"])
"""Functions that torch does not compute of bools, or gives another dtype for."""

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
    "radians": "deg2rad",
    "degrees": "rad2deg",
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


CORRECTED = {
    "sign": "sign",
    "remainder": "remainder",
    "floor_divide": "floor_divide",
    "int_remainder": "remainder",
    "int_floor_divide": "floor_divide",
}
"""The runtime's functions that steps name in place of NumPy's, which torch gives other values for."""


def elementwise(name: str | None) -> tuple[str, Elementwise] | None:
    """The entry for a dotted name such as ``numpy.abs`` or ``builtins.abs``, with its canonical name."""
    owner, _, short = (name or "").rpartition(".")
    if name == "builtins.abs":
        canonical = "absolute"
    elif owner == "numpy":
        canonical = ALIASES.get(short, short)
    elif owner == "nprewrite.runtime":
        canonical = CORRECTED.get(short, "")
    else:
        return None
    entry = ELEMENTWISE.get(canonical)
    return (canonical, entry) if entry else None
