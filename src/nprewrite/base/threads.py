"""Threads that the program does not see."""

from __future__ import annotations

import _thread
from collections.abc import Callable


def start_unseen(work: Callable[..., object], *arguments: object) -> None:
    """Start a thread that is none of ``threading.enumerate()``, and that nobody waits for.

    Programs wait until theirs have ended: ``while threading.active_count() > 1``. Raises ``RuntimeError``
    where no thread can be started.
    """
    _thread.start_new_thread(work, arguments)
