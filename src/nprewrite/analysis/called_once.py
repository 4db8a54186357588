"""Functions that a script calls once, and methods: what a call would show is too late for a second one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from nprewrite.base.syntax import name_nodes
from nprewrite.source.kept import kept
from nprewrite.source.names import ALL_SCOPES

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_called_once(qualname: str, tree: ast.Module) -> bool:
    """Whether the only use of a name is a call, outside of loops, that a script makes once.

    It is one of the module's own statements, or one of a function that is itself called once. A method is the
    only one of its name, and is called on whatever object; a class calls its ``__init__``.
    """
    return qualname in _called_once(tree)


@kept
def _called_once(tree: ast.Module) -> frozenset[str]:
    definitions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    methods, beginnings = _methods(tree)
    uses = Counter(each.id for each in name_nodes(tree))
    told = Counter(each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute))
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        for each in _run_once(waiting.pop()):
            match each:
                case ast.Call(func=ast.Name(id=called)) if uses[called] == 1 and called not in found:
                    found.add(called)
                    body = definitions[called].body if called in definitions else []
                    if called in beginnings:
                        found.add(f"{called}.__init__")
                        body = beginnings[called].body
                    waiting += body
                case ast.Call(func=ast.Attribute(attr=called)) if told[called] == 1 and called in methods:
                    owner, method = methods[called]
                    # `super().__init__()` in the only `__init__` may be its own call.
                    if f"{owner}.{called}" not in found:
                        found.add(f"{owner}.{called}")
                        waiting += method.body
    return frozenset(found)


def _methods(
    tree: ast.Module,
) -> tuple[dict[str, tuple[str, ast.FunctionDef]], dict[str, ast.FunctionDef]]:
    """The methods that no other class has too, by name, with their classes; each class's ``__init__``."""
    every = [
        (each.name, method)
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        for method in each.body
        if isinstance(method, ast.FunctionDef)
    ]
    count = Counter(method.name for _, method in every)
    alone = {method.name: (owner, method) for owner, method in every if count[method.name] == 1}
    return alone, {owner: method for owner, method in every if method.name == "__init__"}


def _run_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that running a module, or a statement, evaluates at most once."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, (*ALL_SCOPES, *_LOOPS)):
            yield node
            stack.extend(ast.iter_child_nodes(node))
