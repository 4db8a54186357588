"""What is known of a value, in a user's words."""

from __future__ import annotations

from nprewrite.types.values import (
    Array,
    Callee,
    DtypeValue,
    Generator,
    Instance,
    Items,
    Scalar,
    ShapeOf,
    Value,
)

Known = Array | Scalar | ShapeOf | DtypeValue | Items | Callee | Instance | Generator


def described(value: Known) -> str:
    """``float64[2 axes]``, ``int = 10``, ``numpy.float32``, ``function f``."""
    match value:
        case Array():
            return _array(value)
        case Scalar():
            return _number(value)
        case ShapeOf():
            return "the shape of an array"
        case DtypeValue():
            return f"the dtype {value.dtype}"
        case Items():
            return f"a tuple or list of {len(value.values)}"
        case Callee():
            return f"function {value.name}"
        case Generator():
            return "a generator of random numbers"
    return f"object of {value.kind.__qualname__}"


def is_suggested(value: Value) -> bool:
    """Whether an annotation, a default or a call suggests the type, so that a guard has to look at it."""
    if isinstance(value, Scalar):
        return not value.proven
    return (isinstance(value, Array) and value.assumed) or isinstance(value, Callee | Instance)


def _array(array: Array) -> str:
    if array.under is not None:
        return f"{array.dtype}, the elements that a mask selects"
    if array.rank is None:
        return f"{array.dtype}[axes not known]"
    return f"{array.dtype}[{'1 axis' if array.rank == 1 else f'{array.rank} axes'}]"


def _number(number: Scalar) -> str:
    name = number.kind if number.dtype is None else f"numpy.{number.dtype}"
    return name if number.constant is None else f"{name} = {number.constant}"
