"""Does the mask of a step only ever shrink?

A mask only shrinks if lanes that it does not select stay as they are, including everything that the mask is
computed from: then the next iteration's mask does not select them either.
"""

from __future__ import annotations

import ast

import numpy as np

from nprewrite.base.syntax import assigned, name_nodes, names_in
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.program.function import Function
from nprewrite.program.steps import parts
from nprewrite.types.values import Array


def live_mask(function: Function) -> str | None:
    """The name of a mask outside which the step changes nothing; None when there is none.

    Either a boolean state of the step, or a mask computed from constants, inputs and state before any of
    them changes.
    """
    node, step = function.as_step()
    single = _single_assignments(node)
    if single is None or step.carried or step.out:
        return None
    state = [part for name, box in step.state.items() for part in parts(name, box)]
    masks = (name for name in single if _is_mask(name, function))
    return next((name for name in masks if _shrinks(name, single, state, function)), None)


def _single_assignments(node: ast.FunctionDef) -> dict[str, ast.expr] | None:
    """The expression of every name that the step binds; None if one is bound more than once."""
    found: dict[str, ast.expr] = {}
    for statement in node.body:
        pairs = _assigned(statement)
        if pairs is None:
            return None
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names) or not found.keys().isdisjoint(names):
            return None
        found.update(pairs)
    return found


def _assigned(statement: ast.stmt) -> list[tuple[str, ast.expr]] | None:
    """The names that a statement binds and their expressions; None for a statement that is not followed."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            pairs = [*assigned(target, value)]
            named = [(each.id, part) for each, part in pairs if isinstance(each, ast.Name)]
            return named if len(named) == len(pairs) else None
        case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
            return [(name, ast.BinOp(ast.Name(name, ast.Load()), operator, value))]
        case ast.Return() | ast.Expr():
            return []
    return None


def _is_mask(name: str, function: Function) -> bool:
    places = [each for each in name_nodes(function.node) if each.id == name]
    values = [function.facts.expressions.values.get(each) for each in places]
    arrays = (value for value in values if isinstance(value, Array))
    return next((value.dtype == np.bool_ for value in arrays), False)


def _shrinks(mask: str, bound: dict[str, ast.expr], state: list[str], function: Function) -> bool:
    order = [*bound]
    for name in state:
        if name in bound and not _kept(bound[name], name, mask, bound, function):
            return False
    if mask in state:
        # Stores may use the mask of this iteration's start or end: both imply the start's.
        return True
    variable = set(function.as_step()[1].scalars)
    for name in _read_by(mask, bound):
        if name in variable:
            return False
        if name in state and name in bound and order.index(name) < order.index(mask):
            return False
    return all(order.index(name) > order.index(mask) for name in state if name in bound)


def _read_by(name: str, bound: dict[str, ast.expr]) -> set[str]:
    """Every name that the value of ``name`` depends on within the iteration."""
    seen: set[str] = set()
    pending = [name]
    while pending:
        expression = bound.get(pending.pop(), ast.Constant(None))
        new = names_in(expression) - seen
        seen |= new
        pending += new - {name}
    return seen


def _kept(value: ast.expr, name: str, mask: str, bound: dict[str, ast.expr], function: Function) -> bool:
    """Whether ``value`` equals the old ``name`` in every lane where ``mask`` is False."""
    if isinstance(value, ast.Name):
        return value.id == name
    if isinstance(value, ast.Call) and function.dotted(value.func) == "numpy.where":
        condition, chosen, other = value.args
        if ast.unparse(other) == name and _implies(condition, mask, bound, function):
            return True
        never = isinstance(chosen, ast.Constant) and chosen.value is False
        return name == mask and ast.unparse(other) == name and never
    return name == mask and _implies(value, mask, bound, function)


def _implies(condition: ast.expr, mask: str, bound: dict[str, ast.expr], function: Function) -> bool:
    """Whether ``condition`` is False in every lane where ``mask`` is."""
    match condition:
        case ast.Name():
            if condition.id == mask:
                return True
            inner = bound.get(condition.id)
            return inner is not None and inner is not condition and _implies(inner, mask, bound, function)
        case ast.BinOp(op=ast.BitAnd()):
            operands = [condition.left, condition.right]
        case ast.Call():
            found = elementwise(function.dotted(condition.func))
            operands = [*condition.args] if found and found[0] in {"logical_and", "bitwise_and"} else []
        case _:
            return False
    return any(_implies(each, mask, bound, function) for each in operands)
