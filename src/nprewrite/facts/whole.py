"""Functions of whole arrays: what they give, and which of them torch.compile computes as NumPy does.

A function of a whole array takes other elements than those at a place: reductions, cumulative sums, shifts,
matrix products. Everything else that a loop of array code may hold is elementwise.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nprewrite.facts.numpy_table import REDUCTIONS
from nprewrite.facts.values import Array, Scalar, Shape, Unknown, Value, kind_of

_CUMULATIVE = frozenset(["cumsum", "cumprod"])
_PRODUCTS = frozenset(["dot", "matmul"])
NAMES = REDUCTIONS | _CUMULATIVE | _PRODUCTS | {"roll", "linalg.norm", "argmin", "argmax"}
"""Functions (``np.sum``) and methods (``x.sum``) of whole arrays that are followed."""

_COMPILED_KINDS = {
    **dict.fromkeys(["min", "max", "amin", "amax", "argmin", "argmax"], "fi"),
    **dict.fromkeys(["sum", "count_nonzero"], "fib"),
    **dict.fromkeys(["any", "all"], "b"),
    "roll": "fiubc",
}
"""Kinds of dtypes that a function is compiled for; floats only where nothing is listed."""


def call(name: str, operands: Sequence[Value], arguments: Sequence[ast.expr], node: ast.Call) -> Value:
    """The value of the function ``name`` of ``NAMES`` for ``operands``.

    ``arguments`` are the nodes behind the first operand, which for most functions are options.
    """
    array = operands[0]
    if not isinstance(array, Array):
        return array if isinstance(array, Unknown) else Unknown(f"`{name}` of something not an array")
    place = f"@{node.lineno}:{node.col_offset}"
    if name in _PRODUCTS and len(operands) == 2 and not node.keywords:
        return product(array, operands[1], place)
    options = _options(name, arguments, node.keywords)
    selected = array.under is not None
    if options is None or (selected and (options or name not in REDUCTIONS)):
        return Unknown(f"`{name}` with these arguments")
    if name == "roll":
        return replace(array, fresh=True)
    result = _probe(name, array, options)
    if result is None:
        return Unknown(f"`{name}` of dtype {array.dtype}")
    dtype = np.asarray(result).dtype
    kind = kind_of(dtype)
    if kind is None:
        return Unknown(f"`{name}` of dtype {array.dtype}")
    if name in _CUMULATIVE:
        shape: Shape | None = array.shape if "axis" in options or array.rank == 1 else (f"flat{place}",)
        return Array(dtype, shape, fresh=True, assumed=array.assumed)
    if not options:
        # NumPy before 2.4 counts in a Python int.
        return Scalar(kind, dtype if isinstance(result, np.generic) else None, of_array=True)
    return _reduced(array, dtype, options, place)


def product(left: Value, right: Value, place: str) -> Value:
    """The value of ``left @ right`` for arrays of at most two dimensions."""
    if not isinstance(left, Array) or not isinstance(right, Array):
        unknown = [each for each in (left, right) if isinstance(each, Unknown)]
        return unknown[0] if unknown else Unknown("a matrix product of something not an array")
    dtype = np.result_type(left.dtype, right.dtype)
    kind = kind_of(dtype)
    if left.under or right.under or kind is None:
        return Unknown("a matrix product of selected elements")
    if left.rank not in (1, 2) or right.rank not in (1, 2):
        return Unknown("a matrix product of arrays whose number of dimensions is not known")
    assert isinstance(left.shape, tuple)
    assert isinstance(right.shape, tuple)
    shape = (*left.shape[:-1], *right.shape[1:])
    if not shape:
        return Scalar(kind, dtype, of_array=True)
    return Array(dtype, shape, fresh=True, assumed=left.assumed or right.assumed)


def compiled(name: str, value: Value) -> bool:
    """Whether torch.compile computes the function ``name`` of ``value`` in the same dtype, up to rounding."""
    if not isinstance(value, Array):
        return False
    wraps = value.dtype.kind == "i" and value.dtype.itemsize < 8
    if wraps and name in ("sum", "count_nonzero"):
        return False
    return value.dtype.kind in _COMPILED_KINDS.get(name, "f")


_POSITIONS: dict[str, tuple[str, ...]] = {"roll": ("shift", "axis"), "linalg.norm": ()}
_OPTIONS = {
    "cumsum": {"axis"},
    "cumprod": {"axis"},
    "roll": {"shift", "axis"},
    "argmin": {"axis"},
    "argmax": {"axis"},
    "count_nonzero": set[str](),
}


def _options(
    name: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> dict[str, Any] | None:
    """``axis``, ``keepdims`` and ``shift`` where they are literals; None for any other argument."""
    positions = _POSITIONS.get(name, ("axis",))
    allowed = _OPTIONS.get(name, {"axis", "keepdims"})
    given = dict(zip(positions, arguments, strict=False))
    given.update({each.arg: each.value for each in keywords if each.arg})
    starred = any(not each.arg for each in keywords)
    if starred or len(arguments) > len(positions) or not given.keys() <= allowed:
        return None
    values = {key: literal(node) for key, node in given.items()}
    if not all(isinstance(value, int) for value in values.values()):
        return None
    return values if name != "roll" or "shift" in values else None


def literal(node: ast.expr) -> object:
    """The number that a literal such as ``-1`` spells; None for anything else."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def _probe(name: str, array: Array, options: dict[str, Any]) -> Any:
    """What NumPy gives for a small array of the same dtype; None where it raises."""
    function = np.linalg.norm if name == "linalg.norm" else getattr(np, name)
    sample = np.ones((1,) * (array.rank or 1 + abs(options.get("axis", 0))), array.dtype)
    try:
        return function(sample, **options)
    except (TypeError, np.exceptions.AxisError):
        return None


def _reduced(array: Array, dtype: np.dtype[Any], options: dict[str, Any], place: str) -> Value:
    """The result of a reduction over one axis, or one that keeps its axes."""
    if "axis" not in options or not isinstance(array.shape, tuple):
        return Array(dtype, f"reduced{place}", fresh=True, assumed=array.assumed)
    axis = options["axis"] % len(array.shape)
    kept = (1,) if options.get("keepdims") else ()
    shape = (*array.shape[:axis], *kept, *array.shape[axis + 1 :])
    if not shape:
        kind = kind_of(dtype)
        return Scalar(kind, dtype, of_array=True) if kind else Unknown(f"dtype {dtype} is not numeric")
    return Array(dtype, shape, fresh=True, assumed=array.assumed)
