"""Functions that a script calls once: what one call would show comes too late for a second one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from nprewrite.base.syntax import name_nodes
from nprewrite.source.kept import kept
from nprewrite.source.names import ALL_SCOPES

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_called_once(name: str, tree: ast.Module) -> bool:
    """Whether the only use of a name is a call, outside of loops, that a script makes once.

    It is one of the module's own statements, or one of a function that is itself called once.
    """
    return name in _called_once(tree)


@kept
def _called_once(tree: ast.Module) -> frozenset[str]:
    definitions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    uses = Counter(each.id for each in name_nodes(tree))
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        for each in _run_once(waiting.pop()):
            called = each.func.id if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) else ""
            if uses[called] != 1:
                continue
            found.add(called)
            if called in definitions:
                waiting += definitions[called].body
    return frozenset(found)


def _run_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that running a module, or a statement, evaluates at most once."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, (*ALL_SCOPES, *_LOOPS)):
            yield node
            stack.extend(ast.iter_child_nodes(node))
