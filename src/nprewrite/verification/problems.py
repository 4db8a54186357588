"""Why a file cannot be verified at all."""

from __future__ import annotations


class CannotVerify(Exception):
    """There is nothing to compare, or no way to run it; the message says what to do."""


class WorkerFault(Exception):
    """A fault of nprewrite in the process that compares; ``details`` is the traceback."""

    def __init__(self, error: str, details: str) -> None:
        super().__init__(error)
        self.details = details
