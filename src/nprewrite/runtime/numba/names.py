"""What the names in a user's function stand for when it runs."""

from __future__ import annotations

import ast
import builtins
import collections
import math
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

_MODULES = {
    np: "numpy",
    np.linalg: "numpy.linalg",
    math: "math",
    builtins: "builtins",
    collections: "collections",
    warnings: "warnings",
}
_OWNERS = frozenset(
    ("builtins", "cmath", "collections", "heapq", "itertools", "math", "numpy", "random", "scipy", "warnings")
)
_LOADED_LATE = ("heapq", "numpy.random", "random", "cmath", "itertools", "scipy.special", "scipy.stats")
"""Modules that nprewrite does not import: a program that uses them has."""


class Resolved:
    """What attributes of modules stood for when they were resolved.

    A program may replace them, to count the calls of ``np.dot``, say.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, str], object] = {}

    def of(self, module: Any, name: str) -> bool:
        """Note what an attribute stands for; returns whether that is the module's own."""
        value = getattr(module, name, None)
        self._seen[module, name] = value
        return (
            not isinstance(value, types.FunctionType) or (value.__module__ or "").partition(".")[0] in _OWNERS
        )

    def replaced(self) -> str | None:
        """The full name of one that stands for something else by now."""
        # Another thread may resolve further ones.
        for (module, name), value in [*self._seen.items()]:
            if not _is_same(getattr(module, name, None), value):
                return f"{getattr(module, '__name__', 'scipy.stats.norm')}.{name}"
        return None


def resolver(
    function: Callable[..., Any],
    noted: Resolved | None = None,
    imported: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[[ast.expr], str | None]:
    """A function that gives the full name of an expression: ``math.sqrt``, ``numpy.abs``, ``builtins.abs``.

    It returns None for what belongs neither to the modules above nor to NumPy. ``noted`` keeps what the
    names stand for; those that the function has ``imported`` itself hide others.
    """
    noted = noted or Resolved()
    modules = _owners()
    names: Mapping[str, Any] = getattr(function, "__globals__", {})
    if imported:
        names = collections.ChainMap({**imported}, function.__globals__)

    def module_of(node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute):
            found = getattr(module_of(node.value), node.attr, None)
        else:
            found = names.get(node.id) if isinstance(node, ast.Name) else None
        return found if isinstance(found, types.ModuleType) or _is_normal(found) else None

    def resolve(node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            module = module_of(node.value)
            known = modules.get(module) if module is not None else None
            if module is None or known is None or not noted.of(module, node.attr):
                return None
            return f"{known}.{node.attr}"
        if not isinstance(node, ast.Name):
            return None
        if node.id not in names:
            is_builtin = hasattr(builtins, node.id) and noted.of(builtins, node.id)
            return f"builtins.{node.id}" if is_builtin else None
        return _named(names[node.id], modules)

    return resolve


def _is_same(value: object, other: object) -> bool:
    """Whether two attributes are one; a bound method is a new object each time."""
    return value is other or (isinstance(value, types.MethodType) and value == other)


def _owners() -> dict[Any, str]:
    """The modules whose functions are known, and SciPy's normal distribution, with their full names."""
    found = {**_MODULES, **{sys.modules[each]: each for each in _LOADED_LATE if each in sys.modules}}
    normal = _normal()
    return found if normal is None else {**found, normal: "scipy.stats.norm"}


def _normal() -> object:
    return getattr(sys.modules.get("scipy.stats"), "norm", None)


def _is_normal(value: object) -> bool:
    return value is not None and value is _normal()


def _named(value: object, modules: dict[Any, str]) -> str | None:
    """The name of what was imported by itself: ``from math import sqrt, pi``."""
    if isinstance(value, float):
        named = ((known, vars(module).items()) for module, known in modules.items())
        return next((f"{known}.{name}" for known, each in named for name, one in each if one is value), None)
    if isinstance(value, type) and issubclass(value, np.generic):
        return f"numpy.{value.__name__}"
    name = getattr(value, "__name__", None)
    for module, known in modules.items():
        if isinstance(name, str) and getattr(module, name, None) is value:
            return f"{known}.{name}"
    return None
