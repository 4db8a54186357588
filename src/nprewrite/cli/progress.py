"""A progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

_WIDTH = 24
_INTERVAL = 0.1
_PATIENCE = 0.3


class Progress:
    """A bar on the last line, for work that takes a while; other text needs a `clear` first."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._total = total
        self._active = total > 1 and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = ""
        self._next = time.monotonic() + _PATIENCE

    def show(self, done: int) -> None:
        """Draw the bar, at most ten times a second."""
        now = time.monotonic()
        if not self._active or now < self._next:
            return
        self._next = now + _INTERVAL
        self.clear()
        filled = _WIDTH * done // self._total
        self._shown = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{self._total} files"
        self._stream.write(self._shown)
        self._stream.flush()

    def clear(self) -> None:
        """Blank the line that holds the bar."""
        if not self._shown:
            return
        self._stream.write("\r" + " " * len(self._shown) + "\r")
        self._stream.flush()
        self._shown = ""
