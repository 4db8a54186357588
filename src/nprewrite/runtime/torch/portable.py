"""A step function as bytes from which another process of the same Python makes the same function.

What is sent is the function's code, never its module: the module may be the user's script, which must not
run twice, and may exist in memory only. Its names are given as modules and functions of NumPy, Python and
nprewrite, or as further functions of the user's that are sent in the same way.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import importlib
import marshal
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from nprewrite.base.code_objects import changed_code, codes_in

LIBRARIES = frozenset({"builtins", "cmath", "math", "nprewrite", "numpy", "operator", "_operator"})
"""Packages whose modules and functions are found by name in any process."""
_CONSTANTS = ("pi", "e", "tau", "inf", "nan", "euler_gamma")
_DEEPEST = 16
"""How deep functions that call functions are followed, counted from the step."""


class NotPortable(Exception):
    """The function uses something that another process cannot have; the message says what."""


@dataclass(frozen=True)
class Library:
    """A module, or the value of that name in it."""

    module: str
    name: str | None


@dataclass(frozen=True)
class Portable:
    """A function's marshalled code and what its names stand for; equal for functions that do the same."""

    name: str
    code: bytes
    names: tuple[tuple[str, Library | Portable], ...]
    cells: tuple[Library | Portable, ...]
    defaults: tuple[Any, ...]

    def digest(self) -> str:
        """A name for the function, the same in every process for the same text."""
        return hashlib.sha256(repr(self).encode()).hexdigest()


def pack(function: Callable[..., Any]) -> Portable:
    """``function`` without its module. Raises ``NotPortable``."""
    packed = _pack(function, 0)
    _check_names(packed, {})
    return packed


def unpack(portable: Portable, module: types.ModuleType) -> types.FunctionType:
    """The function, with its names defined in ``module``, where they replace what was there."""
    for name, value in portable.names:
        setattr(module, name, _found(value, module))
    code: types.CodeType = marshal.loads(portable.code)
    cells = tuple(types.CellType(_found(value, module)) for value in portable.cells)
    names = vars(module)
    # Dynamo asks for ``__builtins__``; a module that was never run has none.
    names.setdefault("__builtins__", builtins)
    function = types.FunctionType(code, names, portable.name, portable.defaults or None, cells or None)
    # A saved graph holds the function by its code.
    function.__qualname__ = f"unpack.<locals>.{portable.name}"
    function.__module__ = module.__name__
    return function


def _pack(function: Callable[..., Any], depth: int) -> Portable:
    if not isinstance(function, types.FunctionType) or function.__kwdefaults__:
        raise NotPortable(f"{function!r} is not a plain Python function")
    if depth > _DEEPEST:
        raise NotPortable(f"{function.__qualname__!r} calls itself")
    names = sorted({name for name in _globals_of(function.__code__) if name in function.__globals__})
    defaults = function.__defaults__ or ()
    if any(type(each) not in (bool, int, float, complex, str, type(None)) for each in defaults):
        raise NotPortable(f"{function.__qualname__!r} has defaults that are no numbers")
    return Portable(
        function.__name__,
        marshal.dumps(_without_places(function.__code__), 2),
        tuple((name, _described(name, function.__globals__[name], depth)) for name in names),
        tuple(_described("a variable", cell.cell_contents, depth) for cell in function.__closure__ or ()),
        defaults,
    )


def _check_names(portable: Portable, known: dict[str, Library | Portable]) -> None:
    """Raise ``NotPortable`` where a name means different things in a function and in one that it calls."""
    for name, value in portable.names:
        if known.setdefault(name, value) != value:
            raise NotPortable(f"{name!r} means two things in the functions that it calls")
    called = [*(value for _, value in portable.names), *portable.cells]
    for each in called:
        if isinstance(each, Portable):
            _check_names(each, known)


def _described(name: str, value: object, depth: int) -> Library | Portable:
    if isinstance(value, types.ModuleType) and _is_library(value.__name__):
        return Library(value.__name__, None)
    for module, attribute in _homes(value):
        if _is_library(module) and getattr(importlib.import_module(module), attribute, None) is value:
            return Library(module, attribute)
    if isinstance(value, types.FunctionType):
        return _pack(value, depth + 1)
    raise NotPortable(f"it reads {name!r}, which is {type(value).__name__} and no function of NumPy")


def _homes(value: object) -> Iterator[tuple[str, str]]:
    """The modules and names under which a value may be found; ufuncs and numbers do not tell their own."""
    if type(value) is float:
        yield from product(("math", "numpy"), _CONSTANTS)
    name = getattr(value, "__name__", None)
    if isinstance(name, str):
        yield from ((module, name) for module in (getattr(value, "__module__", None) or "numpy", "numpy"))


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in LIBRARIES


def _found(value: Library | Portable, module: types.ModuleType) -> Any:
    if isinstance(value, Portable):
        return unpack(value, module)
    home = importlib.import_module(value.module)
    return home if value.name is None else getattr(home, value.name)


def _globals_of(code: types.CodeType) -> Iterator[str]:
    for each in codes_in(code):
        yield from (
            str(instruction.argval)
            for instruction in dis.get_instructions(each)
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        )


def _without_places(code: types.CodeType) -> types.CodeType:
    """The same code without its file and lines, which change when the user edits the text above it, and
    without the function around it, which is another one for each way in which a program is loaded."""

    def without(each: Any) -> Any:
        if not isinstance(each, types.CodeType):
            return each
        return each.replace(
            co_filename="<step>", co_firstlineno=1, co_linetable=b"", co_qualname=each.co_name
        )

    return changed_code(code, without)
