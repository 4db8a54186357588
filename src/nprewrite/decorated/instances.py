"""What is known of an object that a function gets: its attributes that are plain data, and its methods.

An entry of a dictionary or a tuple, which the text names by a literal, is known like an attribute.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nprewrite.decorated.original import as_written
from nprewrite.types.values import Instance, Value, generator_of, value_of

_NO_STATE = (
    *(type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType),
    np.ndarray,
)
_FIELD = type(inspect.getattr_static(inspect.FullArgSpec, "args"))
"""What a named tuple has in its class for each of its fields."""
_MOST_ENTRIES = 64


def instance_of(argument: object, name: str, function: Callable[..., Any]) -> Instance | None:
    """The argument ``name`` of a call of ``function``; None for an object that customizes attribute access.

    Properties, slots, ``__getattr__`` and ``__setattr__`` may do anything when an attribute is used.
    """
    kind = type(argument)
    # Of an object that stands in for another, `isinstance` would ask what that is.
    if type(argument) is dict or (issubclass(kind, tuple) and _is_plain_tuple(kind)):
        entries = dict(sorted(_entries(argument, function)))
        return Instance(kind, tuple(_known(entries, name))) if entries else None
    plain = kind.__getattribute__ is object.__getattribute__ and kind.__setattr__ is object.__setattr__
    if not plain and kind is not types.SimpleNamespace:
        return None
    if issubclass(kind, _NO_STATE) or not isinstance(getattr(argument, "__dict__", None), dict):
        return None
    state, used = vars(argument), _used_names(kind, function)
    # An attribute of the object hides the method of its class.
    methods = tuple(each for each in _methods(kind, function) if each[0] not in state)
    attributes = {
        each: state[each]
        for each in sorted(used & state.keys())
        if not inspect.isdatadescriptor(inspect.getattr_static(kind, each, None))
    }
    return Instance(kind, tuple(_known(attributes, name)), methods)


def _known(attributes: Mapping[str, Any], owner: str) -> Iterator[tuple[str, Value]]:
    for name, each in attributes.items():
        value = value_of(each, f"{owner}.{name}@parameter") or generator_of(each)
        if value is not None:
            yield name, value


def _is_plain_tuple(kind: Any) -> bool:
    return kind.__getitem__ is tuple.__getitem__


def _entries(argument: Any, function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The entries that the function may name, by the literals for them, and the fields of a named tuple."""
    if len(argument) > _MOST_ENTRIES:
        return
    if isinstance(argument, dict):
        literals = set().union(*map(_strings_in, _codes(function)))
        for key, value in argument.items():
            if type(key) is int or (type(key) is str and key in literals):
                yield repr(key), value
        return
    for number in range(-len(argument), len(argument)):
        yield repr(number), argument[number]
    kind = type(argument)
    fields = getattr(kind, "_fields", ())
    # Most tuples have none, and this is done at each call until one side is kept.
    for name in set().union(*map(names_in, _codes(function))).intersection(fields) if fields else ():
        if type(inspect.getattr_static(kind, name, None)) is _FIELD:
            yield name, getattr(argument, name)


def _codes(function: Callable[..., Any]) -> list[types.CodeType]:
    """The code of a function, and of those of its module that it may call by their names."""
    found: dict[str, types.CodeType] = {}
    pending = [function.__code__]
    while pending:
        for name in names_in(pending.pop()) - found.keys():
            called = as_written(function.__globals__.get(name))
            if called is not None and called.__module__ == function.__module__:
                found[name] = called.__code__
                pending.append(called.__code__)
    return [function.__code__, *found.values()]


def _strings_in(code: types.CodeType) -> set[str]:
    """The strings that stand in a function and in those defined inside it."""
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    own = {each for each in code.co_consts if type(each) is str}
    return own.union(*(_strings_in(each) for each in inner))


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
    """The attributes that ``function``, those methods, and functions that it calls may use."""
    codes = [*_codes(function), *codes_of_methods(kind, function)]
    return frozenset(set().union(*map(names_in, codes)))


def codes_of_methods(kind: type, function: Callable[..., Any]) -> list[types.CodeType]:
    """The code of the methods of a class that ``function`` may call, directly or through others."""
    found = (inspect.getattr_static(kind, name) for name, _ in _methods(kind, function))
    return [each.__code__ for each in found]


def names_in(code: types.CodeType) -> set[str]:
    """The names of globals and attributes in a function and in those defined inside it."""
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(*(names_in(each) for each in inner))
