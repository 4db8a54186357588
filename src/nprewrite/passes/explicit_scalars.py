"""A list of numbers next to an array, as the array that NumPy makes of it.

Why: torch.compile has no arithmetic of an array and a list.

    u * [1, 2, 3]          ->  u * np.array([1, 2, 3])
    np.maximum(u, (0, 1))  ->  np.maximum(u, np.array((0, 1)))

NumPy makes the same array of the list: of integers it is int64, which widens float32, as a number next to an
array does not.

Safety: exact. The other operand must be an array: ``2 * [1, 2]`` repeats the list, and so does a NumPy
integer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.base.syntax import children
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.source.edits import Beside, Replace
from nprewrite.source.names import EXPRESSION_SCOPES
from nprewrite.source.nodes import expression, statements
from nprewrite.types.values import Array, Scalar, Unknown

Display = ast.List | ast.Tuple


@dataclass(frozen=True)
class Site:
    """A list or tuple of numbers, the other operand, and the outermost loop around both."""

    display: Display
    other: ast.expr
    loop: ast.stmt | None


class ExplicitScalars(RewritePass[Site, None]):
    """NPR501."""

    code = "NPR501"
    name = "explicit-scalars"
    summary = "a list of numbers beside an array becomes the array that NumPy makes of it"
    level = Level.EXACT
    serves_others = True

    def match(self, function: Function) -> Iterator[Site]:
        """Displays of numbers in operations that may be NumPy's."""
        if function.step is not None:
            return
        for statement in function.statements():
            loop = next(iter(function.loops_around(statement)), None)
            pairs = [*_beside_each_other(statement, function)]
            yield from (Site(display, other, loop) for display, other in pairs)

    def node(self, site: Site) -> ast.expr:
        return site.display

    def check(self, site: Site, function: Function) -> Refusal | Deferral | None:
        """The other operand is an array, so that the operation is NumPy's."""
        value, text = function.facts.value(site.other), ast.unparse(site.other)
        unclear = function.names.unclear_numpy(function.node)
        if unclear is not None:
            return Refusal("name-unclear", f"`{unclear}` may not be NumPy here")
        if isinstance(value, Scalar):
            return Refusal(
                "not-plain-array", f"`{text}` is a number, and a Python integer would repeat the list"
            )
        if isinstance(value, Array) and value.assumed:
            return Refusal("not-plain-array", f"`{text}` may not be an array: a list is accepted too")
        if isinstance(value, Array):
            return None
        why = f": {value.because}" if isinstance(value, Unknown) else ""
        message = f"the type of `{text}` is not known{why}"
        waits = isinstance(value, Unknown) and value.parameter is not None and function.can_defer
        return Deferral(message) if waits else Refusal("dtype-unknown", message)

    def rewrite(self, site: Site, proof: None, function: Function) -> Change:
        """``np.array`` around the display."""
        numpy = function.names.numpy_name(function.node)
        made = expression(
            "{np}.array({display})", np=numpy, display=function.document.expression(site.display)
        )
        message = "the array that NumPy makes of the list"
        if site.loop is None:
            return Change((Replace(site.display, (made,)),), message=message)
        name = function.names.fresh("numbers")
        bound = Beside(site.loop, before=statements("{name} = {made}", name=name, made=made))
        return Change(
            (bound, Replace(site.display, (expression(name),))), message=f"{message}, before the loop"
        )


Pair = tuple[Display, ast.expr]


def _beside_each_other(node: ast.AST, function: Function) -> Iterator[Pair]:
    """The displays in a statement's own expressions, each with the other operand."""
    sequences = isinstance(getattr(node, "op", None), ast.Add | ast.Mod) or isinstance(node, ast.Compare)
    for display, other in _operands(node, function):
        if isinstance(display, Display) and _may_be_array(other, function, sequences):
            yield display, other
    for child in children(node):
        # In comprehensions and lambdas names have other values.
        if isinstance(child, ast.expr) and not isinstance(child, EXPRESSION_SCOPES):
            yield from _beside_each_other(child, function)


def _operands(node: ast.AST, function: Function) -> list[tuple[ast.expr, ast.expr]]:
    """The pairs of operands of an operation that may be NumPy's, if one is a display of several numbers."""
    match node:
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            pairs = [(left, right), (right, left)]
        case ast.AugAssign(target=target, value=value):
            pairs = [(value, target)]
        case ast.Call(args=[left, right]) if elementwise(function.dotted(node.func)):
            pairs = [(left, right), (right, left)]
        case _:
            return []
    return [pair for pair in pairs if len(_numbers(pair[0])) > 1 and not isinstance(pair[1], Display)]


def _may_be_array(node: ast.expr, function: Function, sequences: bool) -> bool:
    """Whether the operand may be an array; lists and strings, with which displays also combine, are not."""
    value = function.facts.value(node)
    typed = isinstance(value, Scalar) and value.dtype is not None
    return isinstance(value, Array) or typed or (not sequences and isinstance(value, Unknown))


def _numbers(node: ast.expr) -> list[ast.Constant]:
    """The numbers in a display that contains nothing else at any depth; otherwise none."""
    found: list[ast.Constant] = []
    if not isinstance(node, Display):
        return found
    for each in node.elts:
        inner = each.operand if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub) else each
        if isinstance(inner, Display):
            found += _numbers(inner)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, bool | int | float):
            found.append(inner)
        else:
            return []
    return found
