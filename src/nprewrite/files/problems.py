"""What goes wrong with one file, as a value that can travel between processes."""

from __future__ import annotations

from dataclasses import dataclass

SUCCESS = 0
WOULD_CHANGE = 1
FAILURE = 2
INTERNAL = 4


@dataclass(frozen=True)
class Problem:
    """Why a file was left as it was; lines and columns count from 1.

    ``internal`` marks a fault of nprewrite, with the traceback to send in ``details``.
    """

    message: str
    line: int | None = None
    column: int | None = None
    internal: bool = False
    details: str = ""

    @property
    def exit_code(self) -> int:
        """What this problem makes of the exit status."""
        return INTERNAL if self.internal else FAILURE


class FileProblem(Exception):
    """A file cannot be read, rewritten or written; carries the `Problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class UsageProblem(Exception):
    """The command line asks for something that does not exist."""


def system_reason(error: OSError) -> str:
    """The operating system's reason in lower case, as in ``permission denied``."""
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]


def printable(path: str) -> str:
    """A path fit for one line of a report: control and undecodable characters are escaped."""
    if path and path.isprintable():
        return path
    escaped = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in path)
    return "".join(escaped) or "''"
