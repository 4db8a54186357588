"""Arrays with names that a loop appends to lists: which items nobody can tell from copies.

z = x + k; zs.append(z)                each item is an array of its own
zs.append(z); other.append(z)          two items are one array: a store into one shows in the other
if changes: z = x + k                  so are items of two iterations
zs.append(z)
z = x[k : k + 2]; zs.append(z)         they may share memory

Of a list of which only an array is made, nobody sees the items.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from nprewrite.base.syntax import blocks, names_bound
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.numpy_api.random import RANDOM

Resolve = Callable[[ast.expr], str | None]


def appended_once(function: ast.FunctionDef, resolve: Resolve) -> frozenset[str]:
    """The names that are bound to a new array each time before their only ``append``."""
    times = Counter(name for each in ast.walk(function) for name in _appended(each))
    return frozenset(name for name in _bound_before(function, resolve) if times[name] == 1)


def _bound_before(node: ast.AST, resolve: Resolve) -> Iterator[str]:
    """The names that statements of one block bind to new arrays, and then append."""
    for block in blocks(node):
        new: set[str] = set()
        for statement in block:
            if isinstance(statement, ast.Expr):
                yield from new.intersection(_appended(statement.value))
            yield from _bound_before(statement, resolve)
            new.difference_update(names_bound(statement))
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_new(value, resolve):
                    new.add(name)


def _appended(node: ast.AST) -> list[str]:
    match node:
        case ast.Call(func=ast.Attribute(attr="append" | "appendleft"), args=[ast.Name(id=name)]):
            return [name]
    return []


def _is_new(value: ast.expr, resolve: Resolve) -> bool:
    """Whether an expression makes an array with memory of its own, if it gives one."""
    match value:
        case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.Invert()):
            return True
        case ast.Call(func=called):
            dotted = resolve(called) or ""
            makes = creation(dotted) is not None or elementwise(dotted) is not None
            products = dotted.removeprefix("numpy.") in MATRIX_PRODUCTS
            return makes or products or dotted == "numpy.array" or _is_of_method(called)
    return False


def _is_of_method(called: ast.expr) -> bool:
    """Whether it is a method that makes an array: of arrays, or of generators of random numbers."""
    return isinstance(called, ast.Attribute) and (called.attr == "copy" or called.attr in RANDOM)
