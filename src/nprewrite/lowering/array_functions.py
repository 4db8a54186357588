"""Functions that take or make whole arrays, in lowered code: elementwise ones, new arrays, products."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from nprewrite.lowering import array_reductions, functions, operators
from nprewrite.lowering.arrays import ArrayValue
from nprewrite.lowering.elements import (
    Elements,
    Length,
    check_equal,
    elements_of,
    fresh_array,
    materialised,
    strong,
    subscript,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import NUMPY, DType, Number, of_dtype
from nprewrite.lowering.numpy_scalars import resolved
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import Value, cast, converted, stored

if TYPE_CHECKING:
    from nprewrite.lowering.array_expressions import ArrayExpressions

_FILLED = {"zeros": 0, "empty": 0, "ones": 1, "full": None}
_LIKE = {f"{name}_like": value for name, value in _FILLED.items()}
_MAKING = {*_FILLED, "arange"}
_PYTHON = {"builtins.float": "float64", "builtins.int": "int64", "builtins.bool": "bool"}
_METHODS = {"copy", "astype", "dot", "round", "clip", *array_reductions.NAMES}
_QUICK = {
    "abs",
    "absolute",
    "sqrt",
    "minimum",
    "maximum",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "isnan",
    "sin",
    "cos",
}
"""Elementwise functions in which NumPy is no faster an element."""


def gives_array(walk: ArrayExpressions, node: ast.Call) -> bool:
    """Whether a call gives an array, as far as its arguments tell."""
    name, arguments = _named(walk, node)
    if name in _MAKING:
        return True
    if name in ("array", "asarray") and arguments and isinstance(arguments[0], ast.List | ast.Tuple):
        return True
    if name in array_reductions.NAMES:
        return array_reductions.axis_of(arguments, node) is not None and walk.rank(arguments[0]) > 1
    if name in ("dot", "matmul", "inner", "vdot") and len(arguments) == 2:
        return walk.rank(arguments[0]) + walk.rank(arguments[1]) > 2
    return name is not None and any(map(walk.is_array, arguments))


def call(walk: ArrayExpressions, node: ast.Call) -> Value | Elements | None:
    """The value of a call that takes or makes arrays; None for a function of numbers."""
    name, arguments = _named(walk, node)
    if name is None or not (gives_array(walk, node) or any(map(walk.is_array, arguments))):
        return None
    if any(isinstance(each, ast.Starred) for each in arguments):
        _refuse(node)
    if name in array_reductions.NAMES:
        return array_reductions.reduction(walk, name, arguments, node)
    making = _MAKERS.get(name)
    if making is not None:
        return making(walk, name, arguments, node)
    if node.keywords:
        _refuse(node)
    values = [walk.evaluate(each) for each in arguments]
    return _elementwise(walk, name, values, node)


def _named(walk: ArrayExpressions, node: ast.Call) -> tuple[str | None, list[ast.expr]]:
    """The name of a function of NumPy, and its arguments; a method's object is the first."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in _METHODS and walk.is_array(function.value):
        return function.attr, [function.value, *node.args]
    module, _, name = (walk.resolve(function) or "").rpartition(".")
    known = module == "numpy" or (module, name) == ("builtins", "abs")
    return (name if known else None), [*node.args]


def _refuse(node: ast.Call) -> NoReturn:
    raise NotNative("unknown-call", f"`{ast.unparse(node.func)}(...)` of such arrays is not followed", node)


def _elementwise(
    walk: ArrayExpressions, name: str, values: Sequence[Value | Elements], node: ast.Call
) -> Elements:
    code = walk.code
    if name == "where" and len(values) == 3:
        return walk.elementwise(values, lambda *each: _where(walk, each, node), node)
    if name == "outer" and len(values) == 2:
        return _outer(walk, values, node)
    if name in ("clip", "round", "around", "square"):
        return walk.elementwise(values, lambda *each: _composed(walk, name, each, node), node)
    slower = 0.0 if name in _QUICK else 3.0
    return walk.elementwise(
        values, lambda *each: functions.call(code, f"numpy.{name}", each, node), node, slower=slower
    )


def _composed(walk: ArrayExpressions, name: str, values: Sequence[Value], node: ast.Call) -> Value:
    """Functions that are others put together."""
    code, count = walk.code, len(values)
    if name == "square" and count == 1:
        return operators.binary(code, ast.Mult(), values[0], values[0], node)
    if name == "clip" and count == 3:
        raised = functions.call(code, "numpy.maximum", values[:2], node)
        return functions.call(code, "numpy.minimum", [raised, values[2]], node)
    if name in ("round", "around") and count == 1:
        whole = values[0].only is not None and values[0].only.dtype.kind != "f"
        return values[0] if whole else functions.call(code, "numpy.rint", values, node)
    _refuse(node)


