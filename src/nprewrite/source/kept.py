"""Answers that are needed repeatedly, kept as long as the tree or function that they are about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from nprewrite.base.syntax import name_nodes, names_in, stored_names, walk

K = TypeVar("K")
T = TypeVar("T")


def kept(function: Callable[[K], T]) -> Callable[[K], T]:
    """``function``, evaluated once for each object, which must not change.

    The answer must not refer to the object, which would then live for ever; it may refer to what is inside
    it.
    """
    answers: WeakKeyDictionary[K, T] = WeakKeyDictionary()

    @wraps(function)
    def answer(about: K) -> T:
        try:
            return answers[about]
        except KeyError:
            return answers.setdefault(about, function(about))

    return answer


@kept
def names_read(tree: ast.AST) -> frozenset[str]:
    """The names that a tree reads or deletes, also in ``x += 1`` and in the scopes inside it."""
    found = set[str]()
    for each in walk(tree):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store):
            found.add(each.id)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.add(each.target.id)
    return frozenset(found)


@kept
def names_mentioned(tree: ast.AST) -> frozenset[str]:
    """The names that occur anywhere in a tree."""
    return frozenset(names_in(tree))


@kept
def names_in_scope(scope: ast.AST) -> Mapping[str, Sequence[ast.Name]]:
    """Where each name occurs in a function or module, and in the scopes inside it."""
    found: dict[str, list[ast.Name]] = {}
    for each in name_nodes(scope):
        found.setdefault(each.id, []).append(each)
    return found


@kept
def names_stored(tree: ast.AST) -> frozenset[str]:
    """The names that a tree binds, changes with ``+=`` or deletes, also in the scopes inside it."""
    return frozenset(stored_names(tree))


@kept
def names_deleted(tree: ast.AST) -> frozenset[str]:
    """The names that a tree deletes."""
    return frozenset(each.id for each in name_nodes(tree) if isinstance(each.ctx, ast.Del))


@kept
def names_declared(scope: ast.AST) -> frozenset[str]:
    """The names that a scope, or one inside it, declares global or nonlocal."""
    declared = (each for each in walk(scope) if isinstance(each, ast.Global | ast.Nonlocal))
    return frozenset(name for each in declared for name in each.names)
