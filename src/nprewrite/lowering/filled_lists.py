"""Lists in a list that a loop fills, and of which it reads nothing: ``cells[k].append(i)``.

What it appends is kept in the order of the loop, and appended when it ends.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

from nprewrite.base.syntax import walk


@dataclass(frozen=True)
class Filling:
    """The ``call`` of ``name[place].append(item)``."""

    call: ast.Call
    name: str
    place: ast.expr


def filling(node: ast.AST) -> Filling | None:
    """What a statement appends to a list in a list; None for other statements."""
    match node:
        case ast.Expr(
            ast.Call(ast.Attribute(ast.Subscript(ast.Name(name), place), "append"), [_], []) as call
        ) if not isinstance(place, ast.Slice | ast.Tuple):
            return Filling(call, name, place)
    return None


def filled_in(*trees: ast.AST) -> frozenset[str]:
    """The names of lists with which statements do nothing else; ``len(cells)`` reads none of their items."""
    left: Counter[str] = Counter()
    found = set()
    for each in (node for tree in trees for node in walk(tree)):
        filled = filling(each)
        if filled is not None:
            found.add(filled.name)
            left[filled.name] -= 1
        match each:
            case ast.Name(name):
                left[name] += 1
            case ast.Call(ast.Name("len"), [ast.Name(name)]):
                left[name] -= 1
    return frozenset(name for name in found if not left[name])
