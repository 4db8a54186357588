"""Why a text cannot be rewritten at all."""

from __future__ import annotations


class SourceProblem(Exception):
    """The text cannot be rewritten at all (it does not parse, say); carries the user's line."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
