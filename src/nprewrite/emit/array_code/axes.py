"""Slices along lanes, and arrays with their axes where a statement needs them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nprewrite.emit.array_code.scene import Scene
from nprewrite.emit.array_code.syntax import expression, subscript, transposed
from nprewrite.types.affine import Affine, number


@dataclass(frozen=True)
class Axes:
    """The axes of a statement's values: the lanes of the scene in the order ``order``."""

    scene: Scene
    order: tuple[str, ...]

    def slice(self, form: Affine, lane: str, length: Affine, node: ast.expr) -> ast.expr:
        """``lo:hi`` for an index that grows with its lane, on an axis of ``length`` elements."""
        scene, span = self.scene, self.scene.span(lane)
        factor = form.coefficient(lane)
        start = form.replaced(lane, span.lows[0])
        last = form.replaced(lane, span.highs[0] - 1)
        stop = last + 1
        what = f"nothing proves that `{ast.unparse(node)}` stays inside of the array"
        scene.require(start, node, what)
        scene.require(length - stop, node, what)
        behind = stop - length
        step = factor * span.stride
        if behind.terms:
            scene.require(stop, node, what)
        texts = scene.texts
        upper = expression(stop.text(texts)) if behind.terms else None
        if not behind.terms and behind.constant:
            upper = expression(str(behind.constant))
        lower = None if start == number(0) else expression(start.text(texts))
        return ast.Slice(lower, upper, ast.Constant(step) if step != 1 else None)

    def arranged(self, base: ast.expr, items: Sequence[ast.expr], lanes: Sequence[str]) -> ast.expr:
        """``base[items]`` with its axes in the order of the scene; ``lanes`` are those of the slices."""
        wanted = [each for each in self.order if each in lanes]
        slices = [each for each in items if isinstance(each, ast.Slice)]
        if len(slices) == len(lanes) and list(lanes) == wanted:
            return subscript(base, self._with_new_axes(items, wanted))
        view = subscript(base, items)
        if list(lanes) != wanted:
            axes = [list(lanes).index(each) for each in wanted]
            view = transposed(view, axes)
        return self.aligned(view, wanted)

    def aligned(self, view: ast.expr, lanes: Sequence[str]) -> ast.expr:
        """An array whose axes are ``lanes``, with new axes for the other lanes after the first of them."""
        items: list[ast.expr] = [ast.Slice() for _ in lanes]
        return subscript(view, self._with_new_axes(items, lanes))

    def _with_new_axes(self, items: Sequence[ast.expr], lanes: Sequence[str]) -> list[ast.expr]:
        missing = [each for each in self.order if each not in lanes]
        if not lanes:
            return list(items)
        found: list[ast.expr] = []
        slices = iter(lanes)
        rank = {lane: place for place, lane in enumerate(self.order)}
        previous = rank[lanes[0]]
        for item in items:
            if isinstance(item, ast.Slice):
                here = rank[next(slices)]
                found += [ast.Constant(None) for each in missing if previous < rank[each] < here]
                previous = here
            found.append(item)
        return found + [ast.Constant(None) for each in missing if rank[each] > previous]
