"""What the flags of a function add to the class of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nprewrite.decorated.turns import CallClass
from nprewrite.types.values import FLAG_TYPES, Literals


class FlagClass:
    """What calls show of a function's flags: which of the literals each is, of those that it is tested for.

    This belongs to the class of a call: the version that runs for ``b = 1`` is no version for ``b = 2``.
    """

    def __init__(self, function: Callable[..., Any], flags: Mapping[str, Literals]) -> None:
        self._function = function
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self._positional = code.co_argcount
        # Ready for every literal: this is part of the overhead of each call.
        self.flags = [
            (names.index(name), name, {each: (name, repr(each)) for each in literals}, (name, "another"))
            for name, literals in flags.items()
            if name in names
        ]

    def of(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallClass:
        """The flags of a call with what their values are known to be."""
        given, found = min(len(args), self._positional), []
        for index, name, literals, another in self.flags:
            value = args[index] if index < given else left_out(self._function, index, name, kwargs)
            found.append(literals.get(value, another) if type(value) in FLAG_TYPES else another)
        return tuple(found)


def left_out(function: Callable[..., Any], index: int, name: str, kwargs: Mapping[str, Any]) -> Any:
    """The argument of a parameter that none is given for by position; None where there is none."""
    if name in kwargs:
        return kwargs[name]
    positional = function.__code__.co_argcount
    if index >= positional:
        return (function.__kwdefaults__ or {}).get(name)
    defaults = function.__defaults__ or ()
    place = index - positional + len(defaults)
    return defaults[place] if 0 <= place < len(defaults) else None
