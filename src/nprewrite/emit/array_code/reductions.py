"""Sums, products and counts over the lanes of a nest; additions at given positions.

No array larger than those of the nest is made; a reduction that would need one keeps its loop.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nprewrite.base.syntax import expression_tree, names_in, walk
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.products import product
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.stores import check_size, check_store, check_trips
from nprewrite.emit.array_code.syntax import call, name_at, read
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.tree import Bind, Store, expressions, nodes
from nprewrite.types.loop_numbers import Type
from nprewrite.types.values import Unknown

_ADDING = (ast.Add, ast.Sub)


@dataclass(frozen=True)
class Reduction:
    """``s op= value`` where the lanes ``reduced`` are reduced to one number for each lane of ``home``."""

    writer: Writer
    node: Bind | Store
    home: tuple[str, ...]
    reduced: tuple[str, ...]
    scene: Scene

    @property
    def values(self) -> Values:
        """Values over the lanes along which the value varies, with axes in the order of an array."""
        order = self._order
        lanes = Values(self.scene, order).value(self.node.value).lanes
        if self.scene.mask is not None:
            lanes = lanes | self.scene.mask.lanes
        return Values(self.scene, tuple(each for each in order if each in lanes))

    @property
    def _order(self) -> tuple[str, ...]:
        for each in walk(self.node.node):
            found = self.scene.nest.element(each) if isinstance(each, ast.Subscript) else None
            forms = [self.scene.nest.affine(index, self.scene.loops) for index in found[1]] if found else []
            along = [lane for form in forms if form for lane in sorted(form.symbols & self.scene.lanes)]
            if set(along) == self.scene.lanes and len(along) == len(self.scene.lanes):
                return tuple(along)
        return (*self.home, *self.reduced)

    @property
    def outer(self) -> Values:
        """Values over the lanes that stay."""
        return Values(replace(self.scene, lanes=frozenset(self.home)), self.home)

    def total(self, old: Vec) -> Vec:
        """The total that is added to ``old`` or multiplied with it."""
        values, node = self.values, self.node.node
        value = values.value(self.node.value)
        if old.type.weak and value.type.weak:
            return self.count(value)
        assert self.node.operator is not None
        if isinstance(self.node.operator, ast.Mult):
            return self.over("prod", value, values.binary(ast.Mult(), old, value, node).type, 1)
        kind = values.binary(ast.Add(), old, value, node).type
        matmul = None
        if self.scene.mask is None and len(self.reduced) == 1:
            matmul = product(self.node.value, kind, self.home, self.reduced[0], self.scene, self._named)
        if matmul is None:
            return self.over("sum", value, kind, 0)
        self.scene.guards.rounds = self.scene.guards.rounds or kind.kind != "int"
        return matmul

    def _named(self, value: ast.expr) -> ast.expr:
        """A name for a factor that is on both sides of a product."""
        return self.writer.named("factor", value, self.scene)

    def count(self, value: Vec) -> Vec:
        """The total of ``count += 1`` under a condition, which stays a Python integer."""
        literal, text = value.type.literal, f"`{ast.unparse(self.node.node)}` sums up Python numbers"
        adds = isinstance(self.node.operator, ast.Add | ast.Sub)
        if self.scene.mask is None or type(literal) is not int or not adds or self.home:
            raise NotVectorizedError("python-sum", text, self.node.node)
        values = Values(self.scene, self.scene.order)
        chosen = self.writer.in_lanes(self.scene.mask, values, self.node.node)
        if chosen.lanes != self.scene.lanes:
            raise NotVectorizedError("python-sum", text, self.node.node)
        number = call("int", [call(f"{self.scene.numpy}.count_nonzero", [chosen.node])])
        result = number if literal == 1 else ast.BinOp(value.node, ast.Mult(), number)
        return Vec(result, frozenset(), Type("int"))

    def over(self, function: str, value: Vec, kind: Type, neutral: int) -> Vec:
        """``np.sum(value, axis=...)`` in the dtype that adding one by one would have."""
        numpy, values = self.scene.numpy, self.values
        lanes, operand = value.lanes, value.node
        if self.scene.mask is not None:
            chosen = self.writer.in_lanes(self.scene.mask, values, self.node.node)
            lanes = lanes | chosen.lanes
            operand = call(f"{numpy}.where", [chosen.node, operand, ast.Constant(neutral)])
        if not set(self.reduced) <= lanes:
            text = f"`{ast.unparse(self.node.node)}` adds the same number in several iterations"
            raise NotVectorizedError("lanes-unfit", text, self.node.node)
        check_size(self.node.node, lanes, self.scene)
        if kind.kind not in {"int", "bool"}:
            self.scene.guards.rounds = True
        present = [each for each in values.order if each in lanes]
        axes = [present.index(each) for each in self.reduced]
        keywords = {}
        if len(axes) < len(present):
            keywords["axis"] = expression_tree(str(axes[0]) if len(axes) == 1 else str(tuple(axes)))
        sums = getattr(np, function)(np.zeros(1, value.type.natural)).dtype
        if kind.natural != sums:
            keywords["dtype"] = expression_tree(f"{numpy}.{kind.natural.name}")
        total: ast.expr = call(f"{numpy}.{function}", [operand], **keywords)
        rest = [each for each in present if each not in self.reduced]
        if rest != [each for each in self.home if each in rest]:
            if len(rest) > 2:
                raise NotVectorizedError("index-not-linear", "sums with axes in turn", self.node.node)
            total = ast.Attribute(total, "T", ast.Load())
            rest.reverse()
        result = Type(kind.kind, kind.natural, mixed=value.type.mixed)
        return Vec(self.outer.aligned(total, rest), frozenset(rest), result)


def into_number(node: Bind, reduction: Reduction) -> None:
    """Write ``s += value`` where lanes reduce to one number, or to one for each lane that stays."""
    writer, scene = reduction.writer, reduction.scene
    _check_alone(node, reduction.reduced, scene)
    values = reduction.outer
    if node.name not in scene.temporaries:
        _known_at_run_time(node, values)
    old = values.value(name_at(node.name, node.node))
    total = reduction.total(old)
    if not reduction.home:
        # Without an iteration the number would keep its type.
        check_trips(node.node, reduction.reduced, scene)
    if not reduction.home and total.type.mixed and not (old.type.dtype is not None and not old.type.mixed):
        text = f"`{node.name}` is a Python number or one of NumPy, depending on the elements"
        raise NotVectorizedError("dtype-changes", text, node.node)
    assert node.operator is not None
    result = values.binary(node.operator, old, total, node.node)
    started = writer.cleared == (node.name, len(writer.lines))
    if started and isinstance(node.operator, ast.Add) and total.type.natural == result.type.natural:
        writer.lines.pop()
        result = replace(result, node=total.node)
    outer = values.scene
    if not reduction.home and scene.mask is not None and not total.type.weak:
        # Where nothing is added, a Python number stays one.
        writer.line(scene, f"if {ast.unparse(scene.mask.node)}.any():")
        outer = outer.inside
    writer.settle(replace(node, operator=None), replace(result, bare=False), outer)


def _known_at_run_time(node: Bind, values: Values) -> None:
    """Take a number of unknown type to be a float, by a condition."""
    nest = values.scene.nest
    value = nest.before.get(node.name)
    parameter = value.parameter if isinstance(value, Unknown) else None
    if not isinstance(value, Unknown) or parameter is not None or not nest.is_set(node.name):
        text = f"the type of `{node.name}` before the loop is not known"
        raise NotVectorizedError("dtype-unknown", text, node.node, parameter)
    kind = values.some_float(name_at(node.name, node.node)).type
    values.scene.temporaries[node.name] = Temporary(node.name, (), frozenset(), kind, full=True)


def _check_alone(node: Bind, reduced: Sequence[str], scene: Scene) -> None:
    """Check that only updates of one kind use the number in the loops through which it is carried."""
    kinds = {type(node.operator)}
    outermost = next(loop for loop in scene.loops if loop.symbol in reduced)
    text = f"`{node.name}` is carried from one iteration to the next"
    for each in nodes(outermost.body):
        if isinstance(each, Bind) and each.name == node.name:
            kinds.add(type(each.operator))
        if node.name in names_in(*expressions(each)):
            raise NotVectorizedError("scalar-carried", text, node.node)
    if not (kinds <= set(_ADDING) or kinds == {ast.Mult}):
        raise NotVectorizedError("scalar-carried", text, node.node)


def into_array(node: Store, array_name: str, reduction: Reduction) -> None:
    """Write ``C[i, j] += A[i, k] * B[k, j]``."""
    writer = reduction.writer
    array = writer.nest.array(array_name)
    assert array is not None
    if not isinstance(node.operator, _ADDING):
        text = f"`{ast.unparse(node.target)}` is updated by several iterations"
        raise NotVectorizedError("loop-carried", text, node.node)
    target = reduction.outer
    old = target.value(read(node.target))
    value = reduction.values.value(node.value)
    kind = target.binary(node.operator, old, replace(value, lanes=frozenset()), node.node).type
    if kind.natural != array.dtype or value.type.weak:
        message = f"`{ast.unparse(node.node)}` rounds to {array.dtype} at each step"
        raise NotVectorizedError("cast-raises", message, node.node)
    total = reduction.total(old)
    result = target.binary(node.operator, old, total, node.node)
    check_store(result, array, node, in_place=True, scene=reduction.scene)
    triangles = reduction.scene.triangles
    if triangles:
        writer.put(old, writer.chosen(triangles, result, old, target, node, array), reduction.scene)
        return
    writer.put(old, total.node, reduction.scene, node.operator)


def added_at(node: Store, array_name: str, scene: Scene, writer: Writer) -> None:
    """Write additions at positions that may repeat, in the order of the loop: ``np.add.at``."""
    array, text = writer.nest.array(array_name), f"`{ast.unparse(node.target)}`"
    assert array is not None
    assert node.operator is not None
    if not isinstance(node.operator, _ADDING):
        raise NotVectorizedError("loop-carried", f"{text} is updated by several iterations", node.node)
    if any(loop.descending for loop in scene.loops):
        raise NotVectorizedError("index-not-linear", f"{text} is updated backwards", node.node)
    values = Values(scene, scene.order)
    old, value = values.value(read(node.target)), values.value(node.value)
    result = values.binary(node.operator, old, value, node.node)
    check_store(result, array, node, in_place=True, scene=scene)
    if result.type.natural != array.dtype or (value.type.weak and value.lanes):
        message = f"`{ast.unparse(node.node)}` rounds to {array.dtype} at each step"
        raise NotVectorizedError("cast-raises", message, node.node)
    if (
        old.lanes != scene.lanes
        or not isinstance(old.node, ast.Subscript)
        or isinstance(old.node.slice, ast.Tuple)
    ):
        raise NotVectorizedError("index-not-linear", f"{text} is not updated along each loop", node.node)
    positions, amount = old.node.slice, value.node
    if scene.mask is not None:
        chosen = writer.in_lanes(scene.mask, values, node.node)
        if chosen.lanes != scene.lanes or value.lanes not in (frozenset(), scene.lanes):
            raise NotVectorizedError("index-not-linear", f"{text} under a mask of other loops", node.node)
        positions = ast.Subscript(positions, chosen.node, ast.Load())
        amount = ast.Subscript(amount, chosen.node, ast.Load()) if value.lanes else amount
    function = "add" if isinstance(node.operator, ast.Add) else "subtract"
    done = call(f"{scene.numpy}.{function}.at", [ast.Name(array_name, ast.Load()), positions, amount])
    writer.line(scene, ast.unparse(done))
