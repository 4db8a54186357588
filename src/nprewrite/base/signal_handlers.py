"""Exceptions from handlers of signals, which may come in between any two of nprewrite's own steps.

signal.alarm(60)         a handler that raises TimeoutError ends the loop, and is no error of the step
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any


def interrupts(error: BaseException) -> bool:
    """Whether an exception ends the program, or is one that a handler of a signal has raised."""
    if not isinstance(error, Exception):
        return True
    codes, passed = {*_codes()}, error.__traceback__
    while passed is not None:
        if passed.tb_frame.f_code in codes:
            return True
        passed = passed.tb_next
    return False


def _codes() -> Iterator[CodeType]:
    """The code of the handlers that are written in Python."""
    for number in signal.valid_signals():
        handler: Any = signal.getsignal(number)
        while isinstance(handler, partial | MethodType):
            handler = handler.func if isinstance(handler, partial) else handler.__func__
        if not isinstance(handler, FunctionType):
            handler = vars(type(handler)).get("__call__")
        code = getattr(handler, "__code__", None)
        if isinstance(code, CodeType):
            yield code
