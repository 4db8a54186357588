"""How long a function may wait for its steps to be compiled.

The time of all that runs within an outermost call counts together; what is not compiled by then runs as
written.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS = 60.0
"""For whoever asked to wait, and for each job in the background: a slow machine right after an installation
needs half of it for the larger programs."""


class Budget:
    """The seconds that one function may still wait in this process, and what it has spent them on."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)

    def __str__(self) -> str:
        parts = ", ".join(f"{what} {seconds:.2g} s" for what, seconds in self.spent.items())
        return f"waited {sum(self.spent.values()):.2g} s ({parts})"

    @property
    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, SECONDS - sum(self.spent.values()))

    @contextmanager
    def spending(self, on: str) -> Iterator[None]:
        """Count the time of the block."""
        started = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - started
            self.spent[on] += seconds
            _Process.waited += seconds


class _Process:
    waited = 0.0


def waited() -> float:
    """The seconds that all functions of the process have waited."""
    return _Process.waited


_budgets: dict[Hashable, Budget] = {}
_current: ContextVar[Budget | None] = ContextVar("nprewrite budget", default=None)
last_function: ContextVar[Hashable] = ContextVar("nprewrite function", default=None)
"""The code of the function whose step ran last: it is the one that waits where no outer call is known."""


def of(function: Hashable) -> Budget:
    """The budget of a function, given by its code."""
    return _budgets.setdefault(function, Budget())


def current() -> Budget:
    """The budget of the outermost call that runs now."""
    return _current.get() or of(last_function.get())


@contextmanager
def shared(function: Hashable) -> Iterator[None]:
    """Within the block the function's budget is spent, unless a call around it has its own."""
    if _current.get() is not None:
        yield
        return
    token = _current.set(of(function))
    try:
        yield
    finally:
        _current.reset(token)
