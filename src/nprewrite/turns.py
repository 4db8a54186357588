"""A function and its rewritten version take turns; see ``runtime.choice``."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from numpy import ndarray

from nprewrite.runtime.choice import Choice, Side

CallClass = tuple[Any, ...]

ALWAYS: Side | None = None
"""The side that every call takes, with no turns; verification sets it."""


def call_class(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallClass:
    """What decides which version is faster: dtypes, ranks and magnitudes of sizes and integers; hashable."""
    # Arrays without a further call: this is most of the price of a call that is kept in NumPy.
    kind = tuple(
        [
            (each.dtype.char, each.ndim, each.size.bit_length()) if type(each) is ndarray else _class_of(each)
            for each in args
        ]
    )
    return (*kind, *[(name, _class_of(each)) for name, each in kwargs.items()]) if kwargs else kind


def _class_of(argument: Any) -> Any:
    kind = type(argument)
    if kind is ndarray:
        return argument.dtype.char, argument.ndim, argument.size.bit_length()
    if kind is int:
        return argument.bit_length()
    if kind is FunctionType and argument.__globals__.get(argument.__name__) is argument:
        # Another function is another program; those without a name of their own would be without end.
        return f"{argument.__module__}.{argument.__name__}"
    return kind


def turns_of(text: str, kind: CallClass) -> Choice:
    """The turns of the rewritten ``text`` for calls of one class."""
    return Choice.of(text, repr(kind))
