"""What the names of a running loop stand for, looked up in the frame that runs it.

A loop that binds its names anew (``u = f(u)``) can only be taken over in its middle with the arrays that they
stand for by then, which nobody passes. Before Python 3.13 a frame that is asked for its variables keeps what
it answered until the function returns, or it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any


def are_variables(frame: FrameType, arguments: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Whether the arguments are what variables with these names stand for."""
    variables = frame.f_locals
    return all(name in variables and variables[name] is arguments[name] for name in names)


def as_they_are(frame: FrameType, arguments: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The arguments, with what the variables stand for now."""
    variables = frame.f_locals
    return {**arguments, **{name: variables[name] for name in names}}
