"""Code objects, which hold those of the functions inside them among their constants."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any


def changed_code(code: CodeType, change: Callable[[Any], Any]) -> CodeType:
    """The code, and that inside it, with what ``change`` makes of each constant and of each of them."""
    inner = (
        changed_code(each, change) if isinstance(each, CodeType) else change(each) for each in code.co_consts
    )
    made: CodeType = change(code.replace(co_consts=tuple(inner)))
    return made
