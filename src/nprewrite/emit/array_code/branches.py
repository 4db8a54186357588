"""Branches of a nest for all lanes: tests of indices narrow the lanes, tests of elements become masks."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.emit.array_code.bounds import check_in_order, narrowed, without_bounds
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.searches import search
from nprewrite.emit.array_code.syntax import expression
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.tree import Branch, Node


def branch(writer: Writer, node: Branch, scene: Scene, mask: Vec | None, indent: str) -> None:
    """Write a branch: a test that all lanes share stays, one of indices narrows them, any other is a mask."""
    if search(writer, node, scene, mask, indent):
        return
    check_in_order(node.node.test, scene)
    test = without_bounds(node.node.test, scene)
    inner = narrowed(node.node.test, True, scene)
    if test is None and inner is not None:
        _arms(writer, node, scene, mask, indent, inner)
        return
    if test is None or node.orelse or inner is None:
        test, inner = node.node.test, scene
    own = Values(inner, inner.order).test(test)
    if own.lanes:
        _masked(writer, test, node.body, inner, mask, indent, node.orelse)
        return
    writer.lines.append(f"{indent}if {ast.unparse(own.node)}:")
    writer.block(node.body, inner, mask, indent + "    ")
    if node.orelse:
        writer.lines.append(f"{indent}else:")
        writer.block(node.orelse, inner, mask, indent + "    ")


def _arms(writer: Writer, node: Branch, scene: Scene, mask: Vec | None, indent: str, inner: Scene) -> None:
    """Write both arms of a test of indices, each over its own bounds, if those of the other are known too."""
    if not node.orelse:
        for each in node.body:
            writer.node(each, inner, mask, indent)
        return
    test = node.node.test
    other = narrowed(test, False, scene)
    orders = test.ops if isinstance(test, ast.Compare) else []
    ordered = len(orders) == 1 and isinstance(orders[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    if other is None or not ordered:
        _masked(writer, test, node.body, scene, mask, indent, node.orelse)
        return
    for each in node.body:
        writer.node(each, inner, mask, indent)
    for each in node.orelse:
        writer.node(each, other, mask, indent)


def _masked(
    writer: Writer,
    test: ast.expr,
    body: Sequence[Node],
    scene: Scene,
    mask: Vec | None,
    indent: str,
    orelse: Sequence[Node] = (),
) -> None:
    values = Values(scene, scene.order)
    own = values.test(test)
    if not own.lanes:
        raise NotVectorizedError("unsupported-operation", f"`{ast.unparse(test)}`", test)
    node = own.node
    if mask is not None:
        node = ast.BinOp(writer.in_lanes(mask, values, test).node, ast.BitAnd(), node)
    name = writer.fresh("mask")
    writer.lines.append(f"{indent}{name} = {ast.unparse(node)}")
    writer.tested = (len(writer.lines), name, node)
    yes = writer.kept(name, own, mask, scene)
    for each in body:
        writer.node(each, scene, yes, indent)
    if not orelse:
        return
    inverse: ast.expr = ast.UnaryOp(ast.Invert(), ast.Name(name, ast.Load()))
    if mask is not None:
        inverse = ast.BinOp(writer.in_lanes(mask, values, test).node, ast.BitAnd(), inverse)
    other = writer.fresh("mask")
    writer.lines.append(f"{indent}{other} = {ast.unparse(inverse)}")
    no = writer.kept(other, own, mask, scene)
    for each in orelse:
        writer.node(each, scene, no, indent)


def shared_with_test(writer: Writer, value: ast.expr, indent: str) -> ast.expr:
    """The value of the first statement under a mask, or a name for it if the test computes it too."""
    if writer.tested is None or not isinstance(value, ast.BinOp | ast.UnaryOp | ast.Call):
        return value
    line, mask, test = writer.tested
    text, within = ast.unparse(value), ast.unparse(test)
    if line != len(writer.lines) or not any(_is_same(each, text) for each in ast.walk(test)):
        return value
    name = writer.fresh("value")
    named = _Named(text, name).visit(expression(within))
    writer.lines[-1:] = [f"{indent}{name} = {text}", f"{indent}{mask} = {ast.unparse(named)}"]
    return ast.Name(name, ast.Load())


def _is_same(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.expr) and ast.unparse(node) == text


class _Named(ast.NodeTransformer):
    """Replaces an expression by a name."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Name(self.name, ast.Load()) if _is_same(node, self.text) else self.generic_visit(node)
