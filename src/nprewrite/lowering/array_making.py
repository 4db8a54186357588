"""New arrays in lowered code: filled, counted, listed, copied and cast ones."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from nprewrite.lowering import lists
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.arrays import ArrayValue
from nprewrite.lowering.elements import (
    Elements,
    Length,
    elements_of,
    flattened,
    fresh_array,
    strong,
    subscript,
)
from nprewrite.lowering.environment import unknown_length
from nprewrite.lowering.forms import Form
from nprewrite.lowering.held_lists import held_by
from nprewrite.lowering.numbers import FLOAT, INT, NUMPY, DType, Number, of_dtype
from nprewrite.lowering.problems import Event, NotNative, Operation, not_followed
from nprewrite.lowering.values import Value, cast_to, stored
from nprewrite.numpy_api.creation import CREATION

_PYTHON = {
    "builtins.float": "float64",
    "builtins.int": "int64",
    "builtins.bool": "bool",
    "builtins.complex": "complex128",
}


def number_of(dtype: DType, node: ast.AST) -> Number:
    """The type of elements of a dtype; raises ``NotNative`` for dtypes that are not followed."""
    number = of_dtype(dtype)
    if number is None:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is of {dtype}", node)
    return number


def _dtype(walk: ArrayWalk, node: ast.expr, call: ast.Call) -> Number:
    """What ``dtype=...`` names."""
    if isinstance(node, ast.Attribute) and node.attr == "dtype" and isinstance(node.value, ast.Name):
        held = walk.held(node.value.id)
        if held is not None:
            return held.array.element
    dotted = walk.resolve(node) or ""
    name = _PYTHON.get(dotted) or (dotted.removeprefix("numpy.") if dotted.startswith("numpy.") else None)
    name = "bool" if name == "bool_" else "int64" if name in ("int_", "intp") else name
    if name not in NUMPY:
        raise NotNative("dtype-unsupported", f"`{ast.unparse(node)}` is not a supported dtype", call)
    return NUMPY[name]


def named_arguments(
    names: Sequence[str], arguments: Sequence[ast.expr], node: ast.Call
) -> dict[str, ast.expr]:
    """The arguments by their names."""
    given = dict(zip(names, arguments, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg is not None}
    if (
        len(arguments) > len(names)
        or not given.keys() <= {*names}
        or any(not each.arg for each in node.keywords)
    ):
        raise not_followed(node)
    return given


def lengths_of(walk: ArrayWalk, node: ast.expr) -> list[Length]:
    """The lengths that ``n`` or ``(n, m)`` asks for."""
    values = walk.shape(node)
    if values is None:
        parts = [*node.elts] if isinstance(node, ast.Tuple | ast.List) else [node]
        values = [walk.value(each) for each in parts]
    return [_length(walk, each, node) for each in values]


def _length(walk: ArrayWalk, value: Value, node: ast.expr, raising: str = "np.empty(_0)") -> Length:
    if not all(each.is_integer for each in value.codes):
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not a shape of integers", node)
    text = walk.code.temporary(walk.integer(value, raising))
    form = value.form
    if form is None or walk.code.symbols.lower(form) < 0:
        walk.code.end_if(f"{text} < 0", Operation(raising, ((NUMPY["int64"], text),)))
        form = unknown_length(walk.code)
    return Length(text, form)


def _filled(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.zeros(n)`` and the like; ``np.empty`` may hold anything."""
    fills, like = CREATION[name].fills, CREATION[name].rule == "like"
    names = ["a" if like else "shape", *(["fill_value"] if fills is None else []), "dtype"]
    given = named_arguments(names, arguments, node)
    if like:
        model = walk.elements(given["a"])
        lengths = model.lengths
    else:
        lengths = tuple(lengths_of(walk, given["shape"]))
    if fills is None:
        value = walk.value(given["fill_value"])
        number = strong(value)
    else:
        value = Value({NUMPY["float64"]: f"np.float64({fills})"})
        number = NUMPY["float64"]
    if like:
        number = strong(model.at(["0"] * model.rank)) if model.kept is None else model.kept.array.element
    if "dtype" in given:
        number = _dtype(walk, given["dtype"], node)
    walk.account(lengths, 0.0)
    text = walk.code.temporary(cast_to(walk.code, value, number.dtype))
    return Elements(lengths, lambda _: Value({number: text}))


