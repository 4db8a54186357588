"""Branches of a nest for all lanes: tests of indices narrow the lanes, tests of elements become masks.

``if i > 0`` makes slices that start at 1.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from nprewrite.base.syntax import expression_tree, walk
from nprewrite.emit.array_code.arithmetic import BOOLEAN
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.searches import search
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.nest import conditions
from nprewrite.regions.nests.tree import Branch
from nprewrite.types.affine import Affine, Span


def branch(writer: Writer, node: Branch, scene: Scene) -> None:
    """Write a branch: a test that all lanes share stays, one of indices narrows them, any other is a mask."""
    if search(writer, node, scene):
        return
    check_in_order(node.node.test, scene)
    test = without_bounds(node.node.test, scene)
    inner = narrowed(node.node.test, True, scene)
    if test is None and inner is not None:
        _arms(writer, node, scene, inner)
        return
    if test is None or node.orelse or inner is None:
        test, inner = node.node.test, scene
    own = Values(inner, inner.order).test(test)
    if own.lanes:
        _masked(writer, test, node, inner)
        return
    writer.line(scene, f"if {ast.unparse(own.node)}:")
    writer.block(node.body, inner.inside)
    if node.orelse:
        writer.line(scene, "else:")
        writer.block(node.orelse, inner.inside)


def _arms(writer: Writer, node: Branch, scene: Scene, inner: Scene) -> None:
    """Write both arms of a test of indices, each over its own bounds, if those of the other are known too."""
    if not node.orelse:
        for each in node.body:
            writer.node(each, inner)
        return
    test = node.node.test
    other = narrowed(test, False, scene)
    orders = test.ops if isinstance(test, ast.Compare) else []
    ordered = len(orders) == 1 and isinstance(orders[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    if other is None or not ordered:
        _masked(writer, test, node, scene)
        return
    for each in node.body:
        writer.node(each, inner)
    for each in node.orelse:
        writer.node(each, other)


def _masked(writer: Writer, test: ast.expr, branch: Branch, scene: Scene) -> None:
    """Write both arms, each under a mask of its own."""
    values = Values(scene, scene.order)
    own = values.test(test)
    if not own.lanes:
        raise NotVectorizedError("unsupported-operation", f"`{ast.unparse(test)}`", test)
    mask = _mask(writer, own.node, own, values, test)
    writer.tested = len(writer.lines)
    for each in branch.body:
        writer.node(each, replace(scene, mask=mask))
    if branch.orelse:
        mask = _mask(writer, ast.UnaryOp(ast.Invert(), mask.node), own, values, test)
    for each in branch.orelse:
        writer.node(each, replace(scene, mask=mask))


def _mask(writer: Writer, node: ast.expr, own: Vec, values: Values, test: ast.expr) -> Vec:
    """Write a mask under a name, to be sliced and transposed as the statements under it need."""
    scene, name, lanes = values.scene, writer.fresh("mask"), own.lanes
    if scene.mask is not None:
        node = ast.BinOp(writer.in_lanes(scene.mask, values, test).node, ast.BitAnd(), node)
        lanes |= scene.mask.lanes
    writer.line(scene, f"{name} = {ast.unparse(node)}")
    home = tuple(scene.span(each) for each in scene.order)
    scene.temporaries[name] = Temporary(name, home, lanes, BOOLEAN, full=lanes == set(scene.order))
    return Vec(ast.Name(name, ast.Load()), lanes, BOOLEAN)


def shared_with_test(writer: Writer, value: ast.expr, scene: Scene) -> ast.expr:
    """The value of the first statement under a mask, or a name for it if the test computes it too."""
    if writer.tested != len(writer.lines) or not isinstance(value, ast.BinOp | ast.UnaryOp | ast.Call):
        return value
    mask, _, within = writer.lines[-1].strip().partition(" = ")
    text, test = ast.unparse(value), expression_tree(within)
    if not any(_is_same(each, text) for each in walk(test)):
        return value
    name = writer.fresh("value")
    named = _Named(text, name).visit(test)
    writer.lines.pop()
    writer.line(scene, f"{name} = {text}")
    writer.line(scene, f"{mask} = {ast.unparse(named)}")
    return ast.Name(name, ast.Load())


def _is_same(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.expr) and ast.unparse(node) == text


class _Named(ast.NodeTransformer):
    """Replaces an expression by a name."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Name(self.name, ast.Load()) if _is_same(node, self.text) else self.generic_visit(node)


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
