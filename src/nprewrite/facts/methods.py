"""What the attributes and methods of arrays give."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nprewrite.facts import constructors, whole
from nprewrite.facts.values import (
    Array,
    DtypeValue,
    Scalar,
    ShapeOf,
    Unknown,
    Value,
    kind_of,
    real_part,
)


def attribute(value: Value, name: str) -> Value:
    """The value of ``x.name``."""
    if isinstance(value, Scalar) and value.dtype is not None and name in ("real", "imag"):
        return Scalar("float", value.dtype.type(0).real.dtype, of_array=value.of_array)
    if not isinstance(value, Array):
        return value if isinstance(value, Unknown) else Unknown(f"attribute `{name}`")
    match name:
        case "shape":
            return Unknown("the shape is not known") if value.shape is None else ShapeOf(value.shape)
        case "dtype":
            return DtypeValue(value.dtype)
        case "real" | "imag":
            return real_part(value)
        case "T":
            reverse = value.shape[::-1] if isinstance(value.shape, tuple) else None
            return replace(value, shape=reverse, fresh=False)
        case "size" | "ndim" | "nbytes" | "itemsize":
            return Scalar("int", of_array=value.under is not None)
    return Unknown(f"attribute `{name}` of an array")


def method(
    name: str, value: Value, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """The value of ``x.name(...)``, the call ``node``."""
    number = isinstance(value, Scalar) and value.dtype is not None
    if number and name in ("copy", "conj", "conjugate") and not arguments:
        return value
    if isinstance(value, Scalar) and number and name in ("item", "tolist") and not arguments:
        return replace(value, dtype=None)
    if isinstance(value, Scalar) and number and name == "astype" and len(arguments) == 1 and not keywords:
        dtype = constructors.dtype_of(arguments[0])
        kind = kind_of(dtype) if dtype is not None else None
        return Scalar(kind, dtype, of_array=value.of_array) if kind else Unknown("the dtype of astype")
    if not isinstance(value, Array):
        return value if isinstance(value, Unknown) else Unknown(f"method `{name}`")
    match name, arguments:
        case "copy", [] if not keywords:
            return replace(value, fresh=True)
        case (("conj" | "conjugate"), []):
            # A real array is its own conjugate: the method returns the array itself.
            return replace(value, fresh=value.dtype.kind == "c")
        case "astype", _:
            return _cast(value, node, arguments, keywords)
        case (("item" | "tolist"), []):
            return _python(value, name)
    if name in whole.IN_PLACE:
        return Unknown(f"`{name}` changes the array and returns nothing")
    if whole.known(name) is not None:
        named = {key: each for key, each in keywords.items() if key is not None}
        return whole.call(name, [value, *arguments], named, node, method=True)
    return Unknown(f"method `{name}` of an array is not followed")


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
    if kind is None or (name == "tolist" and value.rank != 0):
        return Unknown(f"method `{name}` of an array")
    return Scalar(kind, of_array=True)
