"""Calls that are known to gain nothing: they cost no more than a check of their arguments.

The check is whether the arguments have the types of settled calls and are no larger. Any other call takes the
long way, and may gain.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


@dataclass(frozen=True)
class Known:
    """The arguments of settled calls: for each parameter the type, and an upper bound where sizes matter."""

    arguments: tuple[tuple[str, type, int], ...]

    @property
    def types(self) -> list[type]:
        return [kind for _, kind, _ in self.arguments]

    def joined(self, earlier: Known | None) -> Known:
        """These arguments joined with those of earlier calls of the same types."""
        if earlier is None or [each[:2] for each in earlier.arguments] != [
            each[:2] for each in self.arguments
        ]:
            return self
        pairs = zip(self.arguments, earlier.arguments, strict=True)
        return Known(tuple((name, kind, max(limit, other)) for (name, kind, limit), (_, _, other) in pairs))


def known_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Known | None:
    """The arguments of a call; None where a check of them is not cheap, or would not tell enough."""
    signature = inspect.signature(function)
    if any(each.kind not in _NAMED for each in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    if any(callable(each) for each in bound.arguments.values()):
        # With another function as argument it is another program.
        return None
    return Known(tuple((name, type(each), _limit(each)) for name, each in bound.arguments.items()))


def _limit(argument: Any) -> int:
    if type(argument) is np.ndarray:
        return 1 << argument.size.bit_length()
    return 1 << argument.bit_length() if type(argument) is int else 0


def looking(function: Callable[P, R], known: Known, otherwise: Callable[P, R]) -> Callable[P, R]:
    """A function that calls ``function`` for known arguments, and ``otherwise`` for others."""
    given = {name for name, _, _ in known.arguments}
    function_, otherwise_ = (_free(name, given) for name in ("function", "otherwise"))
    home: dict[str, Any] = {function_: function, otherwise_: otherwise}
    tests = []
    for number, (name, kind, limit) in enumerate(known.arguments):
        kind_, type_ = _free(f"kind_{number}", given), _free("type", given)
        home |= {kind_: kind, type_: type}
        tests.append(f"{type_}({name}) is {kind_}")
        if limit:
            tests.append(f"{name}{'.size' if kind is np.ndarray else ''} < {limit}")
    names = ", ".join(name for name, _, _ in known.arguments)
    text = (
        f"def look({names}):\n"
        f"    if {' and '.join(tests) or 'True'}:\n"
        f"        return {function_}({names})\n"
        f"    return {otherwise_}({names})\n"
    )
    exec(compile(text, "<nprewrite>", "exec"), home)
    made = cast("types.FunctionType", home["look"])
    made.__defaults__ = cast("types.FunctionType", function).__defaults__
    functools.update_wrapper(made, function)
    return cast("Callable[P, R]", made)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
