"""What a version rests on that the class of a call does not tell: the kinds of what its arguments hold.

The statements of ``self.motor.update(u)`` are those of the motor's class, ``self.grid.t`` may be a property
of another class than the grid's, and a function that is handed on may see another one. An object may hold a
function under the name of a method.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

from nprewrite.decorated.flag_class import left_out
from nprewrite.decorated.own_attributes import own
from nprewrite.decorated.turns import class_of
from nprewrite.types.values import ELEMENT, Callee, Instance, Value

P = ParamSpec("P")
R = TypeVar("R")
Path = tuple[str, ...]


class InnerKinds:
    """The kinds of objects and functions inside the arguments of a function, and of globals that it uses."""

    def __init__(self, function: Callable[..., Any], given: Mapping[str, Value]) -> None:
        self._function = function
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self._positional = code.co_argcount
        self._paths = [
            (names.index(name) if name in names else None, name, path, methods)
            for name, value in given.items()
            for path, methods in _paths(value, is_inside=name not in names)
        ]

    def __bool__(self) -> bool:
        return bool(self._paths)

    def of(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The kinds for a call; None where there is nothing by now."""
        return tuple([self._kind(*each, args, kwargs) for each in self._paths])

    def _kind(
        self,
        index: int | None,
        name: str,
        path: Path,
        methods: frozenset[str],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Any:
        try:
            value = self._root(index, name, args, kwargs)
            for step in path:
                if step == ELEMENT:
                    value = _one_of(value)
                    continue
                value = value[ast.literal_eval(step)] if not step.isidentifier() else getattr(value, step)
            hidden = own(value, methods)
        except (AttributeError, LookupError, TypeError, ValueError):
            return None
        return (class_of(value), *sorted(hidden)) if hidden else class_of(value)

    def _root(self, index: int | None, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if index is None:
            return self._function.__globals__[name]
        if index < min(len(args), self._positional):
            return args[index]
        return left_out(self._function, index, name, kwargs)


def _one_of(objects: Any) -> Any:
    """An object of a list, if all are of one class."""
    return objects[0] if len({*map(type, objects)}) == 1 else None


def _paths(value: Value, *before: str, is_inside: bool) -> Iterator[tuple[Path, frozenset[str]]]:
    """Where a value holds objects, with the names of their methods, and functions.

    The argument itself has a class of its own.
    """
    if isinstance(value, Instance):
        if value.methods or (is_inside and value.kind.__module__ != "builtins"):
            yield before, frozenset(name for name, _ in value.methods)
        for name, each in value.attributes:
            yield from _paths(each, *before, name, is_inside=True)
    elif isinstance(value, Callee):
        if is_inside:
            yield before, frozenset()
        for number, (_, each) in enumerate(value.variables):
            # The class of a method tells that of its object.
            yield from _paths(each, *before, *value.path(number), is_inside=is_inside or not value.bound)


def guarded(
    function: Callable[P, R],
    inner: InnerKinds,
    expected: tuple[Any, ...],
    otherwise: Callable[[tuple[Any, ...], Mapping[str, Any]], R],
) -> Callable[P, R]:
    """A function that runs calls in which the inner kinds are the expected ones; others go another way."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if inner.of(args, kwargs) == expected:
            return function(*args, **kwargs)
        return otherwise(args, kwargs)

    return call
