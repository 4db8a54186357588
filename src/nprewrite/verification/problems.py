"""Why a file cannot be verified, measured, explained or built at all."""

from __future__ import annotations


class CannotVerify(Exception):
    """There is nothing to compare or show, or no way to run it; the message says what to do."""


class WorkerFault(Exception):
    """A fault of nprewrite in the process that compares: the error, and ``details``, its traceback."""

    def __init__(self, error: str, details: str) -> None:
        super().__init__(error, details)
        self.error, self.details = error, details

    def __str__(self) -> str:
        return self.error
