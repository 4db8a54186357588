"""What an element of a step costs, as far as its bytecode tells."""

from __future__ import annotations

import dis
from typing import Any

from nprewrite.numpy_api.elementwise import ALIASES, ELEMENTWISE
from nprewrite.runtime.api.backend import StepFunction

_MORE = 4
"""Low, because a function may be mentioned for a part of the elements only."""


def weight(function: StepFunction) -> int:
    """How many times as much work an element is as one of a step of sums and products."""
    code = getattr(function, "__code__", None)
    if code is None:
        return 1
    return 1 + _MORE * sum(_is_costly(each.argval) for each in dis.get_instructions(code))


def _is_costly(name: Any) -> bool:
    record = ELEMENTWISE.get(ALIASES.get(name, name)) if isinstance(name, str) else None
    return record is not None and record.costly
