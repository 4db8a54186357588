"""What the attributes and methods of arrays give."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nprewrite.facts import constructors, whole
from nprewrite.facts.values import (
    Array,
    DtypeValue,
    Items,
    Scalar,
    ShapeOf,
    Unknown,
    Value,
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
        case "size" | "ndim":
            return Scalar("int", of_array=value.under is not None)
    return Unknown(f"attribute `{name}` of an array")


def method(
    name: str, value: Value, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """The value of ``x.name(...)``, the call ``node``."""
    number = isinstance(value, Scalar) and value.dtype is not None
    if number and name in ("copy", "conj", "conjugate") and not arguments:
        return value
    if not isinstance(value, Array):
        return value if isinstance(value, Unknown) else Unknown(f"method `{name}`")
    if name in whole.NAMES:
        return whole.call(name, [value, *arguments], node.args, node)
    unknown = Unknown(f"method `{name}` of an array is not followed")
    if keywords:
        return unknown
    match name, arguments:
        case "copy", []:
            return replace(value, fresh=True)
        case (("conj" | "conjugate"), []):
            # A real array is its own conjugate: the method returns the array itself.
            return replace(value, fresh=value.dtype.kind == "c")
        case "reshape", [shape]:
            return _reshaped(node, value, shape)
        case "reshape", [_, *_]:
            return _reshaped(node, value, Items(tuple(arguments)))
        case "astype", [asked]:
            dtype = constructors.dtype_of(asked, node.args[0])
            return replace(value, dtype=dtype, fresh=True) if dtype else Unknown("the dtype of astype")
    return unknown


def _reshaped(node: ast.Call, value: Array, asked: Value) -> Value:
    shape = constructors.shape_of(asked, f"@{node.lineno}:{node.col_offset}")
    if isinstance(shape, tuple):
        shape = tuple(f"rest@{node.lineno}:{node.col_offset}" if each == -1 else each for each in shape)
    return replace(value, shape=shape)
