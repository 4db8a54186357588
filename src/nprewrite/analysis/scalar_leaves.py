"""The scalar parts of array expressions that Python computes, and the dtypes that NumPy converts them to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from nprewrite.base.syntax import children, walk
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.functions import array_function
from nprewrite.program.function import Function
from nprewrite.source.kept import kept, names_in_scope
from nprewrite.types.values import Array, Scalar, Value


def scalar_leaves(
    node: ast.expr, wanted: np.dtype[np.generic] | None, view: Function
) -> Iterator[tuple[ast.expr, np.dtype[np.generic]]]:
    """The largest scalar parts of an array expression, each with the dtype NumPy converts it to."""
    values, loops = view.facts.expressions.values, view.facts.expressions.loops
    value: Value | None = values.get(node)
    if isinstance(value, Scalar) and (not value.of_array or is_looked_up(node, view)):
        if wanted is not None:
            yield node, wanted
        return
    dtypes = loops.get(node, ()) or _of_numbers(node, view)
    for position, operand in enumerate(_operands(node, view)):
        yield from scalar_leaves(operand, dtypes[position] if position < len(dtypes) else None, view)


def _of_numbers(node: ast.expr, view: Function) -> Sequence[np.dtype[np.generic] | None]:
    """The dtypes of numbers that are arguments of functions: ``np.full(n, x)``, ``np.gradient(u, dx)``."""
    if not isinstance(node, ast.Call) or not node.args:
        return ()
    dotted = view.dotted(node.func) or ""
    line, first = array_function(dotted.removeprefix("numpy.")), view.facts.value(node.args[0])
    if line is not None and line.takes_numbers and isinstance(first, Array):
        return [None, *[first.dtype] * (len(node.args) - 1)]
    made = view.facts.value(node)
    if not isinstance(made, Array):
        return ()
    record = creation(dotted)
    if record is None:
        return ()
    numbers = [name in record.numbers.split() for name in record.step.split()]
    values = [view.facts.value(each) for each in node.args]
    # NumPy converts the ends of a `linspace` themselves, and raises for integers beyond its own.
    own = [np.dtype(each.kind) if isinstance(each, Scalar) else made.dtype for each in values]
    converted = own if record.rule == "spaced" else [made.dtype] * len(values)
    return [dtype if number else None for dtype, number in zip(converted, numbers, strict=False)]


def widening_numbers(statements: Iterable[ast.stmt], view: Function) -> set[int]:
    """The identities of the floats and complex numbers that meet no array of their kind.

    ``(u > 0) * x`` is of floats for a float ``x`` and of integers for an integer one.
    """
    found = set[int]()
    for node in (node for statement in statements for node in walk(statement)):
        met = _operands(node, view) if node in view.facts.expressions.loops else []
        values = [view.facts.value(each) for each in met]
        highest = max((_order(each) for each in values if isinstance(each, Array)), default=0)
        found.update(id(each) for each, value in zip(met, values, strict=True) if _order(value) > highest)
    return found


def _order(value: Value) -> int:
    """The place of a value's kind among those that widen integers: 0 for none of them."""
    if isinstance(value, Array):
        return "fc".find(value.dtype.kind) + 1
    if isinstance(value, Scalar) and value.dtype is None:
        return ("float", "complex").index(value.kind) + 1 if value.kind in ("float", "complex") else 0
    return 0


def is_looked_up(node: ast.expr, view: Function) -> bool:
    """``force[n]``, an element of an array that the function never changes, at a place that Python computes.

    NumPy raises IndexError in the iteration that leaves the array, and so does the look-up before it.
    """
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    index = view.facts.value(node.slice)
    computed = isinstance(index, Scalar) and not index.of_array and index.constant is None
    return computed and _never_changed(node.value.id, view)


def looked_up(node: ast.expr, view: Function) -> list[str]:
    """The arrays in which Python looks up elements for a number."""
    inner = [each for each in walk(node) if isinstance(each, ast.Subscript) and is_looked_up(each, view)]
    return [each.value.id for each in inner if isinstance(each.value, ast.Name)]


def _never_changed(name: str, view: Function) -> bool:
    """Whether a function binds a name at most once, outside of loops, and stores nothing into its array."""
    stored = [each for each in names_in_scope(view.node).get(name, ()) if isinstance(each.ctx, ast.Store)]
    changed = name in _changed_names(view.node)
    return not changed and len(stored) <= 1 and not bound_in_loops(name, view)


def bound_in_loops(name: str, view: Function) -> bool:
    """Whether a loop of a function binds a name: each of its trips may bring another value."""
    places = names_in_scope(view.node).get(name, ())
    return any(isinstance(each.ctx, ast.Store) and id(each) in _in_loops(view.node) for each in places)


@kept
def _in_loops(scope: ast.AST) -> frozenset[int]:
    """The identities of the nodes in loops."""
    outermost, pending = list[ast.AST](), [scope]
    while pending:
        node = pending.pop()
        loop = isinstance(node, ast.For | ast.While)
        (outermost if loop else pending).extend([node] if loop else children(node))
    return frozenset(id(each) for loop in outermost for each in walk(loop))


@kept
def _changed_names(scope: ast.AST) -> frozenset[str]:
    """The names whose arrays a function stores into, or changes with ``+=``."""
    found = set[str]()
    for each in walk(scope):
        match each:
            case (
                ast.Subscript(value=ast.Name(id=name), ctx=ast.Store())
                | ast.Attribute(value=ast.Name(id=name), ctx=ast.Store())
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                found.add(name)
    return frozenset(found)


def _operands(node: ast.expr, view: Function) -> list[ast.expr]:
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Tuple() | ast.List():
            return node.elts
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Call(func=ast.Attribute() as method) if view.dotted(method) is None:
            return [method.value, *(node.args if method.attr == "clip" else [])]
        case ast.Call():
            return node.args
        case ast.Subscript():
            return [node.value, node.slice]
        case ast.Attribute():
            return [node.value]
    return []
