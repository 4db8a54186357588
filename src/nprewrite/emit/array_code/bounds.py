"""Tests of indices that narrow the lanes under them: ``if i > 0`` makes slices that start at 1."""

from __future__ import annotations

import ast
from dataclasses import replace

from nprewrite.emit.array_code.scene import Scene
from nprewrite.emit.array_code.values import Values
from nprewrite.regions.nests.nest import conditions
from nprewrite.types.affine import Affine, Span


def without_bounds(test: ast.expr, scene: Scene) -> ast.expr | None:
    """The test without the comparisons that only narrow lanes; None where nothing is left."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        left = [each for part in test.values if (each := without_bounds(part, scene)) is not None]
        if len(left) == len(test.values):
            return test
        if not left:
            return None
        return left[0] if len(left) == 1 else ast.copy_location(ast.BoolOp(ast.And(), left), test)
    return None if _bounds(test, True, scene) else test


def check_in_order(test: ast.expr, scene: Scene) -> None:
    """Check that each part of a test is in range where the parts before hold: not ``x[i] > 0 and i < n``."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    for part in parts:
        if not _bounds(part, True, scene):
            Values(scene, scene.order).test(part)
        scene = narrowed(part, True, scene) or scene


def _bounds(test: ast.expr, holds: bool, scene: Scene) -> list[tuple[str, Affine]]:
    """The lane and the form of each bound in a comparison of indices; none for other tests."""
    if not isinstance(test, ast.Compare):
        return []
    forms = conditions(test, holds, scene.loops, scene.nest)
    wanted = 2 * sum(isinstance(op, ast.Eq) for op in test.ops) + sum(
        not isinstance(op, ast.Eq) for op in test.ops
    )
    if holds and len(forms) != wanted:
        return []
    found = []
    for form in forms:
        lanes = [name for name in form.symbols if name in scene.lanes]
        if len(lanes) != 1 or abs(form.coefficient(lanes[0])) != 1:
            return []
        if scene.span(lanes[0]).stride != 1 or _narrower(scene.span(lanes[0]), form, scene) is None:
            return []
        found.append((lanes[0], form))
    return found


def _narrower(span: Span, form: Affine, scene: Scene) -> Span | None:
    """The span with one more bound; None where it is not known which of two is tighter."""
    outer = [each for each in scene.spans if each.name not in scene.lanes]

    def nonnegative(form: Affine) -> bool:
        return scene.nest.known.always_nonnegative(form, outer)

    rest = form.replaced(span.name, Affine())
    (low,), (high,) = span.lows, span.highs
    if form.coefficient(span.name) == 1:
        new = -rest
        return (
            replace(span, lows=(new,)) if nonnegative(new - low) else span if nonnegative(low - new) else None
        )
    new = rest + 1
    if nonnegative(high - new):
        return replace(span, highs=(new,))
    return span if nonnegative(new - high) else None


def narrowed(test: ast.expr, holds: bool, scene: Scene) -> Scene | None:
    """The scene narrowed by the bounds in the test; None where it is not known which bounds are tighter."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    for part in parts if holds else [test]:
        bounds = _bounds(part, holds, scene)
        if not bounds and not holds:
            return None
        for lane, form in bounds:
            span = _narrower(scene.span(lane), form, scene)
            if span is None:
                return None
            spans = tuple(span if each.name == lane else each for each in scene.spans)
            scene = replace(scene, spans=spans)
    return scene
