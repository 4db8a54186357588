"""What is known of a function's arguments at a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nprewrite.decorated.handed import handed
from nprewrite.decorated.instances import globals_of, instance_of
from nprewrite.types.attributes import Chains
from nprewrite.types.values import (
    Absent,
    Array,
    Literals,
    Unknown,
    Value,
    generator_of,
    python_kind,
    value_of,
    with_flag,
)

_CONVERTERS = frozenset(("array", "asarray"))
_SAMPLE = 16
"""So many numbers of a list, and so many rows, suggest what the others are."""


@dataclass(frozen=True)
class Signature:
    """The types of the arguments of one call, by parameter name, and of objects of the module; hashable.

    Arrays of the same shape have the same symbolic shape, so that the function is rewritten again for calls
    with other relations between the shapes of its arguments, and so it is for other values of its flags.
    """

    values: tuple[tuple[str, Value], ...]


def signature_of(
    function: Callable[..., Any],
    parameters: inspect.Signature,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    flags: Mapping[str, Literals],
    chains: Chains,
) -> Signature | None:
    """The signature of a call; None where the arguments do not fit the ``parameters``: the call raises.

    ``flags`` are parameters with the literals that they are compared with, ``chains`` what the text of the
    module takes of its names.
    """
    try:
        bound = parameters.bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    shapes: dict[tuple[int, ...], str] = {}
    values = []
    for name, argument in bound.arguments.items():
        value = handed(argument, name, function, chains) or value_of(argument, f"{name}@parameter")
        if value is None or type(argument) is list or issubclass(type(argument), dict):
            value = generator_of(argument) or instance_of(argument, name, function, chains, handed) or value
        if type(argument) in (list, tuple) and (value is None or isinstance(value, Unknown)):
            value = _as_converted(argument, name, function) or value
        value = Absent() if argument is None else value
        if isinstance(value, Array) and isinstance(argument, np.ndarray):
            stem = shapes.setdefault(argument.shape, name)
            value = replace(value, shape=tuple(f"{stem}.{axis}" for axis in range(argument.ndim)))
        if value is not None:
            values.append((name, with_flag(value, argument, flags[name]) if name in flags else value))
    return Signature((*values, *globals_of(function, chains, bound.arguments, handed)))


def _as_converted(
    argument: list[Any] | tuple[Any, ...], name: str, function: Callable[..., Any]
) -> Unknown | None:
    """What is known of a list or tuple of numbers of which a function may make an array; None for others."""
    if _CONVERTERS.isdisjoint(function.__code__.co_names):
        return None
    rows = argument[:_SAMPLE]
    nested = all(type(each) in (list, tuple) and each for each in rows)
    numbers = [number for row in rows for number in row[:_SAMPLE]] if nested else rows
    if not numbers or not all(python_kind(each) or isinstance(each, np.number) for each in numbers):
        return None
    dtype = np.result_type(*{np.dtype(type(each)) for each in numbers})
    shape = tuple(f"{name}@converted.{axis}" for axis in range(2 if nested else 1))
    converted = Array(dtype, shape, assumed=True)
    return Unknown(f"it is a {type(argument).__name__}", listed=type(argument) is list, converted=converted)
