"""What is known of an object that a function gets: its attributes that are plain data, and its methods.

An entry of a dictionary or a tuple, which the text names by a literal, is known like an attribute.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nprewrite.base.code_objects import codes_in
from nprewrite.decorated.original import as_written
from nprewrite.decorated.own_attributes import as_method, in_class, is_in_class, is_plain, own
from nprewrite.types.attributes import NO_CHAINS, Chains
from nprewrite.types.values import (
    ELEMENT,
    Absent,
    Callee,
    Instance,
    Value,
    generator_of,
    numbers_of,
    value_of,
)

_FIELD = type(inspect.getattr_static(inspect.FullArgSpec, "args"))
"""What a named tuple has in its class for each of its fields."""
_MOST_ENTRIES = 64
_MOST_ARRAYS = 32
_CHANGING = frozenset(("append", "extend", "insert", "pop", "remove", "clear"))
"""What changes the length of a list: the types of one that grows would be others at each call."""


FunctionHeld = Callable[[object, str, Callable[..., Any], Chains], Callee | None]
"""What is known of a function that an object holds."""


def instance_of(
    argument: object,
    name: str,
    function: Callable[..., Any],
    chains: Chains = NO_CHAINS,
    function_held: FunctionHeld = lambda *_: None,
) -> Instance | None:
    """The argument ``name`` of a call of ``function``; None for an object that customizes attribute access.

    Properties, slots, ``__getattr__`` and ``__setattr__`` may do anything when an attribute is used. Of
    objects that it holds, what the ``chains`` of the text take of them is known.
    """
    kind, file = type(argument), function.__code__.co_filename
    text = _Text(function, chains, function_held)
    if kind is type:
        return _held_by(argument, name, _used_names(function), text)
    if _is_container(kind):
        steps = _literals(argument, name, function, chains)
        return _held_by(argument, name, steps, text)
    if not is_plain(argument):
        return None
    used = _used_names(function, kind)
    inside = _kinds_inside(own(argument, used).values())
    held = _held_by(argument, name, _used_names(function, kind, *inside) if inside else used, text)
    attributes = held.attributes if held is not None else ()
    spelt = tuple((_as_spelt(name, function), value) for name, value in attributes)
    lines = _lines_of_methods(argument, names_in(function.__code__), file)
    return Instance(kind, spelt, tuple((_as_spelt(name, function), line) for name, line in lines))


_CALL = frozenset(("__call__",))
"""The method of objects that are called themselves, which no text names."""


def _lines_of_methods(value: object, names: Iterable[str], file: str) -> tuple[tuple[str, int], ...]:
    """The lines of the methods, of the same file, to which some names lead."""
    methods = _methods(type(value), _CALL.union(names), file)
    # An attribute of the object hides the method of its class.
    hidden = own(value, methods)
    return tuple((name, methods[name].__code__.co_firstlineno) for name in sorted(methods.keys() - hidden))


def _lines_of_static_methods(kind: type, names: Iterable[str], file: str) -> tuple[tuple[str, int], ...]:
    """The lines of those methods of a class, of the same file, that get no object."""
    found = _methods(kind, names, file)
    static = sorted(name for name in found if isinstance(in_class(kind, name), staticmethod))
    return tuple((name, found[name].__code__.co_firstlineno) for name in static)


def _as_spelt(name: str, function: Callable[..., Any]) -> str:
    """``__k`` for ``_Field__k``, which the text of a class calls so."""
    owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2].lstrip("_")
    return name.removeprefix(f"_{owner}") if owner and name.startswith(f"_{owner}__") else name


def globals_of(
    function: Callable[..., Any],
    chains: Chains,
    arguments: Mapping[str, Any],
    function_held: FunctionHeld,
) -> Iterator[tuple[str, Instance]]:
    """What is known of objects and dictionaries of the module, and of modules beside it, that a call uses."""
    home = function.__globals__
    held = {name: home[name] for name in chains.of_names.keys() & home.keys() - arguments.keys()}
    held = {name: each for name, each in held.items() if _holds_settings(each, home)}
    if not held:
        return
    kinds = {type(each) for each in arguments.values() if is_plain(each)}
    text = _Text(function, chains, function_held)
    for name in sorted(held.keys() & _used_names(function, *kinds)):
        found = _held_by(held[name], name, chains.of_names[name], text)
        if found is not None:
            yield name, found


def variables_read(names: Iterable[str], function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The variables of a function's module among some names, and in functions of it to which they lead."""
    home = function.__globals__
    reached = _reached(names, lambda name: _of_module(name, function)).values()
    for name in sorted({*names}.union(*(names_in(each.__code__) for each in reached)) & home.keys()):
        yield name, home[name]


