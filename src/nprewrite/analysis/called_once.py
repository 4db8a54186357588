"""Functions that a script calls once, or a few times, and methods.

What a call would show is too late for a second one, and any of a few calls may be long.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.base.syntax import children, name_nodes, walk
from nprewrite.source.kept import kept
from nprewrite.source.names import ALL_SCOPES

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_called_once(qualname: str, tree: ast.Module) -> bool:
    """Whether the only use of a name is a call, outside of loops, that a script makes once.

    It is one of the module's own statements, or one of a function that is itself called once. A method is the
    only one of its name, and is called on whatever object; a class calls its ``__init__``.
    """
    return qualname in _once(tree)


def is_called_seldom(qualname: str, tree: ast.Module) -> bool:
    """Whether each use of a name is such a call, one in a function that is called so, or one in a loop over
    what is written out: ``run(0.1)`` and ``run(0.2)``, ``for n in (32, 64): run(n)``."""
    return qualname in _seldom(tree)


@kept
def _once(tree: ast.Module) -> frozenset[str]:
    return _called(tree, few=False)


@kept
def _seldom(tree: ast.Module) -> frozenset[str]:
    return _called(tree, few=True)


@dataclass
class _Uses:
    """How often a name is used otherwise than in the calls that were come to."""

    left: Counter[str]
    few: bool

    def ends_with(self, name: str) -> bool:
        """Whether a call of the name is its last use."""
        if not self.few and self.left[name] > 1:
            return False
        self.left[name] -= 1
        return not self.left[name]


def _called(tree: ast.Module, *, few: bool) -> frozenset[str]:
    definitions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    methods, beginnings = _methods(tree)
    names = _Uses(Counter(each.id for each in name_nodes(tree)), few)
    told = _Uses(Counter(each.attr for each in walk(tree) if isinstance(each, ast.Attribute)), few)
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        for each in _reached(waiting.pop(), few=few):
            match each:
                case ast.Call(func=ast.Name(id=called)) if names.ends_with(called):
                    found.add(called)
                    body = definitions[called].body if called in definitions else []
                    if called in beginnings:
                        found.add(f"{called}.__init__")
                        body = beginnings[called].body
                    waiting += body
                case ast.Call(func=ast.Attribute(attr=called)) if (
                    told.ends_with(called) and called in methods
                ):
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


def _reached(tree: ast.AST, *, few: bool) -> Iterator[ast.AST]:
    """The nodes that running a module, or a statement, evaluates at most once, or a ``few`` times."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ALL_SCOPES) or (isinstance(node, _LOOPS) and not (few and _is_brief(node))):
            continue
        yield node
        stack.extend(children(node))


def _is_brief(loop: ast.AST) -> bool:
    """Whether a loop runs over what is written out."""
    return isinstance(loop, ast.For) and isinstance(loop.iter, ast.Tuple | ast.List)
