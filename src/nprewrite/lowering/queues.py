"""Calls that take the first item of a list: ``queue.pop(0)``, and ``queue.popleft()`` of a deque."""

from __future__ import annotations

import ast


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
    nodes = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call))
    named = ((first_of(each), each.func) for each in nodes)
    return {name: func.attr for name, func in named if name and isinstance(func, ast.Attribute)}