def _holds_settings(value: Any, home: Mapping[str, Any]) -> bool:
    """Whether a global is a container, an object, a class, or a module of the same people."""
    kind = type(value)
    if kind is types.ModuleType:
        file, own = vars(value).get("__file__"), home.get("__file__")
        return isinstance(file, str) and isinstance(own, str) and _folder(file) == _folder(own)
    return kind is type or _is_container(kind) or is_plain(value)


@functools.lru_cache
def _folder(file: str) -> str:
    return os.path.dirname(os.path.abspath(file))


@dataclass(frozen=True)
class _Text:
    """The function whose text takes attributes and entries, and what tells of functions among them."""

    function: Callable[..., Any]
    chains: Chains
    function_held: FunctionHeld

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    def callee(self, value: Any, name: str) -> Callee | None:
        """A function that sees no variables of another one."""
        found = self.function_held(value, name, self.function, self.chains) if callable(value) else None
        return found if found is not None and not found.variables else None


def _held_by(value: Any, name: str, steps: frozenset[str], text: _Text, depth: int = 2) -> Instance | None:
    """What is known of those attributes, entries and methods of a value that a text takes of it."""
    kind = type(value)
    lines: tuple[tuple[str, int], ...] = ()
    if kind is dict:
        keys = {step: _key(step) for step in steps}
        found = {step: value[key] for step, key in keys.items() if key is not None and key in value}
    elif kind is list and value and _is_object(value[0]):
        return _objects(value, name, text, depth)
    elif kind is list:
        found = _arrays_in(value, steps)
    elif _is_container(kind):
        found = dict(_items(value, steps))
    elif kind is types.ModuleType:
        found = {step: vars(value)[step] for step in steps & vars(value).keys()}
    elif kind is type:
        kind, found = value, _of_class(value, steps)
        lines = _lines_of_static_methods(value, steps, text.file)
    elif is_plain(value):
        lines = _lines_of_methods(value, steps, text.file)
        found = _attributes(value, steps.union(*map(names_in, codes_of_methods(kind, steps, text.file))))
    else:
        return None
    known = tuple(_known(dict(sorted(found.items())), name, text, depth))
    return Instance(kind, known, lines) if known or lines else None


@functools.lru_cache(4096)
def _key(step: str) -> int | str | None:
    """The literal by which a text takes an entry of a dictionary; None for the name of an attribute."""
    if not step.startswith(("'", '"', "-")) and not step.isdecimal():
        return None
    found = ast.literal_eval(step)
    return found if isinstance(found, int | str) else None


def _is_object(value: Any) -> bool:
    return is_plain(value) and not isinstance(value, types.FunctionType | types.ModuleType | type)


def _objects(value: list[Any], name: str, text: _Text, depth: int) -> Instance | None:
    """What is known of the objects of one class in a list, of which the first one shows what they hold."""
    kind = type(value[0])
    if depth < 1 or len({*map(type, value)}) != 1:
        return None
    names = frozenset([*vars(value[0]), *(each for base in kind.__mro__[:-1] for each in vars(base))])
    held = _held_by(value[0], f"{name}.{ELEMENT}", names, text, depth - 1)
    return Instance(list, ((ELEMENT, held),)) if held is not None else None


def _arrays_in(value: list[Any], steps: frozenset[str]) -> dict[str, Any]:
    """The items of a short list of arrays whose length nothing changes, by the literals for them.

    Where a loop names them by its variable, it is to be written out.
    """
    if len(value) > _MOST_ARRAYS or steps & _CHANGING or any(type(each) is not np.ndarray for each in value):
        return {}
    return {repr(number): value[number] for number in range(-len(value), len(value))}


def _attributes(value: Any, names: frozenset[str]) -> dict[str, Any]:
    """Those attributes of a plain object that are data, of its class too."""
    kind = type(value)
    found = own(value, [each for each in names if not inspect.isdatadescriptor(in_class(kind, each))])
    return dict(sorted({**_of_class(kind, names - found.keys()), **found}.items()))


def _of_class(kind: type, names: Iterable[str]) -> dict[str, Any]:
    """The attributes of a class that are data."""
    found = {each: in_class(kind, each) for each in names if is_in_class(kind, each)}
    return {name: each for name, each in found.items() if not hasattr(type(each), "__get__")}


