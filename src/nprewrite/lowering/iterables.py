"""What a ``for`` statement runs over: a range, forwards or backwards, or the elements of arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

Resolve = Callable[[ast.expr], str | None]


@dataclass(frozen=True)
class Elements:
    """The arrays of which each trip takes one element or row, and the targets that take these.

    ``counter`` takes the trip's number from ``enumerate``, counted from ``first``.
    """

    arrays: tuple[ast.expr, ...]
    targets: tuple[ast.expr, ...]
    counter: ast.expr | None = None
    first: ast.expr | None = None


def range_of(node: ast.expr, resolve: Resolve) -> list[ast.expr] | None:
    """The arguments of the ``range`` that gives the same numbers as ``node``; None for other iterables.

    ``reversed(range(a, b))`` is ``range(b - 1, a - 1, -1)``, ``reversed(range(a, b, -1))`` is
    ``range(b + 1, a + 1)``.
    """
    inner = _only_argument(node, "builtins.reversed", resolve)
    call = node if inner is None else inner
    if not isinstance(call, ast.Call) or resolve(call.func) != "builtins.range" or call.keywords:
        return None
    if inner is None or not 1 <= len(call.args) <= 3:
        return None if inner is not None else call.args
    first, last = (ast.Constant(0), call.args[0]) if len(call.args) == 1 else call.args[:2]
    step = ast.unparse(call.args[2]) if len(call.args) == 3 else "1"
    if step not in ("1", "-1"):
        return None
    by = ast.Sub() if step == "1" else ast.Add()
    made: list[ast.expr] = [ast.BinOp(each, by, ast.Constant(1)) for each in (last, first)]
    made += [ast.UnaryOp(ast.USub(), ast.Constant(1))] if step == "1" else []
    return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in made]


def elements_of(loop: ast.For, resolve: Resolve) -> Elements | None:
    """The arrays whose elements a loop takes; None if it runs over anything else.

    It may run over ``x``, a part of it, ``reversed(x)``, ``zip(x, y)``, and ``enumerate`` of these.
    """
    numbered = enumerated(loop.iter, resolve)
    iterable, target = loop.iter, loop.target
    counter = first = None
    if numbered is not None:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        iterable, first = numbered
        counter, target = target.elts
    alone = _array(iterable, resolve)
    if alone is not None:
        return Elements((alone,), (target,), counter, first)
    if not isinstance(iterable, ast.Call) or resolve(iterable.func) != "builtins.zip" or iterable.keywords:
        return None
    arrays = [_array(each, resolve) for each in iterable.args]
    known = tuple(each for each in arrays if each is not None)
    if not known or len(known) < len(arrays) or not isinstance(target, ast.Tuple):
        return None
    if len(target.elts) != len(known):
        return None
    return Elements(known, tuple(target.elts), counter, first)


def _array(node: ast.expr, resolve: Resolve) -> ast.expr | None:
    """``x`` or ``x[a:b]``; ``reversed(x)`` as ``x[::-1]``, whose elements are read just as late."""
    backwards = _only_argument(node, "builtins.reversed", resolve)
    if backwards is not None:
        if _array(backwards, resolve) is None:
            return None
        whole = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
        made = ast.Subscript(backwards, whole, ast.Load())
        return ast.fix_missing_locations(ast.copy_location(made, node))
    return node if isinstance(node, ast.Name | ast.Subscript) else None


def enumerated(node: ast.expr, resolve: Resolve) -> tuple[ast.expr, ast.expr | None] | None:
    """What ``enumerate`` numbers, and the first number if one is given."""
    if not isinstance(node, ast.Call) or resolve(node.func) != "builtins.enumerate":
        return None
    match node:
        case ast.Call(args=[argument], keywords=[]):
            return argument, None
        case ast.Call(args=[argument, first], keywords=[]):
            return argument, first
        case ast.Call(args=[argument], keywords=[ast.keyword(arg="start", value=first)]):
            return argument, first
    return None


def _only_argument(node: ast.expr, function: str, resolve: Resolve) -> ast.expr | None:
    match node:
        case ast.Call(func=called, args=[argument], keywords=[]) if resolve(called) == function:
            return argument
    return None
