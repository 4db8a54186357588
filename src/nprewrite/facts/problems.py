"""Why a statement cannot be rewritten, as the analyses say it; passes make refusals of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """The code of the reason, the words, and the node; ``parameter`` is set where a call would tell."""

    code: str
    message: str
    node: ast.expr | ast.stmt
    parameter: str | None = None