def _known(attributes: Mapping[str, Any], owner: str, text: _Text, depth: int) -> Iterator[tuple[str, Value]]:
    of_steps = text.chains.of_steps
    for name, each in attributes.items():
        symbol = f"{owner}.{name}@parameter"
        value = value_of(each, symbol) or generator_of(each) or numbers_of(each, symbol)
        value = Absent() if each is None else value or text.callee(each, f"{owner}.{name}")
        if depth and type(each) is list and each and _is_object(each[0]):
            value = _objects(each, f"{owner}.{name}", text, depth) or value
        elif depth and name in of_steps and (value is None or issubclass(type(each), list | dict)):
            value = _held_by(each, f"{owner}.{name}", of_steps[name], text, depth - 1) or value
        if value is not None:
            yield name, value


def _is_container(kind: Any) -> bool:
    """Whether the entries of a dictionary, list or tuple are what it holds."""
    # Of an object that stands in for another, `isinstance` would ask what that is.
    return kind in (dict, list) or (issubclass(kind, tuple) and kind.__getitem__ is tuple.__getitem__)


def _literals(argument: Any, name: str, function: Callable[..., Any], chains: Chains) -> frozenset[str]:
    """The literals by which the function may name entries of a container, and names of fields."""
    if isinstance(argument, list):
        return chains.of_names.get(name, frozenset())
    if len(argument) > _MOST_ENTRIES:
        return frozenset()
    if isinstance(argument, dict):
        numbers = (repr(key) for key in argument if type(key) is int)
        constants = (
            each for whole in _codes(function) for code in codes_in(whole) for each in code.co_consts
        )
        return frozenset([*numbers, *(repr(each) for each in constants if type(each) is str)])
    # Most tuples have no fields, and this is done at each call until one side is kept.
    names = _used_names(function) if hasattr(argument, "_fields") else ()
    return frozenset([*names, *map(repr, range(-len(argument), len(argument)))])


def _items(value: Any, steps: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The items of a tuple by the literals for them, and the fields of a named tuple."""
    kind, numbers = type(value), {repr(each): each for each in range(-len(value), len(value))}
    for step in steps:
        if step in numbers:
            yield step, value[numbers[step]]
        elif type(in_class(kind, step)) is _FIELD:
            yield step, getattr(value, step)


def _codes(function: Callable[..., Any]) -> list[types.CodeType]:
    """The code of a function, and of those of its module that it may call by their names."""
    reached = _reached(names_in(function.__code__), lambda name: _of_module(name, function))
    return [function.__code__, *(each.__code__ for each in reached.values())]


def _of_module(name: str, function: Callable[..., Any]) -> types.FunctionType | None:
    """The function of the same module that a name stands for."""
    called = as_written(function.__globals__.get(name))
    return called if called is not None and called.__module__ == function.__module__ else None


def _methods(kind: type, names: Iterable[str], file: str) -> dict[str, types.FunctionType]:
    """The methods of a class, of the same file, that have some names, or that these methods may call."""

    held: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        held.update(vars(each))

    def of_class(name: str) -> types.FunctionType | None:
        method = as_method(held[name]) if name in held else None
        return method if method is not None and method.__code__.co_filename == file else None

    return _reached(names, of_class)


def _reached(
    names: Iterable[str], called_by: Callable[[str], types.FunctionType | None]
) -> dict[str, types.FunctionType]:
    """What some names call, directly or through others, by its names."""
    found: dict[str, types.FunctionType] = {}
    seen: set[str] = set()
    pending = [frozenset(names)]
    while pending:
        further = pending.pop() - seen
        seen |= further
        for name in further:
            called = called_by(name)
            if called is not None:
                found[name] = called
                pending.append(names_in(called.__code__))
    return found


def _used_names(function: Callable[..., Any], *kinds: type) -> frozenset[str]:
    """The names in ``function``, in functions that it calls, and in those methods of some classes."""
    file = function.__code__.co_filename
    names = frozenset[str]().union(*map(names_in, _codes(function)))
    while True:
        codes = (code for kind in kinds for code in codes_of_methods(kind, names, file))
        further = names.union(*map(names_in, codes))
        if further == names:
            return names
        names = further


def _kinds_inside(values: Iterable[Any]) -> set[type]:
    """The classes of the objects among what an object holds, also in lists: a method of theirs may get it."""
    inside = (each[0] if type(each) is list and each else each for each in values)
    return {type(each) for each in inside if _is_object(each)}


def codes_of_methods(kind: type, names: Iterable[str], file: str) -> list[types.CodeType]:
    """The code of the methods of a class, of the same file, to which some names lead."""
    return [each.__code__ for each in _methods(kind, _CALL.union(names), file).values()]


@functools.lru_cache(maxsize=1024)
def names_in(code: types.CodeType) -> frozenset[str]:
    """The names of globals and attributes in a function and in those defined inside it."""
    return frozenset[str]().union(*(each.co_names for each in codes_in(code)))
