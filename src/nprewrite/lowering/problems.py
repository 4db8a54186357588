"""Why a loop cannot be lowered, and the ways in which a lowered loop may end."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass
from typing import NoReturn

from nprewrite.lowering.numbers import Number


class NotNative(Exception):
    """The loop cannot be lowered: ``code`` names the reason, ``node`` is where it was seen."""

    def __init__(self, code: str, message: str, node: ast.AST | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node

    def place(self, otherwise: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
        """Where it was seen in the user's text; a ``return`` made for a loop has no place in it."""
        node = self.node
        return node if isinstance(node, ast.expr | ast.stmt) and hasattr(node, "lineno") else otherwise


class Unreachable(Exception):
    """The walk cannot get past the statement: it reads a name, or a list, that nothing has set."""


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


_CONTROL = (
    *(ast.Raise, ast.Try, ast.TryStar, ast.With, ast.Assert),
    *(ast.Delete, ast.Match, ast.AsyncFor, ast.AsyncWith, ast.Break, ast.Continue),
)


def refuse(node: ast.stmt) -> NoReturn:
    """Raise ``NotNative`` for a statement that is not lowered."""
    kind = word_of(node)
    if isinstance(node, _CONTROL):
        raise NotNative("loop-control", f"`{kind}` in the loop", node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        raise NotNative("closure", "a function or class is defined in the loop", node)
    raise NotNative("dynamic-scope", f"`{kind}` in the loop", node)


def not_followed(node: ast.Call) -> NotNative:
    """Why a call with such arguments is not followed."""
    return NotNative(
        "unknown-call", f"`{ast.unparse(node.func)}(...)` is not supported for such arrays", node
    )


class Event(enum.IntEnum):
    """What a lowered function returns: how its run ended. Greater numbers are those of its faults.

    After ``REPLAY`` (a Python integer has left int64, say) the arrays have to be put back, and the loop as
    written runs. The same holds after ``RAISED``, where the loop itself raises, in the user's words.
    """

    DONE = 0
    REPLAY = 1
    RAISED = 2


@dataclass(frozen=True)
class Operation:
    """What the original does where it raises: a Python statement on ``_0``, ``_1`` and so on.

    ``operands`` are their types and their code.
    """

    text: str
    operands: tuple[tuple[Number, str], ...] = ()


Place = tuple[int | None, int | None, int | None, int | None]
"""The first and the last line, and the first and the last column, of an expression or a statement."""


@dataclass(frozen=True)
class Fault:
    """A place where a lowered function ends with the arrays as the original leaves them.

    The operation is repeated on the operands, and raises. If there is no operation, a signal was handled and
    its handler has raised.
    """

    operation: str | None
    operands: tuple[Number, ...]
    place: Place | None

    @property
    def width(self) -> int:
        """The number of values in the buffers: operands, or the three integers that hold an exception."""
        return len(self.operands) if self.operation is not None else 3


def place_of(node: ast.AST) -> Place | None:
    """Where a node stands in the text; None for a node that is not part of it."""
    if not isinstance(node, ast.expr | ast.stmt) or not hasattr(node, "lineno"):
        return None
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