def _counted(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.arange(n)``, ``np.arange(a, b)`` and ``np.arange(a, b, step)`` of integers or floats.

    The step of integers is a literal.
    """
    if node.keywords or not 1 <= len(arguments) <= 3:
        raise not_followed(node)
    values = [walk.value(each) for each in arguments]
    if any(_is_double(each) for each in values):
        return _stepped(walk, values, node)
    integers = all(kind.is_integer and kind.dtype == np.int64 for each in values for kind in each.codes)
    by = 1 if len(values) < 3 or values[2].form is None else values[2].form.constant
    if not integers or not by or (len(values) == 3 and values[2].form != Form(by)):
        raise not_followed(node)
    start, stop = values[:2] if len(values) > 1 else (Value({INT: "0"}, form=Form(0)), values[0])
    first, last = (walk.code.temporary(walk.integer(each)) for each in (start, stop))
    form = stop.form.minus(start.form) if start.form is not None and stop.form is not None else None
    known = by == 1 and form is not None and walk.code.symbols.lower(form) >= 0
    # Rounded up: -(-7 // 2) is 4.
    count = f"{last} - {first}" if by == 1 else f"-(({first} - {last}) // {by})"
    text = walk.code.temporary(f"max({count}, 0)")
    length = Length(text, form if known and form is not None else unknown_length(walk.code))
    walk.account([length], 0.0)
    number, times = NUMPY["int64"], "" if by == 1 else f" * {by}"
    return Elements(
        (length,),
        lambda indices: Value({number: walk.code.temporary(f"{first} + np.int64({indices[0]}){times}")}),
    )


def _is_double(value: Value) -> bool:
    return value.only is not None and value.only.dtype == np.float64


def _doubles(walk: ArrayWalk, values: Sequence[Value], node: ast.Call) -> list[str]:
    """Numbers as float64; raises ``NotNative`` where another float is among them."""
    if any(each.only is None or each.only.dtype not in (np.float64, np.int64) for each in values):
        raise not_followed(node)
    return [walk.code.temporary(f"np.float64({each.code})") for each in values]


def _stepped(walk: ArrayWalk, values: Sequence[Value], node: ast.Call) -> Elements:
    """``np.arange`` of floats, which adds multiples of the difference of its first two elements."""
    code = walk.code
    first, last, step = _doubles(walk, _with_defaults(values), node)
    count = code.temporary(f"np.ceil(({last} - {first}) / {step}) if {step} != 0.0 else np.nan")
    code.end_if(f"not ({count} < 2.0**31)", Event.REPLAY)
    length = Length(code.temporary(f"np.int64(max({count}, 0.0))"), unknown_length(code))
    second = code.temporary(f"{first} + {step}")
    by = code.temporary(f"{second} - {first}")
    walk.account([length], 0.0)

    def at(indices: Sequence[str]) -> Value:
        (index,) = indices
        later = f"{first} + np.float64({index}) * {by}"
        text = f"{later} if {index} > 1 else ({second} if {index} == 1 else {first})"
        return Value({NUMPY["float64"]: code.temporary(text)})

    return Elements((length,), at)


def _with_defaults(values: Sequence[Value]) -> list[Value]:
    zero, one = (Value({FLOAT: f"np.float64({each})"}) for each in (0.0, 1.0))
    return [zero, *values, one] if len(values) == 1 else [*values, one][:3]


def _spaced(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.linspace(a, b, n)``, whose last element is ``b`` itself."""
    code = walk.code
    given = named_arguments(["start", "stop", "num", "endpoint"], arguments, node)
    ends = given.get("endpoint", ast.Constant(True))
    if not isinstance(ends, ast.Constant) or type(ends.value) is not bool or len(given) < 2:
        raise not_followed(node)
    values = [walk.value(given["start"]), walk.value(given["stop"])]
    first, last = _doubles(walk, values, node)
    number = walk.value(given["num"]) if "num" in given else Value({INT: "np.int64(50)"}, form=Form(50))
    length = _length(walk, number, node, "np.linspace(0, 1, _0)")
    parts = code.temporary(f"{length.text} - 1" if ends.value else length.text)
    whole = code.temporary(f"{last} - {first}")
    step = code.temporary(f"{whole} / {parts} if {parts} > 0 else 0.0")
    walk.account([length], 0.0)

    def at(indices: Sequence[str]) -> Value:
        place = f"np.float64({indices[0]})"
        small = f"({place} / {parts} * {whole} if {parts} > 0 else {place} * {whole})"
        text = f"({place} * {step} if {step} != 0.0 else {small}) + {first}"
        if ends.value:
            text = f"{last} if {parts} > 0 and {indices[0]} == {parts} else {text}"
        return Value({NUMPY["float64"]: code.temporary(text)})

    return Elements((length,), at)


def _in_a_row(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``x.flatten()``."""
    if len(arguments) != 1 or node.keywords:
        raise not_followed(node)
    made = walk.elements(arguments[0])
    walk.account(made.lengths, 0.0)
    return elements_of(walk.code, flattened(walk.code, made))


def _identity(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``np.eye(n)``: ones where both indices are the same."""
    given = named_arguments(["N", "dtype"], arguments, node)
    if len(arguments) != 1:
        raise not_followed(node)
    number = _dtype(walk, given["dtype"], node) if "dtype" in given else NUMPY["float64"]
    length = _length(walk, walk.value(given["N"]), node)
    walk.account([length, length], 0.0)
    texts = [Value({NUMPY["float64"]: f"np.float64({each})"}) for each in (1, 0)]
    one, zero = (walk.code.temporary(cast_to(walk.code, each, number.dtype)) for each in texts)

    def at(indices: Sequence[str]) -> Value:
        first, second = indices
        return Value({number: walk.code.temporary(f"{one} if {first} == {second} else {zero}")})

    return Elements((length, length), at)


def _copied(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    """``x.copy()``, ``np.array(x)``, ``np.array([a, b])``; ``np.asarray(x)`` is the array itself."""
    given = named_arguments(["object", *(["dtype"] if name != "copy" else [])], arguments, node)
    model = given["object"]
    if (held := held_by(walk, model)) is not None and "dtype" not in given:
        return lists.as_array(walk, held, node)
    number = _dtype(walk, given["dtype"], node) if "dtype" in given else None
    if isinstance(model, ast.List | ast.Tuple):
        return elements_of(walk.code, displayed(walk, model, number, node))
    made = walk.elements(model)
    if name == "asarray" and number is None:
        return made
    if name == "asarray":
        raise not_followed(node)
    walk.account(made.lengths, 0.0)
    return Elements(made.lengths, made.at) if number is None else _as(walk, made, number)


def displayed(
    walk: ArrayWalk, node: ast.List | ast.Tuple, number: Number | None, call: ast.Call
) -> ArrayValue:
    """``[a, b, c]`` and ``[[a, b], [c, d]]`` of numbers as an array."""
    shape = _shape(node, call)
    values = [walk.value(each) for each in _leaves(node)]
    kinds = [each.only for each in values]
    if None in kinds or not kinds:
        raise not_followed(call)
    common = np.result_type(*(NUMPY[each.kept].dtype for each in kinds if each))
    return listed(walk, values, shape, number or number_of(common, call))


def _shape(node: ast.expr, call: ast.Call) -> tuple[int, ...]:
    """The shape of nested displays, whose rows are of one length."""
    if not isinstance(node, ast.List | ast.Tuple):
        return ()
    rows = {_shape(each, call) for each in node.elts}
    if len(rows) != 1:
        raise not_followed(call)
    return (len(node.elts), *rows.pop())


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(node, ast.List | ast.Tuple):
        yield node
        return
    for each in node.elts:
        yield from _leaves(each)


def listed(walk: ArrayWalk, values: Sequence[Value], shape: tuple[int, ...], number: Number) -> ArrayValue:
    """An array of these numbers, row after row."""
    lengths = tuple(Length(f"np.int64({each})", Form(each)) for each in shape)
    walk.account(lengths, 0.0)
    name, position = walk.code.fresh(), len(walk.code.lines)
    for place, value in zip(np.ndindex(shape), values, strict=True):
        text = stored(walk.code, value, number.dtype)
        walk.code.line(f"{name}[{subscript([str(each) for each in place])}] = {text}")
    return fresh_array(walk.code, lengths, position, number, name)


def _cast(walk: ArrayWalk, name: str, arguments: Sequence[ast.expr], node: ast.Call) -> Elements:
    given = named_arguments(["a", "dtype"], arguments, node)
    made, number = walk.elements(given["a"]), _dtype(walk, given["dtype"], node)
    walk.account(made.lengths, 0.0)
    return _as(walk, made, number)


def _as(walk: ArrayWalk, made: Elements, number: Number) -> Elements:
    def at(indices: Sequence[str]) -> Value:
        return Value({number: walk.code.temporary(cast_to(walk.code, made.at(indices), number.dtype))})

    return Elements(made.lengths, at)


MAKERS: dict[str, Callable[..., Elements]] = {
    "filled": _filled,
    "like": _filled,
    "identity": _identity,
    "counted": _counted,
    "spaced": _spaced,
    "in a row": _in_a_row,
    "copied": _copied,
    "cast": _cast,
}
