"""What is known of an object that a function gets: its attributes that are plain data, and its methods."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from nprewrite.decorated.original import as_written
from nprewrite.types.values import Instance, generator_of, value_of

_NO_STATE = (
    *(type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType),
    np.ndarray,
)


def instance_of(argument: object, name: str, function: Callable[..., Any]) -> Instance | None:
    """The argument ``name`` of a call of ``function``; None for an object that customizes attribute access.

    Properties, slots, ``__getattr__`` and ``__setattr__`` may do anything when an attribute is used.
    """
    kind = type(argument)
    if kind.__getattribute__ is not object.__getattribute__ or kind.__setattr__ is not object.__setattr__:
        return None
    if issubclass(kind, _NO_STATE) or not isinstance(getattr(argument, "__dict__", None), dict):
        return None
    state, methods, used = vars(argument), _methods(kind, function), _used_names(kind, function)
    attributes = []
    for each in sorted(used & state.keys()):
        value = value_of(state[each], f"{name}.{each}@parameter") or generator_of(state[each])
        if value is not None and not inspect.isdatadescriptor(inspect.getattr_static(kind, each, None)):
            attributes.append((each, value))
    return Instance(kind, tuple(attributes), methods)


def _methods(kind: type, function: Callable[..., Any]) -> tuple[tuple[str, int], ...]:
    """The methods, of the same file, that ``function`` and the methods that it calls may call."""
    found: dict[str, int] = {}
    pending = [function.__code__]
    while pending:
        for name in names_in(pending.pop()) - found.keys():
            method = inspect.getattr_static(kind, name, None)
            plain = as_written(method)
            if plain is not None and plain.__code__.co_filename == function.__code__.co_filename:
                found[name] = plain.__code__.co_firstlineno
                pending.append(plain.__code__)
    return tuple(sorted(found.items()))


def _used_names(kind: type, function: Callable[..., Any]) -> frozenset[str]:
    """The attributes that ``function`` and those methods may use."""
    names = names_in(function.__code__)
    return frozenset(names.union(*(names_in(code) for code in codes_of_methods(kind, function))))


def codes_of_methods(kind: type, function: Callable[..., Any]) -> list[types.CodeType]:
    """The code of the methods of a class that ``function`` may call, directly or through others."""
    found = (inspect.getattr_static(kind, name) for name, _ in _methods(kind, function))
    return [each.__code__ for each in found]


def names_in(code: types.CodeType) -> set[str]:
    """The names of globals and attributes in a function and in those defined inside it."""
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(*(names_in(each) for each in inner))
