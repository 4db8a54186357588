"""The attributes of an object, read so that it stays as fast as it is.

Python 3.11 and 3.12 make a dictionary of an object once its ``__dict__`` is asked for, and from then on all
its attributes take longer: a program of short methods takes a tenth longer.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from nprewrite.base.objects import is_frozen
from nprewrite.decorated.original import Standing, as_written

_NO_STATE = (
    *(type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType),
    np.ndarray,
)
_ROUTINES = (types.FunctionType, staticmethod, classmethod, Standing)
_NOTHING = object()


def is_plain(value: Any) -> bool:
    """Whether the attributes of an object are what its dictionary and that of its class hold.

    Those of a frozen data class are, and raise where they are set.
    """
    kind: Any = type(value)
    may_be_set = kind.__setattr__ is object.__setattr__ or is_frozen(kind)
    plain = kind.__getattribute__ is object.__getattribute__ and may_be_set
    if not plain and kind is not types.SimpleNamespace:
        return False
    return not issubclass(kind, _NO_STATE) and bool(kind.__dictoffset__)


def own(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Those attributes of a plain object that are its own, and not of its class."""
    found = {name: _own(value, name) for name in names}
    return {name: each for name, each in found.items() if each is not _NOTHING}


def _own(value: Any, name: str) -> Any:
    kind = type(value)
    of_class = in_class(kind, name)
    is_routine = isinstance(of_class, _ROUTINES)
    if hasattr(kind, "__getattr__") or (hasattr(type(of_class), "__get__") and not is_routine):
        # Asking for it in any other way could run code of the user's.
        return vars(value).get(name, _NOTHING)
    found, inherited = getattr(value, name, _NOTHING), of_class
    if is_routine:
        inherited = of_class.__get__(value, kind)
        return _NOTHING if type(found) is type(inherited) and found == inherited else found
    return _NOTHING if found is inherited and is_in_class(kind, name) else found


def method_of(kind: type, name: str) -> types.FunctionType | None:
    """The function, as written, that a class or one of its bases has as a method, a static one too."""
    return as_method(in_class(kind, name))


def as_method(found: Any) -> types.FunctionType | None:
    """The function, as written, that something a class holds is, or stands for; None where it is none."""
    return as_written(found.__func__ if isinstance(found, staticmethod | classmethod) else found)


def is_in_class(kind: type, name: str) -> bool:
    """Whether a class or one of its bases holds something, be it None, under a name."""
    return any(name in vars(each) for each in kind.__mro__)


def in_class(kind: type, name: str) -> Any:
    """What a class or one of its bases holds under a name; None where there is none. Nothing is called."""
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)
