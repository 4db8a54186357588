"""Functions of the module ``math`` and of Python itself, a record for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class MathFunction:
    """A function of ``math``.

    - ``twin``: NumPy's function of the same numbers; empty where there is none.
    - ``gives``: the kind of number that it gives; ``arguments``: how many it takes.
    - ``raises``: the condition under which it raises ValueError or OverflowError and its twin does not, in
      terms of the arguments ``x`` and ``y`` and the result ``r``; empty where it never does.
    - ``exact``: it is rounded correctly, or gives no rounded number.
    - ``lanes``: array code may compute it for all elements with its twin.
    - ``native``: a lowered loop computes it.
    """

    twin: str
    gives: Literal["float", "int", "bool"] = "float"
    arguments: int = 1
    raises: str = ""
    exact: bool = False
    lanes: bool = True
    native: bool = True


_OVERFLOWS = "np.isinf(r) & np.isfinite(x)"

MATH: dict[str, MathFunction] = {
    "sqrt": MathFunction("sqrt", raises="x < 0", exact=True),
    "exp": MathFunction("exp", raises=_OVERFLOWS),
    "expm1": MathFunction("expm1", raises=_OVERFLOWS),
    "log": MathFunction("log", raises="x <= 0"),
    "log2": MathFunction("log2", raises="x <= 0"),
    "log10": MathFunction("log10", raises="x <= 0"),
    "log1p": MathFunction("log1p", raises="x <= -1"),
    "sin": MathFunction("sin", raises="np.isinf(x)"),
    "cos": MathFunction("cos", raises="np.isinf(x)"),
    "tan": MathFunction("tan", raises="np.isinf(x)"),
    "asin": MathFunction("arcsin", raises="np.abs(x) > 1"),
    "acos": MathFunction("arccos", raises="np.abs(x) > 1"),
    "atan": MathFunction("arctan"),
    "sinh": MathFunction("sinh", raises=_OVERFLOWS),
    "cosh": MathFunction("cosh", raises=_OVERFLOWS),
    "tanh": MathFunction("tanh"),
    "asinh": MathFunction("arcsinh"),
    "acosh": MathFunction("arccosh", raises="x < 1"),
    "atanh": MathFunction("arctanh", raises="np.abs(x) >= 1"),
    "fabs": MathFunction("fabs", exact=True),
    "degrees": MathFunction("degrees"),
    "radians": MathFunction("radians"),
    "atan2": MathFunction("arctan2", arguments=2),
    "hypot": MathFunction("hypot", arguments=2),
    "copysign": MathFunction("copysign", arguments=2, exact=True),
    "fmod": MathFunction("fmod", arguments=2, raises="(y == 0) | np.isinf(x)", exact=True),
    "pow": MathFunction("power", arguments=2),
    "erf": MathFunction("", lanes=False),
    "erfc": MathFunction("", lanes=False),
    "gamma": MathFunction("", lanes=False),
    "lgamma": MathFunction("", lanes=False),
    "isnan": MathFunction("isnan", "bool", exact=True),
    "isinf": MathFunction("isinf", "bool", exact=True),
    "isfinite": MathFunction("isfinite", "bool", exact=True),
    "floor": MathFunction("floor", "int", exact=True),
    "ceil": MathFunction("ceil", "int", exact=True),
    "trunc": MathFunction("trunc", "int", exact=True),
}


def math_function(dotted: str | None) -> MathFunction | None:
    """The record for a dotted name such as ``math.sin``."""
    owner, _, name = (dotted or "").rpartition(".")
    return MATH.get(name) if owner == "math" else None


CMATH: dict[str, str] = {
    "sqrt": "sqrt",
    "exp": "exp",
    "sin": "sin",
    "cos": "cos",
    "sinh": "sinh",
    "cosh": "cosh",
}
"""Functions of ``cmath`` of one number that lowered loops compute, by NumPy's functions of these names."""


def number_of(dotted: str | None) -> MathFunction | None:
    """The record for a function of ``math`` whose result is a float or an integer, not a truth value."""
    found = math_function(dotted)
    return found if found is not None and found.gives != "bool" else None


@dataclass(frozen=True)
class PythonFunction:
    """A builtin function.

    - ``pure``: it does nothing but compute its result from numbers, arrays, tuples and lists.
    - ``numbers``: it takes Python's numbers and gives one.
    - ``quiet``: it changes no array and keeps none.
    - ``reads``: it reads a sequence of numbers, and neither keeps nor changes it.
    - ``folds``: it takes the elements of an array one by one, and gives their "sum" or one by "choice".
    - ``computes``: what it computes from numbers, for lowered loops and array code; empty for others.
    - ``holds``: it gives a container of what it is given.
    """

    pure: bool = False
    numbers: bool = False
    quiet: bool = True
    reads: bool = False
    folds: Literal["", "sum", "choice"] = ""
    computes: Literal[
        "",
        "integer",
        "real",
        "truth",
        "magnitude",
        "nearest",
        "least",
        "greatest",
        "total",
        "some",
        "every",
        "power",
        "complex",
        "code point",
    ] = ""
    holds: bool = False


PYTHON: dict[str, PythonFunction] = {
    "abs": PythonFunction(pure=True, numbers=True, computes="magnitude"),
    "all": PythonFunction(computes="every"),
    "any": PythonFunction(computes="some"),
    "bool": PythonFunction(pure=True, numbers=True, computes="truth"),
    "complex": PythonFunction(pure=True, numbers=True, computes="complex"),
    "dict": PythonFunction(holds=True),
    "divmod": PythonFunction(pure=True),
    "enumerate": PythonFunction(reads=True),
    "float": PythonFunction(pure=True, numbers=True, computes="real"),
    "format": PythonFunction(),
    "id": PythonFunction(),
    "int": PythonFunction(pure=True, numbers=True, computes="integer"),
    "isinstance": PythonFunction(),
    "len": PythonFunction(pure=True, numbers=True, reads=True),
    "list": PythonFunction(holds=True),
    "max": PythonFunction(pure=True, numbers=True, reads=True, folds="choice", computes="greatest"),
    "min": PythonFunction(pure=True, numbers=True, reads=True, folds="choice", computes="least"),
    "ord": PythonFunction(pure=True, numbers=True, computes="code point"),
    "pow": PythonFunction(pure=True, numbers=True, computes="power"),
    "print": PythonFunction(),
    "range": PythonFunction(pure=True, reads=True),
    "repr": PythonFunction(),
    "reversed": PythonFunction(holds=True),
    "round": PythonFunction(pure=True, numbers=True, computes="nearest"),
    "set": PythonFunction(holds=True),
    "slice": PythonFunction(holds=True),
    "sorted": PythonFunction(holds=True),
    "str": PythonFunction(),
    "sum": PythonFunction(pure=True, numbers=True, reads=True, folds="sum", computes="total"),
    "tuple": PythonFunction(pure=True, holds=True),
    "type": PythonFunction(),
    "zip": PythonFunction(reads=True),
}


def python_function(dotted: str | None) -> PythonFunction | None:
    """The record for a dotted name such as ``builtins.abs``."""
    owner, _, name = (dotted or "").rpartition(".")
    return PYTHON.get(name) if owner == "builtins" else None
