"""NumPy's elementwise functions, a record for each.

A result at a place depends on the operands at that place only. All are ufuncs, so that their dtype rule is
NumPy's own ``resolve_dtypes``. A new elementwise function is one line of ``ELEMENTWISE``.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

import numpy as np

from nprewrite.numpy_api.record import NOT_IN_TORCH

# `np.clip` is a function around a ufunc of that name.
_CLIP: np.ufunc = attrgetter("_core.umath.clip")(np)


@dataclass(frozen=True)
class Elementwise:
    """An elementwise function, and how each engine computes it.

    - ``aliases``: other names in NumPy; ``operator``: the ``ast`` class of the operator that stands for it.
    - ``same_bits``: Inductor's CPU code computes the same bits; ``correctly_rounded``: NumPy rounds it
      correctly for every layout in memory.
    - ``because``: why a step cannot hold it; empty where it can. ``corrected``: a step names the runtime's
      function, because torch gives other values (``sign`` of nan is 0). ``integers``, ``bools``,
      ``complexes``: for these torch computes what NumPy does. ``float64_of_integers``: torch gives float32
      for two integers.
    - ``native``: how a lowered loop computes it: by its "operator", by a function that is "exact" (or so for
      floats alone) or "rounded", as the "magnitude", the "sign" or an "extreme" of numbers, of their "truth",
      "squared", "bounded" or the "conjugate"; empty where it does not. ``native_complex``: for complex
      numbers too, if it is "exact" or "rounded".
    - ``quick``: NumPy is no faster an element than a lowered loop.
    - ``device``: why a device does not compute it; empty where it does. ``device_refuses``: the kinds of
      numbers for which it computes something else, except powers that are products.
    - ``reduction``: the function that is its ``reduce``.
    - ``costly``: it takes some ten nanoseconds an element, where a sum takes half a nanosecond.
    - ``odd``: ``f(-x) == -f(x)``, in rounded arithmetic too, as far as the library is symmetric.
    - ``keeps_integers``: for integers it gives the same integers as Python's function.
    - ``pairs``: how it is computed on the parts of complex operands; empty where it needs the complex array.
      By its "operator" on each, as a "product" of its first and last operand, a "quotient", a "power", with
      both parts "negated", the "same" parts, their "conjugate", or by the runtime's "function" of its name.
      ``mirrored``: the comparison with its operands exchanged; ``ordered``: the ``ast`` class of the one that
      orders complex numbers by their real parts; ``of_parts``: how a test of a complex number
      joins the same test of its parts.
    - ``batched``: a reduction over many rows may hold it; torch has NumPy's values except for rounding.
    """

    ufunc: np.ufunc
    aliases: tuple[str, ...] = ()
    operator: str = ""
    same_bits: bool = False
    correctly_rounded: bool = False
    because: str = ""
    corrected: bool = False
    integers: bool = True
    bools: bool = True
    complexes: bool = True
    float64_of_integers: bool = False
    native: Literal[
        "",
        "operator",
        "exact",
        "exact for floats",
        "rounded",
        "magnitude",
        "sign",
        "extreme",
        "truth",
        "squared",
        "bounded",
        "conjugate",
    ] = ""
    native_complex: bool = False
    quick: bool = False
    device: str = ""
    device_refuses: str = ""
    reduction: str = ""
    costly: bool = False
    odd: bool = False
    keeps_integers: bool = False
    pairs: Literal[
        "", "operator", "product", "quotient", "power", "negated", "same", "conjugate", "function"
    ] = ""
    mirrored: str = ""
    ordered: str = ""
    of_parts: Literal["", "or", "and"] = ""
    batched: bool = False

    @property
    def compiled(self) -> bool:
        """Whether a step may hold it."""
        return not self.because


ELEMENTWISE: dict[str, Elementwise] = {
    "add": Elementwise(
        np.add, operator="Add", same_bits=True, native="operator", pairs="operator", reduction="sum"
    ),
    "subtract": Elementwise(
        np.subtract, operator="Sub", same_bits=True, bools=False, native="operator", pairs="operator"
    ),
    "multiply": Elementwise(
        np.multiply, operator="Mult", same_bits=True, native="operator", pairs="product", reduction="prod"
    ),
    "negative": Elementwise(
        np.negative, operator="USub", same_bits=True, native="operator", keeps_integers=True, pairs="negated"
    ),
    "positive": Elementwise(np.positive, operator="UAdd", same_bits=True, keeps_integers=True, pairs="same"),
    "square": Elementwise(
        np.square,
        same_bits=True,
        integers=False,
        native="squared",
        quick=True,
        pairs="product",
        batched=True,
    ),
    "less": Elementwise(np.less, operator="Lt", same_bits=True, ordered="Lt", mirrored="greater"),
    "less_equal": Elementwise(
        np.less_equal, operator="LtE", same_bits=True, ordered="Lt", mirrored="greater_equal"
    ),
    "greater": Elementwise(np.greater, operator="Gt", same_bits=True, ordered="Gt", mirrored="less"),
    "greater_equal": Elementwise(
        np.greater_equal, operator="GtE", same_bits=True, ordered="Gt", mirrored="less_equal"
    ),
    "equal": Elementwise(np.equal, operator="Eq", same_bits=True, mirrored="equal"),
    "not_equal": Elementwise(np.not_equal, operator="NotEq", same_bits=True, mirrored="not_equal"),
    "logical_and": Elementwise(np.logical_and, same_bits=True, native="truth", reduction="all"),
    "logical_or": Elementwise(np.logical_or, same_bits=True, native="truth", reduction="any"),
    "logical_xor": Elementwise(np.logical_xor, same_bits=True, native="truth"),
    "logical_not": Elementwise(np.logical_not, same_bits=True, native="truth"),
    "bitwise_and": Elementwise(np.bitwise_and, operator="BitAnd", same_bits=True),
    "bitwise_or": Elementwise(np.bitwise_or, operator="BitOr", same_bits=True),
    "bitwise_xor": Elementwise(np.bitwise_xor, operator="BitXor", same_bits=True),
    "invert": Elementwise(
        np.invert, aliases=("bitwise_not", "bitwise_invert"), operator="Invert", same_bits=True
    ),
    "absolute": Elementwise(
        np.absolute,
        aliases=("abs",),
        same_bits=True,
        native="magnitude",
        quick=True,
        keeps_integers=True,
        batched=True,
    ),
    "maximum": Elementwise(
        np.maximum,
        complexes=False,
        same_bits=True,
        native="extreme",
        quick=True,
        keeps_integers=True,
        batched=True,
        reduction="max",
    ),
    "minimum": Elementwise(
        np.minimum,
        complexes=False,
        same_bits=True,
        native="extreme",
        quick=True,
        keeps_integers=True,
        batched=True,
        reduction="min",
    ),
    "floor": Elementwise(
        np.floor, same_bits=True, integers=False, native="exact", quick=True, keeps_integers=True
    ),
    "ceil": Elementwise(
        np.ceil, same_bits=True, integers=False, native="exact", quick=True, keeps_integers=True
    ),
    "trunc": Elementwise(
        np.trunc, same_bits=True, integers=False, native="exact", quick=True, keeps_integers=True
    ),
    "isnan": Elementwise(
        np.isnan, same_bits=True, native="exact", native_complex=True, quick=True, of_parts="or"
    ),
    "isinf": Elementwise(np.isinf, same_bits=True, native="exact", native_complex=True, of_parts="or"),
    "isfinite": Elementwise(np.isfinite, same_bits=True, native="exact", native_complex=True, of_parts="and"),
    "conjugate": Elementwise(
        np.conjugate, aliases=("conj",), same_bits=True, native="conjugate", pairs="conjugate"
    ),
    "divide": Elementwise(
        np.divide,
        aliases=("true_divide",),
        operator="Div",
        correctly_rounded=True,
        float64_of_integers=True,
        native="operator",
        pairs="quotient",
    ),
    "sqrt": Elementwise(
        np.sqrt, correctly_rounded=True, native="exact", native_complex=True, quick=True, batched=True
    ),
    "reciprocal": Elementwise(
        np.reciprocal, correctly_rounded=True, integers=False, native="exact for floats", pairs="function"
    ),
    "power": Elementwise(
        np.power,
        aliases=("pow",),
        operator="Pow",
        bools=False,
        native="operator",
        costly=True,
        pairs="power",
        device_refuses="i u",
    ),
    "float_power": Elementwise(np.float_power, bools=False, costly=True),
    "hypot": Elementwise(np.hypot, float64_of_integers=True, native="rounded", costly=True, batched=True),
    "arctan2": Elementwise(
        np.arctan2, aliases=("atan2",), float64_of_integers=True, native="rounded", costly=True, batched=True
    ),
    "exp": Elementwise(
        np.exp, native="rounded", native_complex=True, costly=True, pairs="function", batched=True
    ),
    "exp2": Elementwise(np.exp2, native="rounded", costly=True, batched=True),
    "log": Elementwise(np.log, native="rounded", costly=True, batched=True),
    "log2": Elementwise(np.log2, native="rounded", costly=True, batched=True),
    "log10": Elementwise(np.log10, native="rounded", costly=True, batched=True),
    "log1p": Elementwise(np.log1p, native="rounded", costly=True, batched=True),
    "logaddexp": Elementwise(np.logaddexp, integers=False, native="rounded", costly=True),
    "sin": Elementwise(
        np.sin, native="rounded", native_complex=True, costly=True, quick=True, odd=True, batched=True
    ),
    "cos": Elementwise(np.cos, native="rounded", native_complex=True, costly=True, quick=True, batched=True),
    "tan": Elementwise(np.tan, native="rounded", costly=True, odd=True, batched=True),
    "arcsin": Elementwise(
        np.arcsin, aliases=("asin",), native="rounded", costly=True, odd=True, batched=True
    ),
    "arccos": Elementwise(np.arccos, aliases=("acos",), native="rounded", costly=True, batched=True),
    "arctan": Elementwise(
        np.arctan, aliases=("atan",), native="rounded", costly=True, odd=True, batched=True
    ),
    "tanh": Elementwise(np.tanh, native="rounded", costly=True, odd=True, batched=True),
    "arcsinh": Elementwise(
        np.arcsinh, aliases=("asinh",), native="rounded", costly=True, odd=True, batched=True
    ),
    "deg2rad": Elementwise(np.deg2rad, aliases=("radians",), native="exact"),
    "rad2deg": Elementwise(np.rad2deg, aliases=("degrees",), native="exact"),
    "clip": Elementwise(_CLIP, same_bits=True, bools=False, native="bounded", quick=True),
    "sign": Elementwise(np.sign, same_bits=True, native="sign", corrected=True, keeps_integers=True),
    "fmax": Elementwise(np.fmax, complexes=False, same_bits=True, native="extreme", keeps_integers=True),
    "fmin": Elementwise(np.fmin, complexes=False, same_bits=True, native="extreme", keeps_integers=True),
    "fabs": Elementwise(np.fabs, same_bits=True, integers=False, native="exact", quick=True),
    "rint": Elementwise(np.rint, complexes=False, same_bits=True, integers=False, native="exact", quick=True),
    "fmod": Elementwise(
        np.fmod,
        same_bits=True,
        native="exact for floats",
        integers=False,
        bools=False,
        device_refuses="i u",
        costly=True,
    ),
    "floor_divide": Elementwise(
        np.floor_divide,
        operator="FloorDiv",
        same_bits=True,
        corrected=True,
        bools=False,
        native="operator",
        device_refuses="u",
        costly=True,
    ),
    "remainder": Elementwise(
        np.remainder,
        aliases=("mod",),
        operator="Mod",
        same_bits=True,
        corrected=True,
        bools=False,
        native="operator",
        device_refuses="u",
        costly=True,
    ),
    "expm1": Elementwise(
        np.expm1, because="Inductor loses its digits near zero", native="rounded", costly=True
    ),
    "arctanh": Elementwise(
        np.arctanh,
        aliases=("atanh",),
        because="Inductor loses its digits near zero",
        native="rounded",
        costly=True,
    ),
    "cbrt": Elementwise(
        np.cbrt,
        because="Inductor loses its digits near zero",
        costly=True,
        device="torch computes other values",
    ),
    **{
        # Inductor's own overflow where half of the result is still a number.
        ufunc.__name__: Elementwise(
            ufunc, corrected=True, integers=False, native="rounded", native_complex=True, costly=True
        )
        for ufunc in (np.sinh, np.cosh)
    },
    "arccosh": Elementwise(
        np.arccosh,
        aliases=("acosh",),
        because="it overflows earlier in Inductor",
        native="rounded",
        costly=True,
    ),
    "copysign": Elementwise(np.copysign, because="Inductor ignores signed zeros", native="exact"),
    "signbit": Elementwise(np.signbit, because="Inductor ignores signed zeros"),
    "nextafter": Elementwise(np.nextafter, because="Inductor ignores signed zeros"),
    "spacing": Elementwise(np.spacing, because="Inductor ignores signed zeros", device=NOT_IN_TORCH),
    "heaviside": Elementwise(np.heaviside, because="torch gives other values"),
    "logaddexp2": Elementwise(np.logaddexp2, because="torch gives other values"),
    "gcd": Elementwise(np.gcd, because="torch gives other values"),
    "lcm": Elementwise(np.lcm, because="torch gives other values"),
    "ldexp": Elementwise(np.ldexp, because="torch gives other values"),
    "left_shift": Elementwise(
        np.left_shift, operator="LShift", because="a shift by more than the width means something else in C++"
    ),
    "right_shift": Elementwise(
        np.right_shift,
        operator="RShift",
        because="a shift by more than the width means something else in C++",
    ),
}

OPERATORS = {each.operator: name for name, each in ELEMENTWISE.items() if each.operator}
"""The function that an operator stands for, by the name of its ``ast`` class."""

ALIASES = {alias: name for name, each in ELEMENTWISE.items() for alias in each.aliases}
"""The canonical names of functions by their other names."""

COMPILED_DTYPES = frozenset(
    ["bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"]
)
"""Dtypes with which torch computes as NumPy does: not float16, the wider unsigned ones and long double."""


def elementwise(dotted: str | None) -> tuple[str, Elementwise] | None:
    """The record for a dotted name such as ``numpy.abs`` or ``builtins.abs``, with its canonical name."""
    owner, _, short = (dotted or "").rpartition(".")
    if dotted == "builtins.abs":
        name = "absolute"
    elif owner == "numpy":
        name = ALIASES.get(short, short)
    elif owner == "nprewrite.runtime":
        # Steps name these functions in place of NumPy's.
        name = short.removeprefix("int_")
        if name not in ELEMENTWISE or not ELEMENTWISE[name].corrected:
            return None
    else:
        return None
    entry = ELEMENTWISE.get(name)
    return (name, entry) if entry else None
