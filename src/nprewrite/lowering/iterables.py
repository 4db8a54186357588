"""What a ``for`` statement runs over: a range, forwards or backwards, or the elements of arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

Resolve = Callable[[ast.expr], str | None]


@dataclass(frozen=True)
class Elements:
    """The names of arrays whose elements are taken, one of each a trip, and the targets that take them.

    ``counter`` takes the number of the trip, of ``enumerate``.
    """

    arrays: tuple[str, ...]
    targets: tuple[ast.expr, ...]
    counter: ast.expr | None = None


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
    """The arrays that a loop takes elements of; None where it runs over anything else.

    ``x``, ``zip(x, y)``, and ``enumerate`` of these.
    """
    inner = _only_argument(loop.iter, "builtins.enumerate", resolve)
    iterable, target, counter = loop.iter, loop.target, None
    if inner is not None:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        iterable, (counter, target) = inner, target.elts
    if isinstance(iterable, ast.Name):
        return Elements((iterable.id,), (target,), counter)
    if not isinstance(iterable, ast.Call) or resolve(iterable.func) != "builtins.zip" or iterable.keywords:
        return None
    names = tuple(each.id for each in iterable.args if isinstance(each, ast.Name))
    if not names or len(names) < len(iterable.args) or not isinstance(target, ast.Tuple):
        return None
    return Elements(names, tuple(target.elts), counter) if len(target.elts) == len(names) else None


def _only_argument(node: ast.expr, function: str, resolve: Resolve) -> ast.expr | None:
    match node:
        case ast.Call(func=called, args=[argument], keywords=[]) if resolve(called) == function:
            return argument
    return None
