"""Whether a call waits for its compiler. If not, it runs as written while another process compiles."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_VARIABLE = "NPREWRITE_WAIT"
_INTERVAL_S = 1.0

step_asks: ContextVar[bool] = ContextVar("nprewrite wait", default=False)
"""Whether the step that runs now was asked to wait."""


class _Shown:
    asked = False


def is_wanted() -> bool:
    """Whether what runs now waits."""
    return step_asks.get() or os.environ.get(_VARIABLE, "0") not in ("", "0")


def always(*, shown: bool = False) -> None:
    """Wait in this process and in those that it starts; ``shown`` tells on a terminal what is waited for."""
    os.environ[_VARIABLE] = "1"
    _Shown.asked = shown


@contextmanager
def telling(name: str) -> Iterator[None]:
    """Within the block ``name`` is compiled; told on standard error where that was asked for."""
    if not (_Shown.asked and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
        yield
        return
    ended = threading.Event()
    teller = threading.Thread(target=_tell, args=(name, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _tell(name: str, ended: threading.Event) -> None:
    started, shown = time.monotonic(), ""
    while not ended.wait(_INTERVAL_S):
        shown = f"compiling `{name}`: {time.monotonic() - started:.0f} s"
        print(f"\r{shown}", end="", file=sys.stderr, flush=True)
    print(f"\r{' ' * len(shown)}\r" if shown else "", end="", file=sys.stderr, flush=True)
