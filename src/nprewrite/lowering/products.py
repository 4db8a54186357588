"""Dot products of rows and parts of arrays, ``L[i, :j] @ L[j, :j]``: loops that add in any order."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from nprewrite.lowering.numbers import Number
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import Value

if TYPE_CHECKING:
    from nprewrite.lowering.expressions import Expressions

FUNCTIONS = frozenset(["numpy.dot", "numpy.inner", "numpy.vdot"])


def dot_product(walk: Expressions, left: ast.expr, right: ast.expr, node: ast.expr) -> Value:
    """The product of two vectors of one floating-point dtype; of other lengths it raises as NumPy does."""
    one, other = _vector(walk, left), _vector(walk, right)
    if one is None or other is None or one[1] != other[1] or one[1].dtype.kind != "f":
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no product of two rows of floats", node)
    code, number = walk.code, one[1]
    first, second = (code.temporary(text) for text, _ in (one, other))
    code.end_if(f"{first}.size != {second}.size", Event.VALUE)
    code.rounds = True
    text = code.temporary(f"dot({first}, {second}, np.{number.dtype.name}(0))")
    return Value({number: text})


def _vector(walk: Expressions, node: ast.expr) -> tuple[str, Number] | None:
    """The code of ``x``, ``x[a:b]`` or ``A[i, a:b]``, and what its elements are; None for no vector."""
    base, items = node, list[ast.expr]()
    if isinstance(node, ast.Subscript):
        base = node.value
        items = [*node.slice.elts] if isinstance(node.slice, ast.Tuple) else [node.slice]
    array = walk.arrays.get(base.id) if isinstance(base, ast.Name) else None
    if array is None or array.rank is None or not isinstance(base, ast.Name):
        return None
    items += [ast.Slice()] * (array.rank - len(items))
    if len(items) > array.rank or sum(isinstance(each, ast.Slice) for each in items) != 1:
        return None
    parts = [_part(walk, base.id, axis, each, node) for axis, each in enumerate(items)]
    return f"p_{base.id}[{', '.join(parts)}]", array.element


def _part(walk: Expressions, name: str, axis: int, item: ast.expr, node: ast.expr) -> str:
    if not isinstance(item, ast.Slice):
        return walk.position(name, axis, walk.index(item, node))
    if item.step is not None:
        raise NotNative("not-scalar", f"`{ast.unparse(node)}` steps over elements", node)
    # Numba cuts slices at the ends of an axis, and counts from its end, as NumPy does.
    ends = [
        walk.integer(walk.index(each, node), Event.INDEX) if each else "" for each in (item.lower, item.upper)
    ]
    return ":".join(ends)
