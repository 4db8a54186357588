"""What array constructors and dtypes give."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nprewrite.numpy_api.creation import Creation, creation
from nprewrite.numpy_api.elementwise import ELEMENTWISE
from nprewrite.types.values import (
    Array,
    DtypeValue,
    Items,
    Scalar,
    Shape,
    ShapeOf,
    Unknown,
    Value,
    kind_of,
    real_part,
    shown_number,
)

_BUILTIN_DTYPES = {
    f"builtins.{kind.__name__}": np.dtype(kind) for kind in (bool, int, float, complex, object)
}

_OF_SUBCLASSES = ("numpy.ma.", "numpy.rec.", "numpy.char.")

_DTYPE_TEXT = re.compile(r"[<>=|]?[a-zA-Z?]+\d{0,3}")


def dtype_named(dotted: str | None) -> np.dtype[Any] | None:
    """The dtype that a dotted name stands for: ``numpy.float32``, ``builtins.int``."""
    if dotted in _BUILTIN_DTYPES:
        return _BUILTIN_DTYPES[dotted]
    owner, _, name = (dotted or "").rpartition(".")
    if owner != "numpy" or name not in np.sctypeDict or not hasattr(np, name):
        return None
    dtype = np.dtype(np.sctypeDict[name])
    return dtype if kind_of(dtype) is not None else None


def dtype_of(value: Value | None, node: ast.expr | None = None) -> np.dtype[Any] | None:
    """The dtype that a ``dtype=`` argument names, given its value and node."""
    if isinstance(value, DtypeValue):
        return value.dtype
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _parsed(node.value)
    return None


def _parsed(text: str) -> np.dtype[Any] | None:
    if _DTYPE_TEXT.fullmatch(text) is None or text == "a":
        return None
    try:
        dtype = np.dtype(text)
    except TypeError:
        return None
    return dtype if dtype.isnative else None


def dimension(value: Value, place: str) -> Any:
    """One dimension: its number, the symbol of its value, or a new symbol."""
    if isinstance(value, Scalar) and value.constant is not None:
        return value.constant
    if isinstance(value, Scalar) and value.symbol is not None:
        return value.symbol
    return f"dimension{place}"


def shown_shape(*lengths: Value) -> tuple[int, ...] | None:
    """The shape of such lengths that a call has shown."""
    if len(lengths) == 1 and isinstance(lengths[0], Items):
        return shown_shape(*lengths[0].values)
    found = [number for number in map(shown_number, lengths) if number is not None and number >= 0]
    return tuple(found) if len(found) == len(lengths) else None


def shape_of(value: Value, place: str) -> Shape:
    """The shape that a ``shape`` argument asks for; an unknown one gets a symbol of its place."""
    if isinstance(value, ShapeOf):
        return value.shape
    if isinstance(value, Scalar):
        return (dimension(value, place),)
    if isinstance(value, Items):
        return tuple(dimension(each, f"{place}.{axis}") for axis, each in enumerate(value.values))
    return f"shape{place}"


def construct(dotted: str, arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    """The value of a call of a NumPy constructor at ``place``; ``Unknown`` for other functions."""
    made = creation(dotted)
    if dotted.startswith(_OF_SUBCLASSES):
        return Unknown(f"`{dotted}` makes a subclass of ndarray")
    cast = dtype_named(dotted)
    # Whatever their arguments, int(...) and float(...) return exactly an int and a float, or raise.
    builtin = dotted.startswith("builtins.") and dotted != "builtins.object"
    number = builtin or (bool(arguments) and isinstance(arguments[0], Scalar))
    if cast is not None and len(arguments) == 1 and number and not keywords:
        return _number(dotted, cast, arguments[0])
    # Of an array with axes, np.float32 makes an array, or gives the array itself.
    has_axes = bool(arguments) and isinstance(arguments[0], Array) and bool(arguments[0].rank)
    if cast is not None and len(arguments) == 1 and has_axes and not (builtin or keywords):
        return _converted([arguments[0], DtypeValue(cast)], {}, place)
    if dotted.startswith("nprewrite.runtime."):
        return _of_pairs(dotted.removeprefix("nprewrite.runtime."), arguments)
    if made is not None and made.rule == "filled" and not arguments and "shape" in keywords:
        arguments = [keywords["shape"]]
    if made is None or not arguments:
        return Unknown(f"nothing is known of `{dotted.lstrip('.').removeprefix('builtins.')}(...)`")
    match made.rule:
        case "filled":
            return _filled(made, arguments, keywords, place)
        case "like":
            return _like(made, arguments, keywords)
        case "counted":
            return _counted(arguments, keywords, place)
        case "spaced":
            return _spaced(arguments, keywords, place)
        case "places":
            return _places(arguments, keywords, place)
        case "converted":
            return _converted(arguments, keywords, place)
        case "unit":
            return _unit(made, arguments, keywords, place)
        case "grid":
            return _meshed(arguments, keywords, place)
    return Unknown(f"`{dotted}` makes a subclass of ndarray")


def _of_pairs(name: str, arguments: Sequence[Value]) -> Value:
    """The runtime's functions of complex values held as two real arrays."""
    first = arguments[0] if arguments else None
    if not isinstance(first, Array):
        return first if isinstance(first, Unknown) else Unknown(f"`{name}` of something not an array")
    if name in ELEMENTWISE and ELEMENTWISE[name].pairs:
        return Items((replace(first, fresh=True), replace(first, fresh=True)))
    if name == "split" and first.dtype.kind == "c":
        part = replace(real_part(first), fresh=True)
        return Items((part, part))
    if name == "join" and first.dtype.kind == "f":
        return replace(first, dtype=np.result_type(first.dtype, np.complex64), fresh=True)
    return Unknown(f"`{name}`")


