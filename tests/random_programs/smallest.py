"""What is left of a program that rewriting changes when all that the difference does not need is gone."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from differential import compared
from generator import Program
from pysource_minimize import minimize

_SECONDS = 20
"""For one comparison: without its last statement a loop may not end."""


class _TooLong(Exception):
    """A comparison took too long."""


def smallest(made: Program, *, compiled: bool = False, calls: int | None = None) -> Program:
    """The smallest program found that still differs; compared as `differential.compared` does."""

    def differs(text: str) -> bool:
        try:
            with _limited():
                return (
                    compared(replace(made, text=text), compiled=compiled, calls=calls).difference is not None
                )
        except (Exception, SystemExit):  # noqa: BLE001 - a part of a program may raise anything by itself
            return False

    return replace(made, text=minimize(made.text, differs))


@contextmanager
def _limited() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _TooLong
