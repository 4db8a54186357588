"""Arrays with names that a loop appends to lists: which items nobody can tell from copies.

z = x + k; zs.append(z)                each item is an array of its own
zs.append(z); other.append(z)          two items are one array: a store into one shows in the other
if changes: z = x + k                  so are items of two iterations
zs.append(z)
z = x[k : k + 2]; zs.append(z)         they may share memory
return z                               the array that a name has in the end may be an item

Of a list of which only an array is made, nobody sees the items.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from nprewrite.base.syntax import blocks, name_nodes, names_bound, walk
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.linear_algebra import MATRIX_PRODUCTS
from nprewrite.numpy_api.random import RANDOM

Resolve = Callable[[ast.expr], str | None]


def appended_once(
    function: ast.FunctionDef, resolve: Resolve, outlasting: Collection[str]
) -> Mapping[str, str]:
    """The lists of names that are bound to a new array each time before their only ``append``.

    A list may get one of the names that are ``outlasting``, whose arrays the caller gets too.
    """
    found = [pair for each in walk(function) for pair in _appended(each)]
    times, owners = Counter(name for name, _ in found), dict(found)
    shared = Counter(owners[name] for name in owners if name in outlasting)
    return {
        name: owners[name]
        for name in _bound_before(function, resolve)
        if times[name] == 1 and (name not in outlasting or shared[owners[name]] == 1)
    }


def outlasting(function: ast.FunctionDef, kept: Collection[str]) -> frozenset[str]:
    """The names whose values the caller gets, with those that are ``kept``."""
    returns = (each for each in walk(function) if isinstance(each, ast.Return))
    return frozenset([*kept, *(each.id for each in name_nodes(*returns))])


def _bound_before(node: ast.AST, resolve: Resolve) -> Iterator[str]:
    """The names that statements of one block bind to new arrays, and then append."""
    for block in blocks(node):
        new: set[str] = set()
        for statement in block:
            if isinstance(statement, ast.Expr):
                yield from new.intersection(name for name, _ in _appended(statement.value))
            yield from _bound_before(statement, resolve)
            new.difference_update(names_bound(statement))
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if makes_array(value, resolve):
                    new.add(name)


def _appended(node: ast.AST) -> list[tuple[str, str]]:
    """A name that is appended, and the list."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=owner, attr="append" | "appendleft"), args=[ast.Name(id=name)]
        ):
            return [(name, ast.unparse(owner))]
    return []


def makes_array(value: ast.expr, resolve: Resolve) -> bool:
    """Whether an expression makes an array with memory of its own, if it gives one."""
    match value:
        case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.Invert()):
            return True
        case ast.Call(func=called):
            dotted = resolve(called) or ""
            if dotted.startswith("numpy.as"):
                # Of an array it gives that.
                return False
            makes = creation(dotted) is not None or elementwise(dotted) is not None
            products = dotted.removeprefix("numpy.") in MATRIX_PRODUCTS
            return makes or products or dotted == "numpy.array" or _is_of_method(called)
    return False


def _is_of_method(called: ast.expr) -> bool:
    """Whether it is a method that makes an array: of arrays, or of generators of random numbers."""
    return isinstance(called, ast.Attribute) and (called.attr == "copy" or called.attr in RANDOM)
