"""What the attributes and methods of arrays give."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nprewrite.numpy_api.attributes import ATTRIBUTES
from nprewrite.numpy_api.effects import changes_its_array
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import METHODS
from nprewrite.types import array_functions, constructors
from nprewrite.types.values import Array, DtypeValue, Scalar, ShapeOf, Unknown, Value, kind_of, real_part


def attribute(value: Value, name: str) -> Value:
    """The value of ``x.name``."""
    gives = ATTRIBUTES[name].gives if name in ATTRIBUTES else None
    if isinstance(value, Scalar) and value.dtype is not None and gives == "parts":
        return Scalar("float", value.dtype.type(0).real.dtype, of_array=value.of_array)
    if not isinstance(value, Array):
        return value if isinstance(value, Unknown) else Unknown(f"attribute `{name}`")
    match gives:
        case "shape":
            return Unknown("the shape is not known") if value.shape is None else ShapeOf(value.shape)
        case "dtype":
            return DtypeValue(value.dtype)
        case "parts":
            return real_part(value)
        case "reversed":
            reverse = value.shape[::-1] if isinstance(value.shape, tuple) else None
            return replace(value, shape=reverse, fresh=False)
        case "integer":
            return _size(value) if name == "size" else Scalar("int", of_array=value.under is not None)
    return Unknown(f"attribute `{name}` of an array")


def _size(value: Array) -> Scalar:
    """``x.size``: for one axis its length, as ``len(x)``."""
    if value.under is not None:
        return Scalar("int", of_array=True)
    (length, *others) = value.shape if isinstance(value.shape, tuple) and value.shape else (None, None)
    if isinstance(length, int) and not others:
        return Scalar("int", constant=length)
    shown = None if value.shown is None else math.prod(value.shown)
    return Scalar("int", symbol=length if not others else None, shown=shown)


def method(
    name: str, value: Value, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """The value of ``x.name(...)``, the call ``node``."""
    gives = METHODS[name].gives if name in METHODS else None
    if isinstance(value, Scalar) and value.dtype is not None and gives is not None:
        return _of_number(name, value, arguments, keywords)
    if not isinstance(value, Array):
        return value if isinstance(value, Unknown) else Unknown(f"`.{name}(...)` is not analysed")
    match gives, arguments:
        case "copy", [] if not keywords:
            return replace(value, fresh=True)
        case "conjugate", []:
            # A real array is its own conjugate: the method returns the array itself.
            return replace(value, fresh=value.dtype.kind == "c")
        case "dtype", _:
            return _cast(value, node, arguments, keywords)
        case (("number" | "list"), []):
            return _python(value, name)
    if changes_its_array(name):
        return Unknown(f"`{name}` changes the array and returns nothing")
    if array_function(name) is not None:
        named = {key: each for key, each in keywords.items() if key is not None}
        return array_functions.call(name, [value, *arguments], named, node, method=True)
    return Unknown(f"`.{name}(...)` of an array is not analysed")


def _of_number(
    name: str, value: Scalar, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    match METHODS[name].gives, arguments:
        case (("copy" | "conjugate"), []):
            return value
        case (("number" | "list"), []):
            return replace(value, dtype=None)
        case "dtype", [asked] if not keywords:
            dtype = constructors.dtype_of(asked)
            kind = kind_of(dtype) if dtype is not None else None
            return Scalar(kind, dtype, of_array=value.of_array) if kind else Unknown("the dtype of astype")
    return Unknown(f"`.{name}(...)` is not analysed")


def _cast(
    value: Array, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """``x.astype(dtype)``, a new array; with ``copy=False`` maybe the array itself."""
    named = [each.value for each in node.keywords if each.arg == "dtype"]
    asked = [*node.args, *named]
    options = keywords.keys() - {"dtype", "copy"}
    if len(asked) != 1 or options:
        return Unknown("the arguments of astype")
    values = [*arguments, *(each for key, each in keywords.items() if key == "dtype")]
    dtype = constructors.dtype_of(values[0], asked[0])
    return (
        replace(value, dtype=dtype, fresh="copy" not in keywords) if dtype else Unknown("the dtype of astype")
    )


def _python(value: Array, name: str) -> Value:
    """``x.item()``, a Python number; ``x.tolist()`` is a list where the array has axes."""
    kind = kind_of(value.dtype)
    if kind is None or (METHODS[name].gives == "list" and value.rank != 0):
        return Unknown(f"`.{name}(...)` of an array is not analysed")
    return Scalar(kind, of_array=True)
