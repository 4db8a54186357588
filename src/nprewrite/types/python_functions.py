"""The results of Python's own functions of numbers and arrays, and of indices: ``max(n, 2)``, ``x[k]``."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from dataclasses import replace

from nprewrite.numpy_api.python import PYTHON
from nprewrite.types.arithmetic import first_unknown, of_array
from nprewrite.types.probing import called
from nprewrite.types.values import Array, Items, Scalar, Unknown, Value


def folded(name: str, arguments: Sequence[Value], place: str) -> Value:
    """The value of a builtin that compares or adds elements; numbers of one type give one of that type."""
    unknown = first_unknown(arguments)
    if unknown is not None:
        return unknown
    if len(arguments) == 1 and isinstance(arguments[0], Array):
        if arguments[0].under is not None:
            return Unknown(f"`{name}` of selected elements")
        result = called(getattr(builtins, name), arguments, {}, place, by_data=False)
        return replace(result, fresh=PYTHON[name].folds == "sum") if isinstance(result, Array) else result
    numbers = [each for each in arguments if isinstance(each, Scalar)]
    alike = len(numbers) == len(arguments) > 1 and len({each.operand for each in numbers}) == 1
    if PYTHON[name].folds != "choice" or not alike:
        types = list(dict.fromkeys(map(_type_name, arguments)))
        chosen = f", and which it gives changes: {' or '.join(types)}" if len(types) == 2 else ""
        return Unknown(f"`{name}` of different types{chosen}")
    first, proven = numbers[0], all(each.proven for each in numbers)
    return Scalar(first.kind, first.dtype, proven=proven, of_array=of_array(numbers))


def _type_name(value: Value) -> str:
    """What a number is called: `float`, `np.float64`."""
    if not isinstance(value, Scalar):
        return "an array" if isinstance(value, Array) else "something else"
    return value.kind if value.dtype is None else f"np.{value.dtype}"


def picked(base: Array, positions: Sequence[Value], place: str) -> Value:
    """``x[k]`` and ``x[i, j]`` with arrays of positions: a new array, or an IndexError."""
    index = positions[0] if len(positions) == 1 else Items(tuple(positions))
    result = called(operator.getitem, [base, index], {}, place, by_data=False)
    return replace(result, fresh=True) if isinstance(result, Array) else result


def is_position(value: object) -> bool:
    """Whether an index is an array of integers."""
    return isinstance(value, Array) and value.dtype.kind in "iu" and value.under is None
