"""Tracebacks of errors in the program, which passed through nprewrite's own calls."""

from __future__ import annotations

import os
from pathlib import Path

# With its separator: the files of a package beside it, nprewrite_more, are the program's.
_PACKAGE = str(Path(__file__).parents[1]) + os.sep


def leave_out_own_frames(error: BaseException) -> None:
    """Have a traceback lead from the frame that catches the error to the program's next one.

    Where the program has none below, nprewrite's own frames are all that tells where it came from.
    """
    caught = error.__traceback__
    assert caught is not None
    following = caught.tb_next
    while following is not None and following.tb_frame.f_code.co_filename.startswith(_PACKAGE):
        following = following.tb_next
    if following is not None:
        caught.tb_next = following
