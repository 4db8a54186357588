"""Why a loop cannot be lowered, and the ways in which a lowered loop may end."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from nprewrite.lowering.numbers import Number


class NotNative(Exception):
    """The loop cannot be lowered: ``code`` names the reason, ``node`` is where it was seen."""

    def __init__(self, code: str, message: str, node: ast.AST | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node

    def place(self, otherwise: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
        """Where it was seen in the user's text; the ``return`` around a loop stands nowhere in it."""
        node = self.node
        return node if isinstance(node, ast.expr | ast.stmt) and hasattr(node, "lineno") else otherwise


_WORDS = {
    "delete": "del",
    "trystar": "try",
    "asyncfor": "async for",
    "asyncwith": "async with",
    "yieldfrom": "yield from",
}


def word_of(node: ast.AST) -> str:
    """The keyword that a statement or an expression begins with."""
    kind = type(node).__name__.lower()
    return _WORDS.get(kind, kind)


def not_followed(node: ast.Call) -> NotNative:
    """Why a call with such arguments is not followed."""
    return NotNative(
        "unknown-call", f"`{ast.unparse(node.func)}(...)` is not supported for such arrays", node
    )


class Event(enum.IntEnum):
    """What a lowered function returns: how its run ended; greater numbers are those of its faults.

    After ``REPLAY`` the arrays have to be put back, and the loop as written runs: a Python integer left
    int64, say. So they have after ``RAISED``, where the loop raises by itself, in the user's words.
    """

    DONE = 0
    REPLAY = 1
    RAISED = 2


@dataclass(frozen=True)
class Operation:
    """What the original does where it raises: a statement of Python on ``_0``, ``_1`` and so on.

    ``operands`` are the types of these, and their codes.
    """

    text: str
    operands: tuple[tuple[Number, str], ...] = ()


Place = tuple[int | None, int | None, int | None, int | None]
"""Of an expression or a statement: the first and the last line, the first and the last column."""


@dataclass(frozen=True)
class Fault:
    """A place where a lowered function ends, and the arrays hold what the original leaves in them.

    The operation is done once more, on the operands, and raises. Where there is none, a signal was handled,
    and its handler has raised.
    """

    operation: str | None
    operands: tuple[Number, ...]
    place: Place | None


def place_of(node: ast.AST) -> Place | None:
    """Where a node stands in the text; None for one that stands nowhere in it."""
    if not isinstance(node, ast.expr | ast.stmt) or not hasattr(node, "lineno"):
        return None
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
