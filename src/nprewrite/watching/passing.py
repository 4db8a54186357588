"""What the arguments of a call tell, read from the frame of the function that was called."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from nprewrite.types.values import Callee, Unknown, python_kind, value_of
from nprewrite.watching.seen import Passed


def arguments(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The parameters except ``*args`` and ``**kwargs``, with their values where the function begins."""
    code, values = frame.f_code, frame.f_locals
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in values:
            yield name, values[name]


def kind(value: Any) -> Any:
    """What tells whether an argument is of a type that was seen before."""
    cls = type(value)
    if cls is np.ndarray:
        return value.dtype, value.ndim
    return id(value.__code__) if cls is FunctionType else cls


def passed(name: str, value: Any, frame: FrameType) -> Passed:
    """The type of an argument. No attribute of the user's objects is read: that may run code."""
    cls = type(value)
    if cls is np.ndarray:
        axes = "1 axis" if value.ndim == 1 else f"{value.ndim} axes"
        return Passed(f"{value.dtype}[{axes}]", value_of(value, f"{name}@parameter"))
    if cls is FunctionType:
        here = frame.f_globals.get(value.__name__) is value
        return Passed(f"function {value.__qualname__}", Callee(value.__name__) if here else None)
    if python_kind(value) is not None or cls is str or issubclass(cls, np.generic):
        word = f"numpy.{cls.__name__}" if issubclass(cls, np.generic) else cls.__name__
        return Passed(word, value_of(value, f"{name}@parameter"))
    return Passed(cls.__qualname__, _object(name, value))


def _object(name: str, value: Any) -> Unknown | None:
    """For an object with arrays as plain attributes: that their types are known only while it is used."""
    if inspect.getattr_static(type(value), "__getattribute__") is not object.__dict__["__getattribute__"]:
        return None
    state = getattr(value, "__dict__", None)
    if not isinstance(state, dict) or all(type(each) is not np.ndarray for each in state.values()):
        return None
    because = f"the attributes of `{name}` are only known at a call"
    return Unknown(because, parameter=name, array=True)
