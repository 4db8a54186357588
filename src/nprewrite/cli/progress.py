"""What is being done, on standard error, if that is a terminal: a bar, or a line that passes."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_INTERVAL = 0.1
_PATIENCE = 0.3


class Progress:
    """A bar on the last line, for work that takes a while; other text needs a `clear` first."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._total = total
        self._active = total > 1 and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._bar: Bar | None = None
        self._next = time.monotonic() + _PATIENCE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the terminal its cursor back."""
        self.clear()

    def show(self, done: int) -> None:
        """Draw the bar, at most ten times a second."""
        now = time.monotonic()
        if not self._active or now < self._next:
            return
        self._next = now + _INTERVAL
        if self._bar is None:
            self._bar = _made(self._stream, self._total)
        self._bar.update(self._bar.task_ids[0], completed=done)
        self._bar.start()
        self._bar.refresh()

    def clear(self) -> None:
        """Take the bar away, until it is drawn again."""
        if self._bar is not None:
            self._bar.stop()


class Passing:
    """A line that the next one replaces, for work of which nobody knows how long it takes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._active = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Show a line in place of the last."""
        if self._active:
            self._stream.write(f"\r{text.ljust(self._width)}")
            self._stream.flush()
            self._width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0


def _made(stream: TextIO, total: int) -> Bar:
    """A bar that is drawn when it is told to be, and leaves the streams of the process alone."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files"),
        TimeRemainingColumn(),
        console=Console(file=stream),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total)
    return bar