def _where(walk: ArrayExpressions, values: Sequence[Value], node: ast.Call) -> Value:
    """One of two elements, in the dtype that both promote to."""
    condition, *chosen = values
    kinds = [each.only for each in chosen]
    if None in kinds:
        _refuse(node)
    operands = [each.dtype.type(0).item() if each.weak else each.dtype for each in kinds if each]
    number = _number(np.result_type(*operands), node)
    first, second = (converted(walk.code, each, number.dtype) for each in chosen)
    test = functions.truth(walk.code, condition)
    return Value({number: walk.code.temporary(f"{first} if {test} else {second}")})


def _outer(walk: ArrayExpressions, values: Sequence[Value | Elements], node: ast.Call) -> Elements:
    left, right = values
    if not isinstance(left, Elements) or not isinstance(right, Elements) or left.rank + right.rank != 2:
        _refuse(node)
    lengths = (*left.lengths, *right.lengths)
    walk.account(lengths, 0.0)

    def at(indices: Sequence[str]) -> Value:
        factors = left.at(indices[:1]), right.at(indices[1:])
        return operators.binary(walk.code, ast.Mult(), *factors, node)

    return Elements(lengths, at)


def _number(dtype: DType, node: ast.AST) -> Number:
    number = of_dtype(dtype)
    if number is None:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is of {dtype}", node)
    return number


def _dtype(walk: ArrayExpressions, node: ast.expr, call: ast.Call) -> Number:
    """What ``dtype=...`` names."""
    if isinstance(node, ast.Attribute) and node.attr == "dtype" and isinstance(node.value, ast.Name):
        held = walk.held(node.value.id)
        if held is not None:
            return held.array.element
    dotted = walk.resolve(node) or ""
    name = _PYTHON.get(dotted) or (dotted.removeprefix("numpy.") if dotted.startswith("numpy.") else None)
    name = "bool" if name == "bool_" else "int64" if name in ("int_", "intp") else name
    if name not in NUMPY:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is no dtype that is followed", call)
    return NUMPY[name]


