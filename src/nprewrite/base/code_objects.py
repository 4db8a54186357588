"""Code objects, which hold those of the functions inside them among their constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_in(each)


def beginning(code: CodeType) -> tuple[int, int]:
    """The line and the column of the first expression in a code object; (0, 0) where nothing tells."""
    places = (
        (line, column)
        for line, end_line, column, end in code.co_positions()
        if line is not None and column is not None and (line, column) != (end_line, end)
    )
    return min(places, default=(0, 0))


def changed_code(code: CodeType, change: Callable[[Any], Any]) -> CodeType:
    """The code, and that inside it, with what ``change`` makes of each constant and of each of them."""
    inner = (
        changed_code(each, change) if isinstance(each, CodeType) else change(each) for each in code.co_consts
    )
    made: CodeType = change(code.replace(co_consts=tuple(inner)))
    return made
