"""What an element of a step costs, as far as the step's bytecode tells."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from typing import Any

from nprewrite.numpy_api.elementwise import ALIASES, ELEMENTWISE
from nprewrite.runtime.api.backend import StepFunction

_MORE = 4
"""What a costly function adds: little, because it may be applied to a part of the elements only."""
_AT_ONCE = 16
"""The sums and products that take no longer than reading and writing an element."""
_OPERATIONS = frozenset(
    {
        *("BINARY_OP", "BINARY_SLICE", "BINARY_SUBSCR", "CALL", "CALL_KW", "COMPARE_OP"),
        *("STORE_SLICE", "STORE_SUBSCR", "UNARY_INVERT", "UNARY_NEGATIVE"),
    }
)


def weight(function: StepFunction) -> int:
    """How many times as much work an element is as in a step of sums and products."""
    return 1 + _MORE * _costly(function)


def relative_work(function: StepFunction) -> int:
    """How many times as long compiled code takes for an element as in a step of few sums and products."""
    return 1 + _costly(function) + operations(function) // _AT_ONCE


def operations(function: StepFunction) -> int:
    """How many operations a step is made of, each of which NumPy computes by itself."""
    return max(1, sum(each.opname in _OPERATIONS for each in _instructions(function)))


def _costly(function: StepFunction) -> int:
    """How many costly functions a step calls."""
    return sum(_is_costly(each.argval) for each in _instructions(function))


def _instructions(function: StepFunction) -> Iterator[dis.Instruction]:
    code = getattr(function, "__code__", None)
    return iter(()) if code is None else dis.get_instructions(code)


def _is_costly(name: Any) -> bool:
    record = ELEMENTWISE.get(ALIASES.get(name, name)) if isinstance(name, str) else None
    return record is not None and record.costly
