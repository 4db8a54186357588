"""Whether this process is a fork that lacks the threads of compiled code.

A fork has the memory of its parent, but not its threads. GNU's OpenMP, on whose threads torch and compiled
kernels run, does not notice: its first parallel region in the fork waits forever for threads that only the
parent has. With one thread nothing waits; torch's own DataLoader sets that in its workers.
"""

from __future__ import annotations

import os
import sys

_of_torch = False
_threads = 1

ADVICE = (
    "start the process with multiprocessing's 'spawn' or 'forkserver', or call torch.set_num_threads(1) in it"
)


def note_threads(count: int) -> None:
    """Note that compiled code is about to run here on ``count`` threads."""
    global _threads
    _threads = max(_threads, count)


def is_fork_of_torch() -> bool:
    """Whether this process, or one above it, was forked from one that had imported torch or run its code."""
    return _of_torch


def lacks_threads() -> bool:
    """Whether compiled code may wait here for threads that this process does not have.

    Whether the parent had started any cannot be seen; it may have if torch computes on several.
    """
    torch = sys.modules.get("torch")
    return _of_torch and bool((torch.get_num_threads() if torch is not None else _threads) > 1)


def _note() -> None:
    global _of_torch
    _of_torch = _of_torch or _threads > 1 or sys.modules.get("torch") is not None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note)