def _bound(names: Sequence[str], arguments: Sequence[ast.expr], node: ast.Call) -> dict[str, ast.expr]:
    """The arguments by their names."""
    given = dict(zip(names, arguments, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg is not None}
    if (
        len(arguments) > len(names)
        or not given.keys() <= {*names}
        or any(not each.arg for each in node.keywords)
    ):
        _refuse(node)
    return given


def _lengths(walk: ArrayExpressions, node: ast.expr) -> list[Length]:
    """The lengths that ``n`` or ``(n, m)`` asks for."""
    values = walk.shape(node)
    if values is None:
        parts = [*node.elts] if isinstance(node, ast.Tuple | ast.List) else [node]
        values = [walk.value(each) for each in parts]
    return [_length(walk, each, node) for each in values]


def _length(walk: ArrayExpressions, value: Value, node: ast.expr) -> Length:
    if not all(each.is_integer for each in value.codes):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no shape of integers", node)
    text = walk.code.temporary(walk.integer(value, Event.VALUE))
    form = value.form
    if form is None or walk.code.symbols.lower(form) < 0:
        walk.code.end_if(f"{text} < 0", Event.VALUE)
        form = unknown_length(walk.code)
    return Length(text, form)


def _filled(walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.zeros(n)`` and the like; what ``np.empty`` holds is anything."""
    like = name.endswith("_like")
    stem = name.removesuffix("_like")
    names = ["shape", *(["fill_value"] if stem == "full" else []), "dtype"]
    given = _bound(["a" if like else "shape", *names[1:]], arguments, node)
    if like:
        model = walk.elements(given["a"])
        lengths = model.lengths
    else:
        lengths = tuple(_lengths(walk, given["shape"]))
    if stem == "full":
        value = walk.value(given["fill_value"])
        number = strong(value)
    else:
        value = Value({NUMPY["float64"]: f"np.float64({_FILLED[stem]})"})
        number = NUMPY["float64"]
    if like:
        number = strong(model.at(["0"] * model.rank)) if model.kept is None else model.kept.array.element
    if "dtype" in given:
        number = _dtype(walk, given["dtype"], node)
    walk.account(lengths, 0.0)
    text = walk.code.temporary(stored(walk.code, value, number.dtype))
    return Elements(lengths, lambda _: Value({number: text}))


def _counted(walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.arange(n)`` and ``np.arange(a, b)`` of integers."""
    if node.keywords or not 1 <= len(arguments) <= 2:
        _refuse(node)
    values = [walk.value(each) for each in arguments]
    if not all(kind.is_integer and kind.dtype == np.int64 for each in values for kind in each.codes):
        _refuse(node)
    start, stop = values if len(values) == 2 else (Value(walk.number("0").codes, form=Form(0)), values[0])
    first, last = (walk.code.temporary(walk.integer(each, Event.VALUE)) for each in (start, stop))
    form = stop.form.minus(start.form) if start.form is not None and stop.form is not None else None
    known = form is not None and walk.code.symbols.lower(form) >= 0
    text = walk.code.temporary(f"max({last} - {first}, 0)")
    length = Length(text, form if known and form is not None else unknown_length(walk.code))
    walk.account([length], 0.0)
    number = NUMPY["int64"]
    return Elements(
        (length,), lambda indices: Value({number: walk.code.temporary(f"{first} + np.int64({indices[0]})")})
    )


def _copied(walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``x.copy()``, ``np.array(x)``, ``np.array([a, b])``."""
    if len(arguments) != 1 or node.keywords:
        _refuse(node)
    if isinstance(arguments[0], ast.List | ast.Tuple):
        return elements_of(walk.code, _listed(walk, arguments[0], node))
    if name == "asarray":
        _refuse(node)
    made = walk.elements(arguments[0])
    walk.account(made.lengths, 0.0)
    return Elements(made.lengths, made.at)


def _listed(walk: ArrayExpressions, node: ast.List | ast.Tuple, call: ast.Call) -> ArrayValue:
    """``np.array([a, b, c])`` of numbers."""
    values = [walk.value(each) for each in node.elts]
    kinds = [each.only for each in values]
    if None in kinds or not kinds:
        _refuse(call)
    number = _number(np.result_type(*(NUMPY[each.kept].dtype for each in kinds if each)), call)
    length = Length(f"np.int64({len(values)})", Form(len(values)))
    walk.account([length], 0.0)
    name, position = walk.code.fresh(), len(walk.code.lines)
    for place, value in enumerate(values):
        text = stored(walk.code, value, number.dtype)
        walk.code.line(f"{name}[{subscript([str(place)])}] = {text}")
    whole = Elements((length,), lambda _: values[0])
    return fresh_array(walk.code, whole, position, number, name)


def _cast(walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    given = _bound(["a", "dtype"], arguments, node)
    made, number = walk.elements(given["a"]), _dtype(walk, given["dtype"], node)
    walk.account(made.lengths, 0.0)

    def at(indices: Sequence[str]) -> Value:
        return Value({number: walk.code.temporary(stored(walk.code, made.at(indices), number.dtype))})

    return Elements(made.lengths, at)


def _dot(
    walk: ArrayExpressions, name: str, arguments: Sequence[ast.expr], node: ast.Call
) -> Value | Elements:
    if len(arguments) != 2 or node.keywords:
        _refuse(node)
    if name in ("inner", "vdot") and max(map(walk.rank, arguments)) > 1:
        _refuse(node)
    return product(walk, [walk.evaluate(each) for each in arguments], node)


_MAKERS: dict[str, Callable[..., Value | Elements]] = {
    **dict.fromkeys((*_FILLED, *_LIKE), _filled),
    "arange": _counted,
    "copy": _copied,
    "array": _copied,
    "asarray": _copied,
    "astype": _cast,
    "dot": _dot,
    **dict.fromkeys(("matmul", "inner", "vdot"), _dot),
}


def product(walk: ArrayExpressions, operands: Sequence[Value | Elements], node: ast.expr) -> Value | Elements:
    """The product of vectors and matrices, in another order of its sums than BLAS takes."""
    pair = [each for each in operands if isinstance(each, Elements)]
    if len(pair) < 2 or not all(each.rank in (1, 2) for each in pair):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no product of vectors or matrices", node)
    code = walk.code
    solid = [each.kept or materialised(code, each) for each in pair]
    *_, out = resolved(np.multiply, [each.array.element for each in solid], node)
    if out.dtype.kind == "b":
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is a product of booleans", node)
    left, right = (_in_dtype(walk, each, out) for each in solid)
    rows, columns = left.lengths or (), right.lengths or ()
    inner = [
        Length(f"{left.text}.shape[{len(rows) - 1}]", rows[-1]),
        Length(f"{right.text}.shape[0]", columns[0]),
    ]
    check_equal(code, *inner)
    code.rounds |= out.dtype.kind == "f"
    outer = [
        *(Length(f"{left.text}.shape[0]", each) for each in rows[:-1]),
        *(Length(f"{right.text}.shape[1]", each) for each in columns[1:]),
    ]
    walk.account([*outer, inner[0]], 0.2)

    def at(indices: Sequence[str]) -> Value:
        row = f"{left.text}[np.uint64({indices[0]})]" if len(rows) == 2 else left.text
        column = f"{right.text}[:, np.uint64({indices[-1]})]" if len(columns) == 2 else right.text
        text = cast(f"dot({row}, {column}, np.{out.kept}(0))", out.dtype)
        return Value({out: code.temporary(text)})

    return Elements(tuple(outer), at) if outer else at([])


def _in_dtype(walk: ArrayExpressions, held: ArrayValue, number: Number) -> ArrayValue:
    if held.array.element == number:
        return held
    elements = elements_of(walk.code, held)

    def at(indices: Sequence[str]) -> Value:
        return Value({number: converted(walk.code, elements.at(indices), number.dtype)})

    return materialised(walk.code, Elements(elements.lengths, at))
