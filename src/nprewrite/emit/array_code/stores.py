"""What a store into an array, or an update of a number, requires of its value."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.base.syntax import expression_tree, names_in
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.syntax import call, cast
from nprewrite.emit.array_code.values import Values
from nprewrite.regions.nests.tree import Bind, Store, nodes
from nprewrite.types.affine import Span
from nprewrite.types.loop_numbers import Type
from nprewrite.types.values import Array


def check_store(value: Vec, array: Array, node: Store, in_place: bool, scene: Scene) -> None:
    """Check that the store does not silently cast many numbers where it would raise for one."""
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    kinds = {"bool": 0, "int": 1, "float": 2, "complex": 3}
    text = f"`{ast.unparse(node.node)}`"
    if kinds[value.type.kind] > order[array.dtype.kind]:
        message = f"{text} stores {value.type.kind} numbers into {array.dtype}"
        raise NotVectorizedError("cast-raises", message, node.node)
    if array.dtype.kind in "iu" and value.type.weak and value.type.kind == "int":
        limits = np.iinfo(array.dtype.name)
        size = value.type.literal if isinstance(value.type.literal, int) else None
        low = -value.bound if value.bound is not None else None
        inside = size is not None and limits.min <= size <= limits.max
        wide = array.dtype == np.int64 and low is not None and low >= limits.min
        if not inside and not wide:
            message = f"{text}: a Python integer that may not fit into {array.dtype}"
            raise NotVectorizedError("value-out-of-range", message, node.node)
    if (
        in_place
        and value.type.dtype is not None
        and not np.can_cast(value.type.dtype, array.dtype, "same_kind")
    ):
        message = f"{text} would not cast {value.type.dtype} to {array.dtype}"
        raise NotVectorizedError("cast-raises", message, node.node)
    wraps = array.dtype.kind == "u" and not value.type.mixed
    if array.dtype.kind in "iu" and not value.type.weak and not wraps:
        _check_fit(value, array, node, scene)


def _check_fit(value: Vec, array: Array, node: Store, scene: Scene) -> None:
    """Have a guard check that numbers fit into signed elements: arrays wrap around, single ones raise."""
    if np.can_cast(value.type.natural, array.dtype):
        return
    nest = scene.nest
    loops = {loop.name for loop in scene.loops if loop.symbol not in scene.lanes}
    alone = not loops and sum(isinstance(each, Store) for each in nodes((nest.root,))) == 1
    changing = loops | {*scene.temporaries} | (frozenset() if alone else nest.stored)
    names = names_in(value.node)
    if names & changing or (value.type.mixed and not value.lanes):
        message = f"`{ast.unparse(node.node)}`: {value.type.natural} may not fit into {array.dtype}"
        raise NotVectorizedError("value-out-of-range", message, node.node)
    found = nest.element(node.target)
    assert found is not None
    scene.guards.ask(f"npr.fit({ast.unparse(value.node)}, {found[0]})")


def in_place_operand(values: Values, old: Vec, value: Vec, node: Store) -> ast.expr:
    """The operand of ``A[...] op= value``, whose Python integers do not widen the operation."""
    assert node.operator is not None
    result = values.binary(node.operator, old, value, node.node).node
    return result.right if isinstance(result, ast.BinOp) else value.node


def to_dtype(value: Vec, array: Array, numpy: str) -> ast.expr:
    """The value cast, where needed, so that a select does not widen the array's dtype."""
    if value.type.weak and not value.lanes:
        same = {"bool": "b", "int": "iu", "float": "f", "complex": "c"}[value.type.kind]
        return value.node if array.dtype.kind in same else call(f"{numpy}.{array.dtype.name}", [value.node])
    dtype = value.type.natural
    if np.result_type(dtype, array.dtype) == array.dtype:
        return value.node
    return cast(value.node, array.dtype, numpy)


def filled(value: Vec, kind: Type, home: tuple[Span, ...], scene: Scene, node: Bind) -> ast.expr:
    """``np.full((n, m), value)`` over the lanes."""
    lengths = []
    for span in home:
        length = span.highs[0] - span.lows[0]
        if span.stride != 1:
            raise NotVectorizedError("lanes-unfit", "a number over lanes in steps", node.node)
        scene.require(length, node.node, f"the lanes of `{node.name}`")
        lengths.append(length.text(scene.texts))
    shape = lengths[0] if len(lengths) == 1 else f"({', '.join(lengths)})"
    dtype = "" if kind.natural == np.float64 else f"dtype={scene.numpy}.{kind.natural.name}"
    if value.type.literal == 0 and not value.lanes:
        return expression_tree(f"{scene.numpy}.zeros({', '.join(each for each in (shape, dtype) if each)})")
    dtype = dtype or f"dtype={scene.numpy}.float64"
    return expression_tree(f"{scene.numpy}.full({shape}, {ast.unparse(value.node)}, {dtype})")


def check_growth(old: Vec, value: Vec, node: Bind) -> None:
    """Check that a Python integer along lanes is only added to: by multiplication it would outgrow int64."""
    if not old.type.weak or old.type.kind != "int" or not (old.lanes or value.lanes):
        return
    counts = isinstance(node.operator, ast.Add | ast.Sub) and value.bound is not None
    if value.type.weak and not (counts and value.bound is not None and value.bound <= 2**45):
        text = f"`{node.name}` is a Python integer, which may grow beyond int64"
        raise NotVectorizedError("value-out-of-range", text, node.node)


def check_trips(node: ast.stmt, lanes: Sequence[str], scene: Scene) -> None:
    """Require that the loops of these lanes have an iteration."""
    for span in map(scene.span, lanes):
        scene.require(span.highs[0] - span.lows[0] - 1, node, "the loop may run no trip")


def check_size(node: ast.stmt, lanes: frozenset[str], scene: Scene) -> None:
    """Check that a value has no more axes than one of the nest's arrays."""
    for access in scene.nest.accesses():
        along = {lane for form in access.index if form is not None for lane in form.symbols}
        if lanes <= along:
            return
    if len(lanes) < 2:
        return
    head = ast.unparse(node).splitlines()[0]
    text = f"`{head}`: an array over all its loops would be larger than its operands"
    raise NotVectorizedError("lanes-unfit", text, node)
