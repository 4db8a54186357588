"""How text reads a variable of a function that it was given: ``f.__closure__[0].cell_contents``."""

from __future__ import annotations

import ast


def variable_of(node: ast.expr) -> tuple[str, int] | None:
    """The name of the function, and the number of the variable that an expression reads."""
    match node:
        case ast.Attribute(
            value=ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=function), attr="__closure__"),
                slice=ast.Constant(value=int(number)),
            ),
            attr="cell_contents",
        ):
            return function, number
        case ast.Attribute(value=ast.Name(id=function), attr="__self__"):
            return function, 0
    return None


def spelled(path: tuple[str, ...]) -> str:
    """The text of a name, and of the attributes and entries that lead on from it."""
    return path[0] + "".join(f".{each}" if each.isidentifier() else f"[{each}]" for each in path[1:])
