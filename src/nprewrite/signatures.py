"""What is known of a function's arguments at a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from nprewrite.facts.values import Array, Callee, Scalar, Value, kind_of, python_kind


@dataclass(frozen=True)
class Signature:
    """The types of the arguments of one call, by parameter name; hashable.

    Two arrays of the same shape have the same symbolic shape in it, so that a function called with other
    relations between its arguments' shapes is rewritten anew.
    """

    values: tuple[tuple[str, Value], ...]


def signature_of(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Signature | None:
    """The signature of a call; None where the arguments do not fit, so that the call itself raises."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    shapes: dict[tuple[int, ...], str] = {}
    values = []
    for name, argument in bound.arguments.items():
        value = _callee(argument, function) or _value(name, argument, shapes)
        if value is not None:
            values.append((name, value))
    return Signature(tuple(values))


def _callee(argument: object, function: Callable[..., Any]) -> Callee | None:
    """A function of the called function's own module, found there under its name."""
    if not isinstance(argument, FunctionType):
        return None
    name, home = argument.__name__, getattr(function, "__globals__", {})
    return Callee(name) if home.get(name) is argument else None


def _value(name: str, argument: object, shapes: dict[tuple[int, ...], str]) -> Value | None:
    kind = python_kind(argument)
    if kind is not None:
        return Scalar(kind, symbol=f"{name}@parameter")
    if type(argument) is np.ndarray and argument.dtype.isnative and argument.ndim:
        stem = shapes.setdefault(argument.shape, name)
        return Array(argument.dtype, tuple(f"{stem}.{axis}" for axis in range(argument.ndim)))
    number = kind_of(argument.dtype) if isinstance(argument, np.generic) else None
    if isinstance(argument, np.generic) and number is not None:
        return Scalar(number, argument.dtype, symbol=f"{name}@parameter")
    return None
