"""Names that rewriting adds to a function hold their arrays no longer than expressions and helpers would.

``value = f(u)`` in place of ``g(f(u))``, or the body of a helper in place of its call, would keep each
temporary array until the next iteration binds the name again: memory, and caches full of what nobody reads.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from nprewrite.base.syntax import blocks, name_nodes, names_in, walk
from nprewrite.source.edits import Beside
from nprewrite.source.kept import names_stored
from nprewrite.source.names import ALL_SCOPES, read_names
from nprewrite.source.nodes import statements


def releases(function: ast.FunctionDef, original: ast.Module) -> Iterator[Beside]:
    """``del`` statements after the last use of names that the module, as it was, does not have."""
    parameters = {each.arg for each in walk(function.args) if isinstance(each, ast.arg)}
    added = names_in(function) - names_in(original) - parameters
    added -= {name for each in walk(function) if _is_inner(each, function) for name in names_in(each)}
    uses = _uses(function.body)
    for block in _blocks(function):
        yield from _after_last_uses(block, added, uses)


def _after_last_uses(block: Sequence[ast.stmt], added: set[str], uses: Counter[str]) -> Iterator[Beside]:
    """The ``del`` statements for names all of whose ``uses`` are in a block, in several of its statements."""
    inside = _uses(block)
    places: dict[str, list[ast.stmt]] = {}
    for statement in block:
        for name in sorted(names_in(statement) & added):
            places.setdefault(name, []).append(statement)
    ends: dict[ast.stmt, list[str]] = {}
    # A function that returns next lets go of all its names.
    returning = block[-2:] if isinstance(block[-1], ast.Return) else []
    following = dict(pairwise(block))
    for name, (first, *later) in places.items():
        if inside[name] != uses[name] or not later or later[-1] in returning or name in read_names(first):
            continue
        if any(_binds(each, following.get(each), name) for each in (first, *later[:-1])):
            ends.setdefault(later[-1], []).append(name)
    for statement, names in ends.items():
        yield Beside(statement, after=(*statements(f"del {', '.join(sorted(names))}"),))


def _is_inner(node: ast.AST, function: ast.FunctionDef) -> bool:
    return isinstance(node, ALL_SCOPES) and node is not function


def _uses(block: Sequence[ast.stmt]) -> Counter[str]:
    return Counter(each.id for each in name_nodes(*block))


def _blocks(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    """The blocks of statements in a tree, without those of functions in it."""
    for block in blocks(node):
        yield block
        for each in block:
            if not isinstance(each, ALL_SCOPES):
                yield from _blocks(each)


def _binds(statement: ast.stmt, following: ast.stmt | None, name: str) -> bool:
    """Whether a statement surely binds a name.

    A region, ``for once in (region := step.over(...)): ...``, is followed by what binds its results
    otherwise, but not what nothing reads before it is bound anew.
    """
    if name not in names_stored(statement):
        return False
    match statement:
        case ast.Assign():
            return True
        case ast.For(iter=ast.NamedExpr(target)):
            return name == target.id or (isinstance(following, ast.If) and name in names_stored(following))
    return False
