"""Room on the stack for the frames of the decorator, so that recursions go as deep as they did as written."""

from __future__ import annotations

import sys
import threading

DEEP = 100
"""How many decorated calls run within each other. Each takes a part of the C stack, which a call of Python's
functions does not: a recursion that Python bears would end the process."""
_FRAMES = 5
"""A call of a decorated function takes at most so many frames where the function as written takes one;
more than that only a few calls take."""

_raised_to = 0


class Nesting(threading.local):
    """The decorated calls that run within each other in a thread: all, and those that take turns."""

    calls = 0
    turns = 0


nesting = Nesting()


def leave_room() -> None:
    """Raise Python's limit of recursion by what decorated calls take, again where the program sets it."""
    global _raised_to
    limit = sys.getrecursionlimit()
    if limit == _raised_to:
        return
    _raised_to = limit * _FRAMES
    sys.setrecursionlimit(_raised_to)
