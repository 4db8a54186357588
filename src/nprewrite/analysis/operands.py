"""Array expressions that share a statement with something a step cannot compute, and how to separate them.

``x + dt * f(x)`` contains a call that Python has to make; ``results.append(np.sqrt(x * x + 1))`` contains
array code in a statement that is not. Either part can be bound to a name before the statement, if what is
evaluated before it stays before it.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass

from nprewrite.analysis.lanewise import expression_problem
from nprewrite.base.syntax import children, walk
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import EXPRESSION_SCOPES, parameter_names
from nprewrite.types.values import Array, Scalar, is_number

Simple = ast.Assign | ast.AugAssign | ast.Return | ast.Expr

LEAST_OPERATIONS = 2
"""A single operation has nothing to be fused with."""

SOMETIMES = (
    ast.IfExp,
    ast.BoolOp,
    *EXPRESSION_SCOPES,
    ast.JoinedStr,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
)
"""Nodes whose parts are not evaluated exactly once, or not immediately."""

OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call)


@dataclass(frozen=True)
class Operand:
    """A part of a statement that can be computed before it, after the parts in ``before``."""

    statement: Simple
    node: ast.expr
    before: tuple[ast.expr, ...]


def separable(statement: ast.stmt, function: Function) -> Operand | None:
    """The first part of a statement that prevents the rest from being compiled, or the other way round."""
    if not isinstance(statement, Simple) or statement.value is None:
        return None
    parts = in_order(statement)
    if any(isinstance(each, SOMETIMES) for part in parts for each in walk(part)):
        return None
    followed = _is_followed(statement, function)
    for part in parts:
        node = _foreign_operand(part, function)
        if node is None and not (followed and _is_array_code(part, function)):
            node = _array_code(part, function)
        if node is not None:
            elsewhere = isinstance(statement, ast.AugAssign) and not isinstance(statement.target, ast.Name)
            # `self.x += f()` takes self.x first, and f may bind it to another array.
            if elsewhere and calls_unknown(node, function):
                return None
            before = tuple(evaluated_before(node, parts, calls_unknown(node, function), function))
            # In `u += f()` f may bind u to another array: a name in place of u would not be bound to the sum.
            if isinstance(statement, ast.AugAssign) and any(each is statement.target for each in before):
                return None
            return Operand(statement, node, before)
    return None


def same_views(node: ast.expr, statement: Simple) -> list[ast.expr]:
    """Where a statement's value takes the view ``node`` (``A[:, k]``, read or stored)."""
    assert statement.value is not None
    if not isinstance(node, ast.Subscript) or any(isinstance(each, ast.Call) for each in walk(node)):
        return []
    text = ast.unparse(node)
    taken = (each for each in walk(statement.value) if isinstance(each, ast.Subscript))
    return [each for each in taken if ast.unparse(each) == text]


def in_order(statement: Simple) -> list[ast.expr]:
    """The expressions of a statement in the order in which they are evaluated."""
    assert statement.value is not None
    value = statement.value
    values = [*value.elts] if isinstance(value, ast.Tuple) else [value]
    match statement:
        case ast.Assign(targets=[ast.Subscript() as target]):
            return [*values, target.value, *_parts_of_index(target)]
        case ast.Assign():
            return values
        case ast.AugAssign(target=ast.Subscript() as target):
            return [target.value, *_parts_of_index(target), value]
        case ast.AugAssign(target=ast.Attribute() as target):
            return [target.value, value]
        case ast.AugAssign(target=target):
            return [target, value]
    return values


def _parts_of_index(node: ast.Subscript) -> Iterator[ast.expr]:
    """What an index is made of, in order."""
    parts = isinstance(node.slice, ast.Tuple | ast.Slice)
    yield from _operands(node.slice) if parts else (node.slice,)


