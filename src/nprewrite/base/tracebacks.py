"""Tracebacks of errors in the program, which passed through nprewrite's own calls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from types import CodeType, TracebackType
from weakref import WeakSet

# With its separator: the files of a package beside it, nprewrite_more, are the program's.
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_PART = ".<part>"
_UNIT = 2
"""How many bytes of code have a position of their own."""
_leaving: WeakSet[CodeType] = WeakSet()


def part_of(code: CodeType, name: str) -> CodeType:
    """The code of a part of the function ``name``, "<module>" for a script, which takes over the rest of it.

    Its frame stands for that of the function, which waits for it.
    """
    return code.replace(co_name=name, co_qualname=f"{name}{_PART}")


def leaves_calls(code: CodeType) -> None:
    """Note that the code of a function may leave a call to the function as written, whose frame then stands
    for its own, by a statement without columns at its beginning."""
    _leaving.add(code)


def without_own_frames(error: BaseException) -> None:
    """Have the traceback of an error that ends a program, and those of the errors before it, show its frames.

    Behind the last of these nprewrite's own ones stay: they are all that tells what failed.
    """
    told: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in told:
            continue
        told.add(id(each))
        waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
        frames = [*_frames(each.__traceback__)]
        own = [_is_own(frame) for frame in frames]
        last = max((place for place, is_own in enumerate(own) if not is_own), default=-1)
        left = [frame for place, frame in enumerate(frames) if not own[place] or place > last]
        pairs = zip_longest(left, left[1:])
        left = [frame for frame, following in pairs if not _is_taken_over(frame, following)]
        for frame, following in zip(left, [*left[1:], None], strict=False):
            frame.tb_next = following
        each.__traceback__ = left[0] if left else None


def _frames(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        following = trace.tb_next
        yield trace
        trace = following


def _is_taken_over(trace: TracebackType, following: TracebackType | None) -> bool:
    """Whether the frame that follows stands for this one."""
    if following is None:
        return False
    is_part = following.tb_frame.f_code.co_qualname.endswith(_PART)
    return is_part or (_has_left_its_call(trace) and not _is_own(following))


def _has_left_its_call(trace: TracebackType) -> bool:
    code = trace.tb_frame.f_code
    if code not in _leaving or trace.tb_lineno != code.co_firstlineno:
        return False
    *_, column, _ = next(islice(code.co_positions(), trace.tb_lasti // _UNIT, None))
    return column is None


def _is_own(trace: TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith(_PACKAGE)


def leave_out_own_frames(error: BaseException) -> None:
    """Have a traceback lead from the frame that catches the error to the program's next one.

    Where the program has none below, nprewrite's own frames are all that tells where it came from.
    """
    caught = error.__traceback__
    assert caught is not None
    following = caught.tb_next
    while following is not None and _is_own(following):
        following = following.tb_next
    if following is not None:
        caught.tb_next = following
