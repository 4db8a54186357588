"""Lists and deques as queues: how they are made, and the calls that take their first item."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import names_in, walk
from nprewrite.lowering.written_lists import Resolve


def queue_made(node: ast.AST, resolve: Resolve) -> tuple[str, list[ast.expr]] | None:
    """The name of a queue that a statement makes, and its first items."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made, args=given, keywords=[])):
            if resolve(made) != "collections.deque":
                return None
            match given:
                case []:
                    return name, []
                case [ast.List(elts=items)] if not any(name in names_in(each) for each in items):
                    return name, items
    return None


def first_of(node: ast.Call) -> str | None:
    """The name of the list of which ``queue.pop(0)``, or ``queue.popleft()``, takes the first item."""
    match node:
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "popleft"), args=[], keywords=[]):
            return name
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "pop"), args=[ast.Constant(0)], keywords=[]):
            return name
    return None


def queues_of(*body: ast.stmt) -> dict[str, str]:
    """The names of lists of which statements may take the first item, with the method that does."""
    nodes = (node for statement in body for node in walk(statement) if isinstance(node, ast.Call))
    named = ((first_of(each), each.func) for each in nodes)
    return {name: func.attr for name, func in named if name and isinstance(func, ast.Attribute)}