def _number(dotted: str, dtype: np.dtype[Any], number: Value) -> Value:
    kind = kind_of(dtype)
    if kind is None:
        return Unknown(f"dtype {dtype} is not numeric")
    of_array = isinstance(number, Scalar) and number.of_array
    return Scalar(kind, None if dotted.startswith("builtins.") else dtype, of_array=of_array)


def _asked(
    arguments: Sequence[Value], keywords: Mapping[str, Value], position: int, default: np.dtype[Any] | None
) -> np.dtype[Any] | None:
    if "dtype" in keywords:
        return dtype_of(keywords["dtype"])
    return dtype_of(arguments[position]) if len(arguments) > position else default


def _filled(made: Creation, arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    fill: Value | None = Scalar("float")
    if made.fills is None:
        fill = arguments[1] if len(arguments) > 1 else keywords.get("fill_value")
    position = 1 if made.fills is not None else 2
    dtype = _asked(arguments, keywords, position, fill.own_dtype if isinstance(fill, Scalar) else None)
    if dtype is None:
        return fill if isinstance(fill, Unknown) else Unknown("the dtype is not written out")
    shown = shown_shape(arguments[0])
    return Array(dtype, shape_of(arguments[0], place), fresh=True, shown=shown)


def _like(made: Creation, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    model = arguments[0]
    if not isinstance(model, Array):
        return model if isinstance(model, Unknown) else Unknown("the model is not an array")
    dtype = _asked(arguments, keywords, 1 if made.fills is not None else 2, model.dtype)
    if dtype is None or "shape" in keywords:
        return Unknown("the dtype or shape is not written out")
    return Array(dtype, model.shape, fresh=True, assumed=model.assumed, shown=model.shown)


def _counted(arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    numbers = [each for each in arguments if isinstance(each, Scalar) and each.dtype is None]
    default = None
    if len(numbers) == len(arguments) and all(each.kind in {"int", "float"} for each in numbers):
        default = np.dtype("f8" if any(each.kind == "float" for each in numbers) else "i8")
    dtype = dtype_of(keywords["dtype"]) if "dtype" in keywords else default
    if dtype is None:
        return Unknown("the dtype is not written out")
    whole = len(arguments) == 1 and isinstance(arguments[0], Scalar) and arguments[0].kind == "int"
    shown = shown_shape(arguments[0]) if whole else None
    length = dimension(arguments[0], place) if whole else f"length{place}"
    return Array(dtype, (length,), fresh=True, shown=shown)


def _spaced(arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    ends = arguments[:2]
    numbers = [each for each in ends if isinstance(each, Scalar)]
    scalars = len(numbers) == 2
    real = scalars and all(each.kind != "complex" for each in numbers)
    default = np.result_type(*(each.promoting for each in numbers), 0.0) if real else None
    dtype = dtype_of(keywords["dtype"]) if "dtype" in keywords else default
    if dtype is None or "retstep" in keywords or len(arguments) > 4:
        unknown = next((each for each in ends if isinstance(each, Unknown)), None)
        return unknown or Unknown("the dtype is not written out")
    count = arguments[2] if len(arguments) > 2 else keywords.get("num", Scalar("int", constant=50))
    shape: Shape = (dimension(count, place),) if scalars else f"linspace{place}"
    return Array(dtype, shape, fresh=True, shown=shown_shape(count) if scalars else None)


def _converted(arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    model = arguments[0]
    dtype = _asked(arguments, keywords, 1, None)
    if isinstance(model, Array):
        return replace(
            model, dtype=dtype or model.dtype, fresh=False, assumed=model.assumed and dtype is None
        )
    if isinstance(model, Unknown) and model.converted:
        return replace(model.converted, dtype=dtype or model.converted.dtype)
    if isinstance(model, Unknown):
        return model if dtype is None else Array(dtype, f"asarray{place}")
    if isinstance(model, Items) and any(isinstance(each, Array) for each in model.values):
        return _stacked(model, dtype, place)
    if model == Items():
        return Unknown("an empty list")
    listed = _listed(model)
    if listed is None:
        return Unknown("the argument of `np.asarray` or `np.array` has no known type")
    numbers, shape = listed
    common = np.result_type(*(each.own_dtype for each in numbers))
    return Array(dtype or common, shape, fresh=True)


def _listed(model: Value) -> tuple[list[Scalar], tuple[int, ...]] | None:
    """The numbers of nested displays and their shape; None where rows differ, or hold something else."""
    if isinstance(model, Scalar):
        return [model], ()
    rows = [_listed(each) for each in model.values] if isinstance(model, Items) else []
    known = [each for each in rows if each is not None]
    if not known or len(known) < len(rows) or any(shape != known[0][1] for _, shape in known):
        return None
    return [number for numbers, _ in known for number in numbers], (len(rows), *known[0][1])


def _stacked(model: Items, dtype: np.dtype[Any] | None, place: str) -> Value:
    """``np.array([a, b])`` of arrays of the same rank; where ranks or shapes differ, the call raises."""
    rows = [each for each in model.values if isinstance(each, Array) and each.under is None]
    rank = rows[0].rank if rows else None
    if rank is None or len(rows) < len(model.values) or any(each.rank != rank for each in rows):
        return Unknown("the argument of `np.asarray` or `np.array` has no known type")
    shape = rows[0].shape
    if not isinstance(shape, tuple) or any(each.shape != shape for each in rows):
        shape = tuple(f"row{place}.{axis}" for axis in range(rank))
    common = dtype or np.result_type(*(each.dtype for each in rows))
    return Array(common, (len(rows), *shape), fresh=True, assumed=any(each.assumed for each in rows))


def _unit(made: Creation, arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    named: dict[str, Value] = {**dict(zip(made.step.split(), arguments, strict=False)), **keywords}
    asked = named.pop("dtype", None)
    dtype = np.dtype(float) if asked is None else dtype_of(asked)
    given = [named.pop(name, None) for name in ("N", "n", "M", "k")]
    rows = given[0] or given[1]
    if dtype is None or named or rows is None or len(arguments) > len(made.step.split()):
        return Unknown("the arguments of `np.eye`, `np.identity` or `np.tri` are not analysed")
    side = dimension(rows, f"{place}.0")
    return Array(dtype, (side, side if given[2] is None else dimension(given[2], f"{place}.1")), fresh=True)


def _meshed(arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    arrays = [each for each in arguments if isinstance(each, Array)]
    if set(keywords) - {"indexing"} or len(arrays) != len(arguments):
        unknown = (each for each in arguments if isinstance(each, Unknown))
        return next(unknown, Unknown("the options of `np.meshgrid` are not analysed"))
    shape = tuple(f"mesh{place}.{axis}" for axis in range(len(arguments)))
    return Items(tuple(Array(each.dtype, shape, fresh=True, assumed=each.assumed) for each in arrays))


def _places(arguments: Sequence[Value], keywords: Mapping[str, Value], place: str) -> Value:
    dtype, lengths = _asked(arguments, keywords, 1, np.dtype(int)), arguments[0]
    if dtype is None or keywords.keys() - {"dtype"} or not isinstance(lengths, Items | ShapeOf):
        return Unknown("the arguments of `np.indices` are not analysed")
    shape = shape_of(lengths, place)
    return Array(dtype, (len(shape), *shape) if isinstance(shape, tuple) else f"indices{place}", fresh=True)


def grid(name: str, slices: Sequence[ast.expr], values: Mapping[ast.expr, Value], place: str) -> Value:
    """``np.mgrid[0:n, 0:1:5j]`` and ``np.ogrid``: integers, or floats where a bound is no integer."""
    bounds = [
        each for part in slices if isinstance(part, ast.Slice) for each in (part.lower, part.upper, part.step)
    ]
    given = [values.get(each) for each in bounds if each is not None]
    numbers = [each for each in given if isinstance(each, Scalar) and each.dtype is None]
    if len(numbers) < len(given) or not all(isinstance(each, ast.Slice) for each in slices):
        return Unknown(f"the bounds of `{name}` are not numbers")
    dtype = np.dtype(int if all(each.kind == "int" for each in numbers) else float)
    lengths = [f"grid{place}.{axis}" for axis in range(len(slices))]
    if name == "mgrid":
        return Array(dtype, (len(slices), *lengths) if len(slices) > 1 else (lengths[0],), fresh=True)
    if len(slices) == 1:
        return Array(dtype, (lengths[0],), fresh=True)
    open_axes = [
        tuple(each if a == axis else 1 for a, each in enumerate(lengths)) for axis in range(len(slices))
    ]
    return Items(tuple(Array(dtype, each, fresh=True) for each in open_axes))
