"""Why a loop runs as written, and how the user is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType, FrameType
from typing import NamedTuple

from nprewrite.base.errors import warn
from nprewrite.base.signal_handlers import interrupts


class Place(NamedTuple):
    """Where a loop over a step stands in the user's file."""

    file: str
    line: int
    function: CodeType

    @classmethod
    def of(cls, frame: FrameType) -> Place:
        """The place that a frame has reached."""
        file, line = frame.f_code.co_filename, frame.f_lineno
        if file in _origins:
            file, origins = _origins[file]
            line = origins[line - 1]
        return cls(file, line, frame.f_code)

    def describe(self, what: str) -> str:
        """``what``, with the name of the user's function around it."""
        name = self.function.co_name
        return what if name == "<module>" else f"{what} in `{name}`"


_origins: dict[str, tuple[str, Sequence[int]]] = {}


def remember(file: str, users: str, origins: Sequence[int]) -> None:
    """Note that a file holds the rewritten text of the user's, and the user's line for each of its lines."""
    _origins[file] = users, origins


class Refused(Exception):
    """The step must not run; the body as written runs instead, from the first iteration.

    ``reason`` is short and stable (it is counted in ``Step.runs``), ``detail`` says what was seen,
    what was expected and what to do. A ``silent`` refusal is the better choice, not a problem; one of this
    process alone (``passing``) raises where that was asked for, and is otherwise told in reports only.
    """

    def __init__(self, reason: str, detail: str = "", *, silent: bool = False, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        self.silent = silent
        self.passing = passing


def refused_by(error: Exception, reason: str, detail: str = "", *, silent: bool = False) -> Refused:
    """The refusal for an error; raises the error itself where a handler of a signal has raised it."""
    if interrupts(error):
        raise error
    return Refused(reason, detail, silent=silent)


def refused_by_step(error: Exception) -> Refused:
    """As ``refused_by``, for an error of the step itself."""
    name = type(error).__name__
    return refused_by(error, f"the step raised {name}", f"running it raised {name}: {error}")


class Unusable(Refused):
    """A refusal that concerns the step itself: its next loop would meet it too."""


COMPILING = "compiling"


class Compilation:
    """What another process or thread makes meanwhile; ``over`` when asking for it again tells more.

    ``reason`` says in a report why a loop runs as written until then.
    """

    over = False
    reason = COMPILING


class Compiling(Refused):
    """What the step needs is being compiled, or opened, in the background."""

    def __init__(self, compilation: Compilation) -> None:
        super().__init__(compilation.reason, silent=True)
        self.compilation = compilation


class TooEarly(Refused):
    """The step has had too little to do so far: it may not run again, and compiling or loading takes time."""

    def __init__(self) -> None:
        super().__init__("too little work so far", silent=True)


def was_told(place: Place, reason: str) -> bool:
    """Whether the user knows already."""
    return (reason, place) in _told


_told: set[tuple[str, Place | None]] = set()


def warn_once(place: Place, reason: str, text: str, *, everywhere: bool = False) -> None:
    """Give ``NprewriteWarning`` at the user's line, once for each reason at each place, or ``everywhere``."""
    key = (reason, None if everywhere else place)
    if key in _told:
        return
    _told.add(key)
    warn(f"{place.file}:{place.line}: {text}", place.file, place.line)


def how_it_ran(name: str, runs: Mapping[str, int]) -> str:
    """A line of a report: how often something ran in each way."""
    ways = ", ".join(f"{times} x {way}" for way, times in runs.items())
    return f"`{name}` ran {ways}" if ways else f"`{name}` has not run"
