"""Functions that a script calls once: what one call would show comes too late for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.source.names import ALL_SCOPES

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_called_once(name: str, tree: ast.Module) -> bool:
    """Whether the only use of a name is a call, outside of loops, by the module's own statements."""
    used = [each for each in ast.walk(tree) if isinstance(each, ast.Name) and each.id == name]
    called = [each.func for each in _run_once(tree) if isinstance(each, ast.Call)]
    return len(used) == 1 and any(each is used[0] for each in called)


def _run_once(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that running a module evaluates at most once."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, (*ALL_SCOPES, *_LOOPS)):
            yield node
            stack.extend(ast.iter_child_nodes(node))
