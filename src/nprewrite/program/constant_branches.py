"""A function without the branches that what is known of its names never takes.

def bounded(x, b):                 def bounded(x, b):
    if b == 1:                         x[0] = -x[1]
        x[0] = -x[1]
    else:
        x[0] = x[1]

Flags choose between equations, in helpers and before loops; where one is known, nothing is chosen.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nprewrite.base.syntax import stored_names, walk, with_body
from nprewrite.source.names import EXPRESSION_SCOPES, parameter_names


def _is(left: Any, right: Any) -> bool:
    return left == right if isinstance(left, NoneOf) and right is not None else left is right


class NoneOf:
    """The value of a number or string of which only is known that it is none of some literals."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, literals: frozenset[bool | int | str]) -> None:
        self._literals = literals

    def __eq__(self, other: object) -> bool:
        """False for one of the literals; raises ``TypeError`` for anything else."""
        if other not in self._literals:
            raise TypeError("it is not known")
        return False

    def __bool__(self) -> bool:
        """True if what is false is among the literals; raises ``TypeError`` where it is not."""
        return not (self == 0 or self == "")


_KINDS = (bool, int, float, complex, str, type(None))
_NUMBERS = (bool, int, float, complex)

_OPERATIONS: dict[type[ast.operator | ast.unaryop | ast.cmpop], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
    ast.Is: _is,
    ast.IsNot: lambda left, right: not _is(left, right),
}

_DECLARING = (
    ast.AsyncFor,
    ast.AsyncFunctionDef,
    ast.AsyncWith,
    ast.Await,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.FunctionDef,
    ast.Global,
    ast.Import,
    ast.ImportFrom,
    ast.Match,
    ast.Nonlocal,
    ast.Yield,
    ast.YieldFrom,
)
"""What changes a function even where it never runs, or binds names that are no ``ast.Name``."""


@dataclass(frozen=True)
class Constant:
    """A value that an expression has at every call, or at each for which the function is rewritten."""

    value: Any

    @property
    def truth(self) -> bool | None:
        """Whether it counts as true, if that is known."""
        try:
            return bool(self.value)
        except TypeError:
            return None


def constant(node: ast.expr, known: Mapping[str, Constant]) -> Constant | None:
    """The value of an expression of literals and names whose values are known; None where it has no such."""
    match node:
        case ast.Constant(value=value) if isinstance(value, _KINDS):
            return Constant(value)
        case ast.Name(id=name):
            return known.get(name)
        case ast.UnaryOp(op=op, operand=operand):
            return _computed(op, [constant(operand, known)])
        case ast.BinOp(left=left, op=op, right=right):
            sides = [constant(left, known), constant(right, known)]
            numbers = all(each is not None and isinstance(each.value, _NUMBERS) for each in sides)
            return _computed(op, sides) if numbers else None
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            among = isinstance(op, ast.In | ast.NotIn)
            sides = [constant(left, known), _items(right, known) if among else constant(right, known)]
            single = any(each is not None and isinstance(each.value, bool | None) for each in sides)
            return _computed(op, sides) if single or not isinstance(op, ast.Is | ast.IsNot) else None
        case ast.BoolOp():
            return _joined(node, known)
    return None


def _computed(
    op: ast.operator | ast.unaryop | ast.cmpop, operands: Sequence[Constant | None]
) -> Constant | None:
    known = [each for each in operands if each is not None]
    function = _OPERATIONS.get(type(op))
    if function is None or len(known) < len(operands):
        return None
    try:
        return Constant(function(*(each.value for each in known)))
    except (ArithmeticError, TypeError):
        return None


def _items(node: ast.expr, known: Mapping[str, Constant]) -> Constant | None:
    """The values of the elements of a tuple, list or set that is written out."""
    if not isinstance(node, ast.Tuple | ast.List | ast.Set):
        return None
    items = [constant(each, known) for each in node.elts]
    values = [each.value for each in items if each is not None]
    return Constant(values) if len(values) == len(items) else None


