"""The names into whose elements a function of loops may store, under whatever other name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from nprewrite.base.syntax import is_new_axis, items_of, name_nodes, names_bound, root_name, walk


class Stores:
    """What the text of a function says of its stores."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self._tree = tree

    def among(self, given: Mapping[str, Any]) -> frozenset[str]:
        """Names into whose elements the loop may store, given these arguments."""
        views = [
            (name, base)
            for name, value in self._views
            if (base := root_name(value)) is not None and not _is_element(value, given.get(base))
        ]
        stores = {*self._changed}
        while found := {base for name, base in views if name in stores} - stores:
            stores |= found
        return frozenset(stores)

    @cached_property
    def _changed(self) -> frozenset[str]:
        """Names into whose elements the loop stores, or that it changes in place."""
        nodes = [*walk(self._tree)]
        targets: list[ast.expr] = [each for each in nodes if isinstance(each, ast.Subscript)]
        stored = [each for each in targets if isinstance(each.ctx, ast.Store)]  # type: ignore[attr-defined]
        stored += [each.target for each in nodes if isinstance(each, ast.AugAssign)]
        return frozenset(name for each in stored if (name := root_name(each)) is not None)

    @cached_property
    def _views(self) -> tuple[tuple[str, ast.expr], ...]:
        """Names, each with what it may be a view of: ``row = x[i]``, ``a, b = b, a``."""
        return tuple(_assigned(self._tree))


def _assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that assignments bind, with each value that they may stand for."""
    for each in walk(tree):
        if not isinstance(each, ast.Assign | ast.For):
            continue
        if isinstance(each, ast.For):
            # A row of an array that a loop runs over is a view of it.
            named = [*name_nodes(each.iter)]
            if all(part.id != "range" for part in named):
                rows = [ast.Subscript(part, ast.Constant(0), ast.Load()) for part in named]
                yield from product(names_bound(each.target), rows)
            continue
        values = each.value.elts if isinstance(each.value, ast.Tuple | ast.List) else [each.value]
        yield from product(names_bound(*each.targets), values)


def _is_element(node: ast.expr, argument: object) -> bool:
    """Whether ``x[i, j]`` is a number: it has an index for each axis."""
    count = 0
    while isinstance(node, ast.Subscript):
        parts = items_of(node)
        if any(isinstance(each, ast.Slice) or is_new_axis(each) for each in parts):
            return False
        count, node = count + len(parts), node.value
    return isinstance(argument, np.ndarray) and count == argument.ndim
