"""Why a statement cannot be rewritten, as the analyses report it; passes turn it into refusals."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """The code of the reason, the words, and the node; ``parameter`` is set where a call would tell.

    ``help`` is what would help here, if it differs from what usually helps with this code.
    """

    code: str
    message: str
    node: ast.expr | ast.stmt
    parameter: str | None = None
    help: str | None = None


class ProblemError(Exception):
    """Something is not followed; carries the problem."""

    def __init__(self, code: str, message: str, node: ast.expr | ast.stmt, parameter: str | None = None):
        super().__init__(message)
        self.problem = Problem(code, message, node, parameter)


def unset_problem(name: str, loop: ast.stmt) -> Problem:
    """Why a loop stays as it is if it reads a name that may have no value before it."""
    text = f"`{name}` is not set on every path to the loop"
    return Problem("dtype-unknown", text, loop, help="give it a value on every path to the loop")
