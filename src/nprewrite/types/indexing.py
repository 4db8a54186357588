"""What ``x[...]`` gives: views, elements and picked positions."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nprewrite.base.syntax import is_ellipsis, is_everything, is_new_axis, items_of
from nprewrite.types.array_functions import literal
from nprewrite.types.python_functions import is_position, picked
from nprewrite.types.values import Array, Scalar, ShapeOf, Unknown, Value, derived, kind_of


def basic_index(node: ast.Subscript, base: Array, values: Mapping[ast.expr, Value]) -> Value:
    """``x[...]``, ``x[:, None]``, ``x[1:-1, 0]``: a view whose shape is known axis by axis.

    With an ellipsis it is a view even without axes: ``x[0, ...]``, where ``x[0]`` is a number.
    """
    items = items_of(node)
    view = replace(base, fresh=False)
    if len(items) == 1 and is_everything(items[0]):
        return view
    if not all(is_basic(each, values) for each in items):
        arrays = [values.get(each) for each in items]
        positions = [each for each in arrays if isinstance(each, Array | Scalar)]
        # Index arrays together give one axis; with slices between them it would become the first.
        if len(positions) == len(items) and base.under is None and any(map(is_position, positions)):
            return picked(base, positions, f"@{node.lineno}:{node.col_offset}")
        if _is_masked(items, arrays, base):
            return replace(view, shape=f"selected@{node.lineno}:{node.col_offset}", fresh=True)
        picks = any(isinstance(each, Array) and each.dtype.kind in "iu" for each in arrays)
        because = "picks positions, which may be out of range" if picks else "is neither a mask nor basic"
        return Unknown(f"the index {because}")
    if not isinstance(base.shape, tuple):
        axes = any(isinstance(each, ast.Slice) or is_new_axis(each) for each in items)
        return replace(view, shape=f"{'slice' if axes else 'index'}@{node.lineno}:{node.col_offset}")
    consumed = sum(not is_new_axis(each) and not is_ellipsis(each) for each in items)
    if consumed > len(base.shape) or sum(map(is_ellipsis, items)) > 1:
        return Unknown("the indices do not fit")
    shape = _indexed(items, base.shape, consumed, f"@{node.lineno}:{node.col_offset}")
    if shape == () and not any(map(is_ellipsis, items)):
        kind = kind_of(base.dtype)
        unknown = Unknown(f"dtype {base.dtype} is not numeric")
        return Scalar(kind, base.dtype, of_array=True) if kind else unknown
    return replace(view, shape=shape)


def axis_length(shape: ShapeOf, node: ast.Subscript | ast.Call) -> Scalar:
    """``x.shape[k]`` and ``len(x)``: the symbol of the axis, or a new symbol."""
    axis = literal(node.slice) if isinstance(node, ast.Subscript) else 0
    if (
        not isinstance(shape.shape, tuple)
        or type(axis) is not int
        or not -len(shape.shape) <= axis < len(shape.shape)
    ):
        plain = isinstance(shape.shape, str) and type(axis) is int and axis >= 0
        where = axis if plain else ast.unparse(node)
        symbol = f"{shape.shape}[{where}]"
        return Scalar("int", symbol=symbol if plain else derived(symbol))
    length = shape.shape[axis]
    return Scalar("int", constant=length) if isinstance(length, int) else Scalar("int", symbol=length)


def _is_masked(items: Sequence[ast.expr], known: Sequence[Value | None], base: Array) -> bool:
    """Whether an index is one mask between slices: ``F[m, :]`` is a copy of what it selects."""
    masks = [each for each in known if isinstance(each, Array) and each.dtype == np.bool_]
    others = [item for item, each in zip(items, known, strict=True) if each not in masks]
    return len(masks) == 1 and base.under is None and all(isinstance(each, ast.Slice) for each in others)


def _indexed(items: Sequence[ast.expr], shape: tuple[Any, ...], consumed: int, place: str) -> tuple[Any, ...]:
    result: list[Any] = []
    axes = list(shape)
    skipped = len(shape) - consumed
    for number, item in enumerate(items):
        if is_new_axis(item):
            result.append(1)
        elif is_ellipsis(item):
            result += [axes.pop(0) for _ in range(skipped)]
        elif isinstance(item, ast.Slice):
            axis = axes.pop(0)
            result.append(axis if is_everything(item) else _part(item, axis) or f"slice{place}.{number}")
        else:
            axes.pop(0)
    return (*result, *axes)


def _part(item: ast.Slice, axis: Any) -> Any:
    """The length of a slice with literal bounds; equal for ``x[1:-1]``, ``x[2:]`` and ``x[:-2]``.

    None where it is not known: ``x[:k]``, ``x[::2]``.
    """
    lower = 0 if item.lower is None else literal(item.lower)
    upper = -0.0 if item.upper is None else literal(item.upper)
    if item.step is not None or type(lower) is not int or not isinstance(upper, int | float):
        return None
    if isinstance(axis, int):
        return len(range(axis)[lower : None if item.upper is None else int(upper)])
    from_the_end = item.upper is None or upper < 0
    if lower >= 0 and from_the_end:
        # An array of n elements gives max(0, n - cut) of them, whatever n is.
        return derived(f"part({axis}, {lower - int(upper)})")
    return derived(f"part({axis}, {lower}:{'' if item.upper is None else upper})")


def is_basic(node: ast.expr, values: Mapping[ast.expr, Value]) -> bool:
    """Whether an index gives a view or an element: a slice, a number, a new axis or an ellipsis."""
    if isinstance(node, ast.Slice) or is_new_axis(node) or is_ellipsis(node):
        return True
    value = values.get(node)
    return isinstance(value, Scalar) and value.kind == "int"
