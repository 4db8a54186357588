"""Reductions over whole arrays as a loop over one block of their elements.

``data[(low <= r) & (r < high)].mean()`` needs the sum of the picked elements and their number. For a block of
the arrays, given the numbers ``low`` and ``high``, that is the loop

    for _lane in range(BLOCK):
        if (low <= r[_lane]) & (r[_lane] < high):
            _count_0 += 1
            _picked_0[_lane] = data[_lane]
        else:
            _picked_0[_lane] = 0

The block stays in the cache for all pairs of numbers, and the loop has no sum that a compiler would have to
reorder.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.base.syntax import text_tree, with_names
from nprewrite.lowering.problems import NotNative
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import FUNCTIONS, array_function

BLOCK = 1024
"""Elements of a block: 8 KiB of each array, which stay in the fastest cache."""

EXTREMES = frozenset(each.batched for each in FUNCTIONS.values() if each.picks)
"""Reductions that give an element or its place."""
Resolve = Callable[[ast.expr], str | None]

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


@dataclass(frozen=True)
class Reduced:
    """One reduction: "sum", "mean" or "count" of the ``operand`` where ``mask`` is true, of all without one.

    "nonzero" counts as "count" does, but gives another type in NumPy. ``operand`` and ``mask`` are
    expressions of elements: selections by the mask are left out of them.
    """

    kind: str
    operand: ast.expr
    mask: ast.expr | None

    @property
    def sums(self) -> bool:
        """Whether elements are added, not only counted."""
        return self.kind in ("sum", "mean")


def reduction_of(node: ast.expr, resolve: Resolve) -> tuple[str, ast.expr] | None:
    """The kind and the operand of ``x.sum()``, ``np.mean(x)``, ``x[m].size`` and such; None for others."""
    match node:
        case ast.Attribute(attr="size", value=ast.Subscript() as read):
            return "count", read
        case ast.Call(args=[operand], keywords=[]):
            kind = _kind(resolve(node.func) or "")
            return (kind, operand) if kind else None
        case ast.Call(func=ast.Attribute(attr=name, value=operand), args=[], keywords=[]):
            is_method = hasattr(np.ndarray, name) and resolve(node.func) is None
            kind = _kind(f"numpy.{name}") if is_method else ""
            return (kind, operand) if kind else None
    return None


def _kind(dotted: str) -> str:
    owner, _, name = dotted.rpartition(".")
    record = array_function(name) if owner == "numpy" else None
    return record.batched if record is not None else ""


def of_rows(node: ast.expr, resolve: Resolve) -> str | None:
    """The kind of a reduction of floats that torch computes as NumPy does; None for any other."""
    found = reduction_of(node, resolve)
    if found is None or found[0] in ("count", "nonzero") or not _is_of_floats(found[1], resolve):
        return None
    return found[0]


def _is_of_floats(node: ast.expr, resolve: Resolve) -> bool:
    match node:
        case ast.Name() | ast.Constant(value=int() | float()):
            return True
        case ast.BinOp():
            parts = [node.left, node.right]
            return isinstance(node.op, _OPERATORS) and all(_is_of_floats(each, resolve) for each in parts)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return _is_of_floats(node.operand, resolve)
        case ast.Call(keywords=[]):
            found = elementwise(resolve(node.func))
            batched = found is not None and found[1].batched
            return batched and all(_is_of_floats(each, resolve) for each in node.args)
    return False


def reduced(node: ast.expr, arrays: Collection[str], resolve: Resolve) -> Reduced:
    """An expression as a reduction; raises ``NotNative`` if it is none, or is not followed."""
    found = reduction_of(node, resolve)
    if found is None:
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not a sum, mean or count", node)
    kind, operand = found
    if kind in EXTREMES:
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is only computed by torch", node)
    reader = _Selections(arrays)
    value = reader.visit(operand)
    assert isinstance(value, ast.expr)
    masks = {ast.dump(each): each for each in reader.masks}
    if len(masks) > 1 or (masks and reader.whole):
        text = f"`{ast.unparse(node)}` joins selections by several masks"
        raise NotNative("unsupported-operation", text, node)
    mask = next(iter(masks.values()), None)
    if kind == "nonzero":
        if mask is not None:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` counts twice", node)
        return Reduced(kind, value, value)
    return Reduced(kind, value, mask)


class _Selections(ast.NodeTransformer):
    """Leaves selections by masks out of an expression; notes the masks, and arrays that have none."""

    def __init__(self, arrays: Collection[str]) -> None:
        self._arrays = arrays
        self.masks: list[ast.expr] = []
        self.whole = False

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id not in self._arrays:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not a selection", node)
        self.masks.append(node.slice)
        return node.value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        self.whole |= node.id in self._arrays
        return node


def block_loop(parts: Sequence[Reduced], scalars: Sequence[str], arrays: Sequence[str]) -> ast.FunctionDef:
    """The loop over one block; takes scalars, arrays, and for each sum an array of a block's length to fill.

    It returns in order how many elements each reduction with a mask has picked.
    """
    counts = [f"_count_{number}" for number, part in enumerate(parts) if part.mask is not None]
    picked = [f"_picked_{number}" for number, part in enumerate(parts) if part.sums]
    names = [*scalars, *arrays]
    own = next((each for each in names if each in {"_lane", "range", *counts, *picked}), None)
    if own is not None:
        raise NotNative("unsupported-operation", f"`{own}` is a name that the loop needs for itself")
    loop = _parsed(f"for _lane in range({BLOCK}):\n    pass")
    assert isinstance(loop, ast.For)
    loop.body = [each for number, part in enumerate(parts) for each in _statements(part, number, arrays)]
    start = [_parsed(f"{name} = 0") for name in counts]
    end = [_parsed(f"return ({', '.join(counts)},)")] if counts else []
    parameters = ast.arguments([], [ast.arg(each) for each in (*names, *picked)], None, [], [], None, [])
    return ast.fix_missing_locations(ast.FunctionDef("block", parameters, [*start, loop, *end], [], None))


def _statements(part: Reduced, number: int, arrays: Collection[str]) -> list[ast.stmt]:
    store = f"_picked_{number}[_lane] = "
    kept = [_parsed(store + _element(part.operand, arrays))] if part.sums else []
    if part.mask is None:
        return kept
    made = _parsed(f"if {_element(part.mask, arrays)}:\n    _count_{number} += 1")
    assert isinstance(made, ast.If)
    made.body += kept
    made.orelse = [_parsed(f"{store}0")] if part.sums else []
    return [made]


def _element(node: ast.expr, arrays: Collection[str]) -> str:
    """The text of an expression for one element: ``data`` becomes ``data[_lane]``."""

    def element(name: ast.Name) -> ast.expr | None:
        lane = ast.Name("_lane", ast.Load())
        return ast.Subscript(name, lane, ast.Load()) if name.id in arrays else None

    return ast.unparse(with_names(node, element))


def _parsed(text: str) -> ast.stmt:
    return text_tree(text).body[0]
