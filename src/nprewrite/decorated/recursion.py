"""Room on the stack for the frames of the decorator, so that recursions go as deep as they did as written."""

from __future__ import annotations

import sys

_FRAMES = 5
"""A call of a decorated function takes at most so many frames where the function as written takes one;
more than that only a few calls take."""

_raised_to = 0


def leave_room() -> None:
    """Raise Python's limit of recursion by what decorated calls take, again where the program sets it."""
    global _raised_to
    limit = sys.getrecursionlimit()
    if limit == _raised_to:
        return
    _raised_to = limit * _FRAMES
    sys.setrecursionlimit(_raised_to)
