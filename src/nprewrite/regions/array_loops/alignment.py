"""Which arrays of a loop over whole arrays must have the same shape, for its masks to select elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from nprewrite.analysis.array_steps import keeps_shape, operands, takes_whole_arrays
from nprewrite.base.syntax import walk
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.loop import Flow
from nprewrite.types.values import Array, Scalar, Value


def aligned(flow: Flow) -> list[str]:
    """The arrays that meet in masked accesses, by name, in the order in which the iteration reads them.

    With too many names, the guard of the step only refuses more; with too few, the masked store is refused,
    because nothing proves that the shapes fit.
    """
    view = flow.body.view
    nodes = [each for statement in flow.body.statements for each in walk(statement)]
    masked = [each for each in nodes if isinstance(each, ast.Subscript) and _is_masked(each, view)]
    bound = _bindings(nodes)
    met = _met([part for each in masked for part in (each.value, each.slice)], bound, view)
    return [name for name in flow.read if name in met]


def _is_masked(node: ast.Subscript, view: Function) -> bool:
    return node in view.facts.expressions.masked


def _bindings(nodes: list[ast.AST]) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _met(nodes: Sequence[ast.expr], bound: dict[str, list[ast.expr]], view: Function) -> set[str]:
    """The names of arrays that give elementwise expressions their shape."""
    pending, names = [*nodes], set[str]()
    while pending:
        each = pending.pop()
        if isinstance(view.facts.value(each), Scalar):
            continue
        if isinstance(each, ast.Name) and each.id not in names:
            names.add(each.id)
            pending += bound.get(each.id, [])
        pending += [part for part in _elementwise_operands(each, view) if not _is_spread(part, each, view)]
    return names


def _is_spread(operand: ast.expr, whole: ast.expr, view: Function) -> bool:
    """Whether an operand is known to have other axes than what is made of it: ``u[:, None]`` in a sum."""
    part, shape = (_shape(view.facts.value(each)) for each in (operand, whole))
    if part is None or shape is None:
        return False
    ones = [one == 1 and other != 1 for one, other in zip(reversed(part), reversed(shape), strict=False)]
    return len(part) < len(shape) or any(ones)


def _shape(value: Value) -> tuple[Any, ...] | None:
    """The lengths of an array's axes, as far as all are known."""
    return value.shape if isinstance(value, Array) and isinstance(value.shape, tuple) else None


def _elementwise_operands(node: ast.expr, view: Function) -> Iterator[ast.expr]:
    """The arrays that broadcast to the shape of an expression, except inside slices and reductions."""
    match node:
        case ast.BinOp() if not isinstance(node.op, ast.MatMult):
            yield from (node.left, node.right)
        case ast.UnaryOp():
            yield node.operand
        case ast.Compare():
            yield from (node.left, *node.comparators)
        case ast.Subscript() if _is_masked(node, view):
            yield from (node.value, node.slice)
        case ast.Attribute(attr="real" | "imag"):
            yield node.value
        case ast.Call() if takes_whole_arrays(node, view):
            yield from operands(node, view) if keeps_shape(node, view) else ()
        case ast.Call(func=ast.Attribute() as method) if view.dotted(method) is None:
            yield method.value
            yield from (each for each in node.args if isinstance(view.facts.value(each), Array))
        case ast.Call():
            yield from (each for each in node.args if isinstance(view.facts.value(each), Array))
