"""What the flags of a function add to the class of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nprewrite.decorated.turns import CallClass
from nprewrite.program.flags import Literals

_KINDS = (bool, int, str)


class FlagClass:
    """What calls show of a function's flags: which of the literals each is, of those that it is tested for.

    This belongs to the class of a call: the version that runs for ``b = 1`` is no version for ``b = 2``.
    """

    def __init__(self, function: Callable[..., Any], flags: Mapping[str, Literals]) -> None:
        self._function = function
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self._positional = code.co_argcount
        self._flags = [
            (names.index(name), name, literals) for name, literals in flags.items() if name in names
        ]

    def of(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallClass:
        """The flags of a call with what their values are known to be."""
        return tuple(
            (name, repr(value) if type(value) in _KINDS and value in literals else "another")
            for index, name, literals in self._flags
            for value in [self._value(index, name, args, kwargs)]
        )

    def _value(self, index: int, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if index < min(len(args), self._positional):
            return args[index]
        if name in kwargs:
            return kwargs[name]
        if index >= self._positional:
            return (self._function.__kwdefaults__ or {}).get(name)
        defaults = self._function.__defaults__ or ()
        place = index - self._positional + len(defaults)
        return defaults[place] if 0 <= place < len(defaults) else None
