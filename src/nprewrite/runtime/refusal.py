"""Why a loop runs as written, and telling the user once."""

from __future__ import annotations

from types import CodeType, FrameType
from typing import NamedTuple

from nprewrite.errors import warn


class Place(NamedTuple):
    """Where a loop over a step stands in the user's file."""

    file: str
    line: int
    function: CodeType

    @classmethod
    def of(cls, frame: FrameType) -> Place:
        """The place that a frame has come to."""
        return cls(frame.f_code.co_filename, frame.f_lineno, frame.f_code)


class Refused(Exception):
    """The step must not run; the body as written runs instead, from the first iteration.

    ``reason`` is short and stable (it is counted in ``Step.runs``), ``detail`` says what was seen,
    what was expected and what to do. A ``silent`` refusal is the better choice, not a problem.
    """

    def __init__(self, reason: str, detail: str = "", *, silent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        self.silent = silent


class Unusable(Refused):
    """A refusal that is of the step itself: its next loop would meet it too."""


_told: set[tuple[str, Place | None]] = set()


def warn_once(place: Place, reason: str, text: str, *, everywhere: bool = False) -> None:
    """Give ``NprewriteWarning`` at the user's line, once for each place and reason, or each reason."""
    key = (reason, None if everywhere else place)
    if key in _told:
        return
    _told.add(key)
    warn(f"{place.file}:{place.line}: {text}", place.file, place.line)
