"""Whether a call waits for its compiler. If not, it runs as written while another process compiles."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from nprewrite.base.environment import WAIT, waits

_INTERVAL_S = 1.0

step_asks: ContextVar[bool] = ContextVar("nprewrite wait", default=False)
"""Whether the step that runs now, or ran last, was asked to wait."""
_may_be_put_off: ContextVar[bool] = ContextVar("nprewrite put off", default=False)


def is_wanted() -> bool:
    """Whether the step that runs now waits."""
    return step_asks.get() or waits()


def may_be_put_off() -> bool:
    """Whether the step that runs now loses little if it runs as written once more."""
    return _may_be_put_off.get() and not is_wanted()


@contextmanager
def putting_off(may_be: bool) -> Iterator[None]:
    """Within the block a step runs that may, or may not, be put off."""
    token = _may_be_put_off.set(may_be)
    try:
        yield
    finally:
        _may_be_put_off.reset(token)


def always() -> None:
    """Wait in this process and in those that it starts."""
    os.environ[WAIT] = "1"


@contextmanager
def telling() -> Iterator[None]:
    """Within the block something is compiled, which a terminal is told."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    ended = threading.Event()
    teller = threading.Thread(target=_tell, args=(ended,), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _tell(ended: threading.Event) -> None:
    started, shown = time.monotonic(), ""
    while not ended.wait(_INTERVAL_S):
        shown = f"compiling: {time.monotonic() - started:.0f} s"
        print(f"\r{shown}", end="", file=sys.stderr, flush=True)
    print(f"\r{' ' * len(shown)}\r" if shown else "", end="", file=sys.stderr, flush=True)
