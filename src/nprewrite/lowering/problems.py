"""Why a loop cannot be lowered, and the ways in which a lowered loop may end."""

from __future__ import annotations

import ast
import enum


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


def not_followed(node: ast.Call) -> NotNative:
    """Why a call with such arguments is not followed."""
    return NotNative("unknown-call", f"`{ast.unparse(node.func)}(...)` of such arrays is not followed", node)


class Event(enum.IntEnum):
    """What a lowered function returns: how its run ended.

    After ``REPLAY`` the arrays have to be put back, and the loop as written runs: a Python integer left
    int64, say. So they have after ``RAISED``, where the loop raises by itself, in the user's words. After the
    others an exception is due, and the arrays hold what the original leaves in them.
    """

    DONE = 0
    INDEX = 1
    ZERO_DIVISION = 2
    VALUE = 3
    OVERFLOW = 4
    UNSET = 5
    REPLAY = 6
    RAISED = 7
