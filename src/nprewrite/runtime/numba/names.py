"""What the names in a user's function stand for when it runs."""

from __future__ import annotations

import ast
import builtins
import collections
import math
import sys
import types
import warnings
from collections.abc import Callable
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
_LOADED_LATE = ("numpy.random", "random", "cmath", "itertools")
"""Modules that nprewrite does not import: a program that uses them has."""


def resolver(function: Callable[..., Any]) -> Callable[[ast.expr], str | None]:
    """A function that gives the full name of an expression: ``math.sqrt``, ``numpy.abs``, ``builtins.abs``.

    It returns None for what belongs neither to the modules above nor to NumPy.
    """
    modules = {**_MODULES, **{sys.modules[each]: each for each in _LOADED_LATE if each in sys.modules}}
    names: dict[str, Any] = getattr(function, "__globals__", {})

    def module_of(node: ast.expr) -> types.ModuleType | None:
        if isinstance(node, ast.Attribute):
            found = getattr(module_of(node.value), node.attr, None)
        else:
            found = names.get(node.id) if isinstance(node, ast.Name) else None
        return found if isinstance(found, types.ModuleType) else None

    def resolve(node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            module = module_of(node.value)
            known = modules.get(module) if module is not None else None
            return f"{known}.{node.attr}" if known is not None else None
        if not isinstance(node, ast.Name):
            return None
        if node.id not in names:
            return f"builtins.{node.id}" if hasattr(builtins, node.id) else None
        return _named(names[node.id], modules)

    return resolve


def _named(value: object, modules: dict[types.ModuleType, str]) -> str | None:
    """The name of what was imported by itself: ``from math import sqrt, pi``."""
    if isinstance(value, float):
        named = ((known, vars(module).items()) for module, known in modules.items())
        return next((f"{known}.{name}" for known, each in named for name, one in each if one is value), None)
    if isinstance(value, np.ufunc) or (isinstance(value, type) and issubclass(value, np.generic)):
        return f"numpy.{value.__name__}"
    name = getattr(value, "__name__", None)
    for module, known in modules.items():
        if isinstance(name, str) and getattr(module, name, None) is value:
            return f"{known}.{name}"
    return None
