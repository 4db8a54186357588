"""What an element of a step costs, as far as its bytecode tells."""

from __future__ import annotations

import dis

from nprewrite.runtime.backend import StepFunction

_COSTLY = frozenset(
    [
        *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin", "acos", "atan", "atan2"),
        *("exp", "exp2", "log", "log2", "log10", "log1p", "logaddexp", "tanh", "arcsinh", "asinh"),
        *("power", "pow", "float_power"),
    ]
)
"""NumPy takes some ten nanoseconds an element for each, and half a nanosecond for a sum."""

_MORE = 4
"""Low, because a function may be mentioned for a part of the elements only."""


def weight(function: StepFunction) -> int:
    """How many times as much work an element is as one of a step of sums and products."""
    code = getattr(function, "__code__", None)
    if code is None:
        return 1
    return 1 + _MORE * sum(each.argval in _COSTLY for each in dis.get_instructions(code))