def _foreign_operand(node: ast.expr, function: Function) -> ast.expr | None:
    """The operand of an array expression that Python must compute and whose type is known."""
    if not computes_whole(node, function):
        return None
    problem = expression_problem(node, function, None, whole=True)
    if problem is None or problem.node is node or not isinstance(problem.node, ast.expr):
        return None
    known = isinstance(function.facts.value(problem.node), Array | Scalar)
    inside = any(each is problem.node for each in walk(node))
    return problem.node if known and inside and not isinstance(problem.node, ast.Name) else None


def _array_code(node: ast.expr, function: Function) -> ast.expr | None:
    """The first part of an expression that is array code with enough operations."""
    if _is_array_code(node, function):
        return node
    return next(filter(None, (_array_code(each, function) for each in _operands(node))), None)


def _is_followed(statement: Simple, function: Function) -> bool:
    """Whether a statement is array code if its values are."""
    if isinstance(statement, ast.AugAssign) and not isinstance(function.facts.value(statement.target), Array):
        return False
    match statement:
        case ast.Return(value=ast.Tuple(elts=values)):
            return all(_is_computed(each, function) for each in values)
        case ast.Return() | ast.AugAssign(target=ast.Name() | ast.Subscript(value=ast.Name())):
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.Tuple()):
            return False
        case ast.Assign(targets=[ast.Name()]):
            return True
        case ast.Assign(targets=[ast.Subscript(value=ast.Name()) as target]):
            # Storing an element is not array code, but computing it may be, if that makes arrays.
            number = isinstance(function.facts.value(target), Scalar)
            return not number or _arrays_made(statement.value, function) < LEAST_OPERATIONS
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple()):
            return all(isinstance(each, ast.Name) for each in targets)
    return False


def _is_array_code(node: ast.expr, function: Function) -> bool:
    values = function.facts.expressions.values
    nodes = [each for each in walk(node) if isinstance(each, OPERATIONS)]
    computed = sum(is_of_arrays(values.get(each)) for each in nodes)
    return computed >= LEAST_OPERATIONS and computes_whole(node, function) and _is_computed(node, function)


def _arrays_made(node: ast.expr, function: Function) -> int:
    """How many operations of an expression give arrays, not counting matrix products."""
    values = function.facts.expressions.values
    operations = (each for each in walk(node) if isinstance(each, OPERATIONS))
    return sum(
        isinstance(values.get(each), Array)
        and not (isinstance(each, ast.BinOp) and isinstance(each.op, ast.MatMult))
        for each in operations
    )


def _is_computed(node: ast.expr, function: Function) -> bool:
    """Whether a step could compute an expression, and there is something to compute."""
    known = is_of_arrays(function.facts.expressions.values.get(node)) and not isinstance(node, ast.Name)
    return known and expression_problem(node, function, None, whole=True) is None


def is_of_arrays(value: object) -> bool:
    """Whether a value is an array, or a number computed from one."""
    return isinstance(value, Array) or (isinstance(value, Scalar) and value.of_array)


