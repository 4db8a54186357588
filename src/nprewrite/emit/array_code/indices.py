"""The part of an array that the lanes of a nest read or store: slices, rolled axes, arrays of positions."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from nprewrite.base.syntax import expression_tree, names_in
from nprewrite.emit.array_code.arithmetic import Arithmetic
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Vec
from nprewrite.emit.array_code.syntax import call, subscript
from nprewrite.types.affine import Affine, number, symbol


class Elements(Arithmetic, ABC):
    """Elements of arrays; ``Values`` adds how indices are evaluated."""

    @abstractmethod
    def value(self, node: ast.expr) -> Vec:
        """The expression in all lanes; raises ``NotVectorizedError``."""

    def elements(
        self, name: str, indices: Sequence[ast.expr], node: ast.expr
    ) -> tuple[ast.expr, list[str], bool]:
        """``name[indices]`` over the lanes, which lanes those are, and whether it is a view.

        Raises ``NotVectorizedError`` where an index may be out of range, or varies so that no slice fits.
        """
        scene = self.scene
        base: ast.expr = ast.Name(name, ast.Load())
        items: list[ast.expr] = []
        lanes: list[str] = []
        shifts: dict[int, Affine] = {}
        reversed_axes: list[int] = []
        diagonal = _diagonal(self, indices)
        view = diagonal is None
        for axis, index in enumerate(indices):
            form = scene.nest.index(name, axis, index, scene.loops)
            varying = [each for each in form.symbols if each in scene.lanes] if form is not None else []
            length = scene.nest.length(name, axis)
            if form is None:
                shifted = _modular(self, index, length)
                if shifted is not None:
                    lane, shifts[axis] = shifted
                    items.append(self.slice(symbol(lane), lane, length, node))
                    lanes.append(lane)
                    continue
                positions, along = _gathered(self, index, name, axis, len(indices))
                items.append(positions)
                lanes += along
                view = view and not along
            elif not varying:
                items.append(_fixed(self, form, index, length, node))
            elif len(varying) > 1 or (len(set(lanes) & set(varying)) and diagonal is None):
                text = f"`{ast.unparse(node)}` moves along two loops at once"
                raise NotVectorizedError("index-not-linear", text, node)
            elif diagonal is not None and varying == [diagonal]:
                items.append(_positions(self, form, diagonal, length, node))
                lanes += [] if diagonal in lanes else [diagonal]
            else:
                item, shift, backwards = _moving(self, form, varying[0], length, name, node)
                items.append(item)
                lanes.append(varying[0])
                if shift is not None:
                    shifts[axis] = shift
                if backwards:
                    reversed_axes.append(len(lanes) - 1)
        if shifts:
            base, view = _rolled(self, name, shifts, node), False
        slices = sum(isinstance(each, ast.Slice) for each in items)
        picks = slices != len(lanes)
        if picks and len(items) > 2:
            text = f"`{ast.unparse(node)}` picks positions along one of several axes"
            raise NotVectorizedError("index-not-linear", text, node)
        if picks or reversed_axes:
            return _two_steps(self, base, items, lanes, reversed_axes), lanes, view
        return self.arranged(base, items, lanes), lanes, view


def _two_steps(
    values: Elements,
    base: ast.expr,
    items: Sequence[ast.expr],
    lanes: list[str],
    reversed_axes: Sequence[int],
) -> ast.expr:
    """``base[items]``, then reversed, with its axes moved and new ones added."""
    view = subscript(base, items)
    if reversed_axes:
        flips = [
            ast.Slice(None, None, ast.Constant(-1) if axis in reversed_axes else None)
            for axis in range(len(lanes))
        ]
        view = subscript(view, flips)
    if not lanes:
        return view
    everything: list[ast.expr] = [ast.Slice() for _ in lanes]
    return values.arranged(view, everything, lanes)


def _fixed(values: Elements, form: Affine, index: ast.expr, length: Affine, node: ast.expr) -> ast.expr:
    """An index that is the same in all lanes."""
    scene = values.scene
    what = f"nothing proves that `{ast.unparse(node)}` is in range"
    scene.require(form, node, what)
    scene.require(length - 1 - form, node, what)
    return index


def _moving(
    values: Elements, form: Affine, lane: str, length: Affine, name: str, node: ast.expr
) -> tuple[ast.expr, Affine | None, bool]:
    """The slice of an axis, how far the axis is rolled first, and whether the slice runs backwards."""
    scene, span = values.scene, values.scene.span(lane)
    factor = form.coefficient(lane)
    if factor < 0:
        if span.stride != 1 and factor != 0:
            text = f"`{ast.unparse(node)}` runs backwards in steps"
            raise NotVectorizedError("index-not-linear", text, node)
        # Reversed: the values of the lane from last to first.
        turned = form.replaced(lane, span.lows[0] + span.highs[0] - 1 - symbol(lane))
        return values.slice(turned, lane, length, node), None, True
    shift = form - symbol(lane)
    first = form.replaced(lane, span.lows[0])
    wraps = not first.terms and first.constant < 0 and factor == 1 and not shift.terms
    if not wraps:
        return values.slice(form, lane, length, node), None, False
    if name in scene.nest.stored:
        text = f"`{ast.unparse(node)}` wraps around to elements that the nest stores"
        raise NotVectorizedError("loop-carried", text, node)
    what = f"nothing proves that `{ast.unparse(node)}` is in range"
    scene.require(length + shift, node, what)
    return values.slice(symbol(lane), lane, length, node), shift, False


def _modular(values: Elements, index: ast.expr, length: Affine) -> tuple[str, Affine] | None:
    """The lane and the shift of ``(i + shift) % length``; None for any other index."""
    scene = values.scene
    if not isinstance(index, ast.BinOp) or not isinstance(index.op, ast.Mod):
        return None
    form = scene.nest.affine(index.left, scene.loops)
    modulus = scene.nest.affine(index.right, scene.loops)
    lanes = [each for each in form.symbols if each in scene.lanes] if form is not None else []
    if form is None or modulus != length or len(lanes) != 1 or form.coefficient(lanes[0]) != 1:
        return None
    return lanes[0], form - symbol(lanes[0])


def _rolled(values: Elements, name: str, shifts: dict[int, Affine], node: ast.expr) -> ast.expr:
    scene = values.scene
    if name in scene.nest.stored:
        text = f"`{ast.unparse(node)}` wraps around to elements that the nest stores"
        raise NotVectorizedError("loop-carried", text, node)
    texts = scene.texts
    moved = {axis: shift for axis, shift in shifts.items() if shift != number(0)}
    base: ast.expr = ast.Name(name, ast.Load())
    if not moved:
        return base
    amounts = [expression_tree((-shift).text(texts)) for shift in moved.values()]
    axes: list[ast.expr] = [ast.Constant(axis) for axis in moved]
    amount = amounts[0] if len(amounts) == 1 else ast.Tuple(amounts, ast.Load())
    where = axes[0] if len(axes) == 1 else ast.Tuple(axes, ast.Load())
    return call(f"{scene.numpy}.roll", [base, amount], axis=where)


def _gathered(
    values: Elements, index: ast.expr, name: str, axis: int, rank: int
) -> tuple[ast.expr, list[str]]:
    """Positions that come from an array, which a guard checks before the nest."""
    scene = values.scene
    found = replace(values, order=scene.order).value(index)
    if found.type.kind != "int" or not isinstance(index, ast.Subscript):
        text = f"`{name}[{ast.unparse(index)}]`: the index is neither linear nor an element of an array"
        raise NotVectorizedError("index-not-linear", text, index)
    lanes = [each for each in scene.order if each in found.lanes]
    if len(lanes) > 1 and (rank > 1 or lanes != list(scene.order)):
        text = f"`{name}[{ast.unparse(index)}]` takes its index along two loops"
        raise NotVectorizedError("index-not-linear", text, index)
    own = replace(values, order=tuple(lanes)).value(index)
    names = names_in(own.node)
    inner = {loop.name for loop in scene.loops if loop.symbol not in scene.lanes}
    if names & (inner | scene.nest.stored | {*scene.temporaries}):
        text = f"`{ast.unparse(index)}` changes in the loops, so its values cannot be checked before them"
        raise NotVectorizedError("index-out-of-range", text, index)
    scene.guards.ask(f"npr.within({ast.unparse(own.node)}, {name}.shape[{axis}])")
    return own.node, lanes


def _diagonal(values: Elements, indices: Sequence[ast.expr]) -> str | None:
    """The lane along which two neighbouring axes move together."""
    scene = values.scene
    seen: dict[str, int] = {}
    for axis, index in enumerate(indices):
        form = scene.nest.affine(index, scene.loops)
        for each in form.symbols & scene.lanes if form is not None else ():
            if seen.get(each) == axis - 1:
                return each
            seen[each] = axis
    return None


def _positions(values: Elements, form: Affine, lane: str, length: Affine, node: ast.expr) -> ast.expr:
    """The positions of a diagonal: ``np.arange(lo, hi)``."""
    scene, span = values.scene, values.scene.span(lane)
    values.slice(form, lane, length, node)
    if form.coefficient(lane) != 1 or span.stride != 1:
        raise NotVectorizedError("index-not-linear", f"`{ast.unparse(node)}` on a diagonal", node)
    texts = scene.texts
    start, stop = form.replaced(lane, span.lows[0]), form.replaced(lane, span.highs[0])
    ends = [] if start == number(0) else [expression_tree(start.text(texts))]
    return call(f"{scene.numpy}.arange", [*ends, expression_tree(stop.text(texts))])
