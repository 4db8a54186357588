"""The results of operations on known values: on arrays elementwise, and on two Python numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import add, mul, sub
from typing import Any

import numpy as np

from nprewrite.types.values import (
    Array,
    Items,
    Kind,
    Scalar,
    Shape,
    Unknown,
    Value,
    broadcast,
    kind_of,
    shown_number,
)

_KINDS: tuple[Kind, ...] = ("bool", "int", "float", "complex")


def first_unknown(values: Sequence[Value]) -> Unknown | None:
    """The unknown operand that makes a result unknown; preferably one whose type a call would show."""
    unknown = [each for each in values if isinstance(each, Unknown)]
    return next((each for each in unknown if each.parameter), unknown[0] if unknown else None)


def combined(dtype: np.dtype[Any], operands: Sequence[Value]) -> Value:
    """The result of an elementwise operation: broadcast shape, one common mask."""
    arrays = [each for each in operands if isinstance(each, Array)]
    kind = kind_of(dtype)
    if kind is None:
        return Unknown(f"dtype {dtype} is not numeric")
    if not arrays:
        return Scalar(kind, dtype, of_array=of_array(operands))
    masks = {each.under for each in arrays}
    if len(masks) > 1:
        return Unknown("elements selected by a mask meet elements that are not selected by the same mask")
    shape: Shape | None = arrays[0].shape
    for each in arrays[1:]:
        shape = broadcast(shape, each.shape)
    assumed = any(each.assumed for each in arrays)
    return Array(dtype, shape, under=masks.pop(), fresh=True, assumed=assumed)


def of_displays(operands: Sequence[Value]) -> Sequence[Value]:
    """The operands, with lists of literal numbers as the arrays that NumPy makes of them next to an array."""
    if not any(isinstance(each, Array) for each in operands):
        return operands
    return [_of_display(each) if isinstance(each, Items) else each for each in operands]


def _of_display(items: Items) -> Value:
    numbers = [each.constant for each in items.values if isinstance(each, Scalar) and each.dtype is None]
    if not numbers or len(numbers) != len(items.values) or None in numbers:
        return items
    made = np.array(numbers)
    return Array(made.dtype, made.shape, fresh=True) if made.dtype.kind in "bif" else items


def of_array(operands: Sequence[Value]) -> bool:
    """Whether a number among ``operands`` is computed from an array's elements."""
    return any(isinstance(each, Scalar) and each.of_array for each in operands)


def python_arithmetic(operator: str, left: Scalar, right: Scalar) -> Value:
    """The type of an operation on two Python numbers."""
    proven, from_array = left.proven and right.proven, left.of_array or right.of_array
    order = max(_KINDS.index(left.kind), _KINDS.index(right.kind), 1)
    kind = _KINDS[order]
    if operator == "Div" and kind == "int":
        kind = "float"
    if operator == "Pow" and kind == "int":
        natural = type(right.constant) is int and right.constant >= 0
        unknown = Unknown("an integer power of unknown sign")
        return Scalar("int", proven=proven, of_array=from_array) if natural else unknown
    positive = isinstance(left.constant, int | float) and left.constant > 0
    if operator == "Pow" and kind == "float" and type(right.constant) is not int and not positive:
        return Unknown("a float power may be complex")
    if operator in {"Add", "Sub", "Mult", "Div", "Pow", "FloorDiv", "Mod"}:
        folded = _folded(operator, left, right)
        shown = _shown(operator, left, right) if kind == "int" else None
        return Scalar(kind, proven=proven, constant=folded, of_array=from_array, shown=shown)
    if kind != "int":
        return Unknown(f"operator {operator} of these numbers")
    truths = left.kind == right.kind == "bool" and operator in {"BitAnd", "BitOr", "BitXor"}
    return Scalar("bool" if truths else "int", proven=proven, of_array=from_array)


_EXACT = {"Add": add, "Sub": sub, "Mult": mul}


def _shown(name: str, left: Scalar, right: Scalar) -> int | None:
    """The size that a call has shown of ``n + 1`` and its like."""
    numbers = [each for each in map(shown_number, (left, right)) if each is not None]
    if len(numbers) < 2:
        return None
    if name == "FloorDiv" and numbers[1] > 0:
        return numbers[0] // numbers[1]
    return _EXACT[name](*numbers) if name in _EXACT else None


def _folded(operator: str, left: Scalar, right: Scalar) -> int | float | complex | None:
    """The exact value of ``2 * 3``, for the three operators that cannot raise."""
    if left.constant is None or right.constant is None or isinstance(left.constant, bool):
        return None
    exact = _EXACT.get(operator)
    return None if exact is None else exact(left.constant, right.constant)


def special(value: Value, dotted: str) -> Value:
    """What a function of SciPy gives for a number or an array of floats; integers become float64."""
    if isinstance(value, Unknown):
        return value
    own = value.dtype if isinstance(value, Array | Scalar) else None
    if isinstance(value, Scalar) and value.kind in ("int", "float") and own in (None, "f8", "i8"):
        return Scalar("float", np.dtype(float), of_array=value.of_array)
    if isinstance(value, Array) and own in ("f4", "f8") and value.under is None and value.rank:
        return replace(value, fresh=True, shown=None)
    return Unknown(f"`{dotted}` of such a value is not analysed")
