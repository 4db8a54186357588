"""Further names for objects that a function reaches: after ``g = self.grid``, ``g.u`` is ``self.grid.u``.

self.grid = Grid(8)        another object is there by then
refresh(self)              and so it may be after a call of a function of somebody's
if new: g = self.grid      the name may have no value, and using it raises
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from nprewrite.base.syntax import blocks, name_nodes, walk
from nprewrite.numpy_api.effects import calls_back
from nprewrite.numpy_api.methods import is_method
from nprewrite.numpy_api.python import python_function
from nprewrite.numpy_api.random import RANDOM
from nprewrite.source.names import ALL_SCOPES

Path = tuple[str, ...]
"""A name, and the attributes that lead on from it; for an entry, the literal for it as ``repr`` has it."""

_OF_CONTAINERS = frozenset(("append", "clear", "extend", "get", "insert", "items", "keys", "pop", "values"))
_LEAVES = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncWith, ast.AsyncFor)
_OF_LIBRARIES = ("numpy.", "math.", "cmath.", "time.", "random.")


class ObjectNames:
    """The names that a function binds once, to an object that it reaches by attributes.

    ``path_of`` spells expressions as paths, ``is_object`` tells those that lead to objects, and ``dotted``
    what the names of functions mean.
    """

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        path_of: Callable[[ast.expr], Path | None],
        is_object: Callable[[Path], bool],
        dotted: Callable[[ast.expr], str | None],
    ) -> None:
        self._path_of = path_of
        self._is_object = is_object
        self._dotted = dotted
        nodes = [*walk(node)]
        names = [each for each in nodes if isinstance(each, ast.Name)]
        self._bound = Counter(each.id for each in names if not isinstance(each.ctx, ast.Load))
        self._read = Counter(each.id for each in names if isinstance(each.ctx, ast.Load))
        attributes = (each for each in nodes if isinstance(each, ast.Attribute))
        self._stored = {each.attr for each in attributes if not isinstance(each.ctx, ast.Load)}
        self._declared = {
            name for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names
        }
        self.paths: dict[str, Path] = {}
        """What each of them stands for."""
        self._look_into(node)

    def canonical(self, path: Path) -> Path:
        """The path without such names."""
        return (*self.paths.get(path[0], path[:1]), *path[1:])

    def _look_into(self, node: ast.AST) -> None:
        for block in blocks(node):
            for position, statement in enumerate(block):
                self._look_at(statement, block[position + 1 :])
                if not isinstance(statement, ALL_SCOPES):
                    self._look_into(statement)

    def _look_at(self, statement: ast.stmt, after: list[ast.stmt]) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if path := self._path_of(value):
                path = self.canonical(path)
            case _:
                return
        if self._bound[name] > 1 or name in self._declared:
            return
        stays = path[0] not in self._bound and self._stored.isdisjoint(path[1:]) and _is_of_attributes(path)
        everywhere = sum(each.id == name for each in name_nodes(*after)) == self._read[name]
        if self._is_object(path) and stays and everywhere and not any(map(self._may_rebind, after)):
            self.paths[name] = path

    def _may_rebind(self, statement: ast.stmt) -> bool:
        """Whether a statement may run code of somebody's that gives an object another attribute."""
        nodes = [*walk(statement)]
        managers = (each.context_expr for each in nodes if isinstance(each, ast.withitem))
        leaves = any(isinstance(each, _LEAVES) for each in nodes)
        leaves = leaves or not all(isinstance(each, ast.Call) for each in managers)
        return leaves or any(self._is_foreign(each) for each in nodes if isinstance(each, ast.Call))

    def _is_foreign(self, call: ast.Call) -> bool:
        dotted = self._dotted(call.func)
        if dotted is not None and not dotted.startswith("."):
            known = dotted.startswith(_OF_LIBRARIES) or python_function(dotted) is not None
            return not known or calls_back(dotted.removeprefix("numpy."))
        if not isinstance(call.func, ast.Attribute):
            return True
        name, path = call.func.attr, self._path_of(call.func.value)
        if path is not None and self._is_object(self.canonical(path)):
            return True
        return not (is_method(name) or name in _OF_CONTAINERS or name in RANDOM)


def _is_of_attributes(path: Path) -> bool:
    """Whether no step is an entry of a container, which ``table[key] = x`` may exchange."""
    return all(step.isidentifier() or before == "__closure__" for before, step in pairwise(path))