def _joined(node: ast.BoolOp, known: Mapping[str, Constant]) -> Constant | None:
    """The value of ``a and b``, where ``b`` may be unknown if it is not evaluated."""
    found: Constant | None = None
    for each in node.values:
        found = constant(each, known)
        if found is None or found.truth is isinstance(node.op, ast.Or):
            return found
        if found.truth is None:
            return None
    return found


class Branches:
    """The branches of a function that are left out, one after the other."""

    def __init__(self, scope: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._scope = scope
        self._gone: set[int] = set()

    def taken(self, statement: ast.If, known: Mapping[str, Constant]) -> list[ast.stmt] | None:
        """The statements of the arm that is always taken, if the other can be left out."""
        test = constant(statement.test, known)
        if test is None or test.truth is None:
            return None
        arms = (statement.body, statement.orelse)
        taken, other = arms if test.truth else arms[::-1]
        return taken if self._leaves_out(other) else None

    def _leaves_out(self, block: Sequence[ast.stmt]) -> bool:
        """Leave statements out, unless the function would be another one without them.

        A name that nothing else binds would not be local to it any more.
        """
        nodes = [each for statement in block for each in walk(statement)]
        if any(isinstance(each, _DECLARING) for each in nodes):
            return False
        gone = self._gone | set(map(id, nodes))
        left = [each for each in walk(self._scope) if id(each) not in gone]
        names = [each for each in left if isinstance(each, ast.Name)]
        inner = stored_names(*(each for each in left if isinstance(each, EXPRESSION_SCOPES)))
        bound = {each.id for each in names if isinstance(each.ctx, ast.Store)} - inner
        lost = stored_names(*block) - bound - set(parameter_names(self._scope.args))
        if any(each.id in lost for each in names):
            return False
        self._gone = gone
        return True


def with_constant_branches(function: ast.FunctionDef, known: Mapping[str, Constant]) -> ast.FunctionDef:
    """The function with the arms that are always taken in place of the statements that choose them.

    ``known`` are values of parameters that it does not bind anew.
    """
    return with_body(function, _chosen(function.body, known, Branches(function)))


def _chosen(block: Sequence[ast.stmt], known: Mapping[str, Constant], branches: Branches) -> list[ast.stmt]:
    done: list[ast.stmt] = []
    for statement in block:
        taken = branches.taken(statement, known) if isinstance(statement, ast.If) else None
        if taken is not None:
            done += _chosen(taken, known, branches)
        elif isinstance(statement, ast.If | ast.For | ast.While):
            made = copy.copy(statement)
            made.body = _chosen(statement.body, known, branches)
            made.body = made.body or [ast.copy_location(ast.Pass(), statement)]
            made.orelse = _chosen(statement.orelse, known, branches)
            done.append(made)
        else:
            done.append(_with_chosen_values(statement, known))
    return done


def chosen_value(node: ast.expr, known: Mapping[str, Constant]) -> ast.expr | None:
    """``a`` of ``a if flag else b``, where that is always its value."""
    test = constant(node.test, known) if isinstance(node, ast.IfExp) else None
    if not isinstance(node, ast.IfExp) or test is None or test.truth is None:
        return None
    return node.body if test.truth else node.orelse


def _with_chosen_values(statement: ast.stmt, known: Mapping[str, Constant]) -> ast.stmt:
    """A statement with ``a`` in place of ``a if flag else b``."""

    class Choose(ast.NodeTransformer):
        def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
            self.generic_visit(node)
            return chosen_value(node, known) or node

    nodes = [*walk(statement)]
    choices = (each for each in nodes if isinstance(each, ast.IfExp))
    declares = any(isinstance(each, (*_DECLARING, ast.NamedExpr)) for each in nodes)
    if declares or all(chosen_value(each, known) is None for each in choices):
        return statement
    made = Choose().visit(copy.deepcopy(statement))
    assert isinstance(made, ast.stmt)
    return made