def computes_whole(node: ast.AST, function: Function) -> bool:
    """Whether an expression or statement computes with whole arrays, not only with single elements."""
    values = function.facts.expressions.values
    operations = [each for each in walk(node) if isinstance(each, OPERATIONS)]
    operands = [operand for each in operations for operand in (each, *_operands(each))]
    return any(isinstance(values.get(each), Array) for each in operands)


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that an expression evaluates first, in order."""
    if isinstance(node, ast.Dict):
        yield from (each for pair in zip(node.keys, node.values, strict=True) for each in pair if each)
        return
    for child in children(node):
        if isinstance(child, ast.keyword):
            yield child.value
        elif isinstance(child, ast.Slice):
            # A slice is no expression that could stand alone.
            yield from _operands(child)
        elif isinstance(child, ast.expr):
            yield child


def evaluated_before(
    node: ast.expr, parts: list[ast.expr], effects: bool, function: Function
) -> Iterator[ast.expr]:
    """The largest expressions that are evaluated before ``node`` and must stay before it.

    ``effects`` means that ``node`` may change what other expressions read.
    """
    for part in parts:
        if part is node:
            return
        inside = any(each is node for each in walk(part))
        if inside:
            yield from evaluated_before(node, [*_operands(part)], effects, function)
            return
        if _matters(part, effects, function):
            yield part


def _matters(part: ast.expr, effects: bool, function: Function) -> bool:
    """Whether it matters if ``part`` is evaluated after what followed it."""
    if isinstance(part, ast.Constant) or function.dotted(part) is not None:
        return False
    if isinstance(part, ast.Name):
        return effects and (not function.is_local(part.id) or _may_be_rebound(part.id, function))
    return effects or calls_unknown(part, function)


def _may_be_rebound(name: str, function: Function) -> bool:
    """Whether a call may rebind a name of the function: an attribute, a global, ``nonlocal`` elsewhere."""
    declared = (each for each in walk(function.node) if isinstance(each, ast.Nonlocal))
    return function.is_shared(name) or any(name in each.names for each in declared)


def calls_unknown(node: ast.expr, function: Function) -> bool:
    """Whether an expression contains a call that may do anything."""
    calls = any(isinstance(each, ast.Call) for each in walk(node))
    return calls and expression_problem(node, function, None, whole=True) is not None


def computes_in_a_loop(function: Function) -> bool:
    """Whether a loop of a function contains some operations on whole arrays."""
    loops = (each for each in function.statements() if isinstance(each, ast.For | ast.While))
    return any(_operations_in(each, function) >= LEAST_OPERATIONS for each in loops)


def calls_a_parameter(function: Function) -> bool:
    """Whether a loop of a function calls what it is given, ``f(x)``: a call will show what that is."""
    loops = [each for each in function.statements() if isinstance(each, ast.For | ast.While)]
    given = {*parameter_names(function.node.args)} if isinstance(function.node, Definition) else set()
    called = (each.func for loop in loops for each in walk(loop) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Name) and each.id in given for each in called)


def array_operations_beside(lines: Container[int], function: Function) -> int:
    """The operations on whole arrays in the loops of a function, without the statements of these lines."""
    loops = (each for each in function.node.body if isinstance(each, ast.For | ast.While))
    return sum(_operations_in(each, function, lines) for each in loops if each.lineno not in lines)


def _operations_in(loop: ast.For | ast.While, function: Function, without: Container[int] = ()) -> int:
    waiting: list[ast.AST] = [*loop.body]
    found = 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt) and node.lineno in without:
            continue
        found += isinstance(node, OPERATIONS) and is_of_arrays(function.facts.value(node))
        waiting += children(node)
    return found


def may_compute_with_arrays(function: Function) -> bool:
    """Whether a function without loops may compute with whole arrays: a call will show what it gets."""
    nodes = [node for each in function.node.body for node in walk(each)]
    if any(isinstance(each, ast.For | ast.While | ast.AsyncFor) for each in nodes):
        return False
    known = function.facts.value
    operations = [each for each in nodes if isinstance(each, OPERATIONS) and not is_number(known(each))]
    return len(operations) >= LEAST_OPERATIONS and any(_is_for_arrays(each, function) for each in nodes)


def _is_for_arrays(node: ast.AST, function: Function) -> bool:
    """Whether only array code has such a node: a function of NumPy, ``axis=1``, ``x[:, None]``."""
    match node:
        case ast.Call(func, _, keywords):
            return (function.dotted(func) or "").startswith("numpy.") or any(
                each.arg == "axis" for each in keywords
            )
        case ast.Subscript(slice=ast.Slice() | ast.Tuple()):
            return True
    return False


def stem(node: ast.expr) -> str:
    """What a name for an expression begins with.

    ``self_dt`` for ``self.dt``, ``slope_value`` for ``model.slope(x)``, ``value`` for most others.
    """
    match node:
        case ast.Attribute(value=ast.Name(id=base)):
            return f"{base}_{node.attr}"
        case ast.Subscript(value=ast.Name(id=base), slice=ast.Constant(value=str(key))) if key.isidentifier():
            return f"{base}_{key}"
        case ast.Call(func=ast.Name(id=called)) | ast.Call(func=ast.Attribute(attr=called)):
            return f"{called}_value"
    return "value"
