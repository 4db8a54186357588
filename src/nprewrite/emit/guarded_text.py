"""The text of a statement in two versions, under a condition."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from nprewrite.program.function import Function
from nprewrite.source.edits import NodeEdit, Replace, replace_run
from nprewrite.source.nodes import WIDTH, block, expression, statements

Version = tuple[Sequence[str], Sequence[str]]
"""Statements, and the conditions under which they run."""


def guarded(
    loop: ast.stmt, versions: Sequence[Version], function: Function, made: ast.stmt | None = None
) -> list[NodeEdit]:
    """``if conditions: statements``, with ``elif`` for further versions, and ``else: the loop as written``.

    Without conditions, only the statements. The statement ``made``, right before the loop, becomes part of
    each version. The statements give no warnings: NumPy words them differently for arrays than for numbers,
    and would warn about elements that the loop skips.
    """
    document = function.document
    spelt = function.module.as_written
    versions = [([*map(spelt, lines)], [*map(spelt, asked)]) for lines, asked in versions]
    lines, conditions = versions[0]
    if not conditions:
        return [Replace(loop, document.with_comments_of(loop, statements("\n".join(lines))))]
    runtime = function.names.alias_of("nprewrite.runtime") or function.names.free("npr")
    numpy = function.names.numpy_name(function.node)
    before = [made] if made is not None else []
    chosen: cst.If | cst.Else = cst.Else(block(document.nodes([*before, loop])))
    for lines, asked in reversed(versions):
        test = condition([each.replace("npr.", f"{runtime}.", 1) for each in asked], loop)
        inside = [*document.nodes(before), *statements("\n".join(lines))]
        quiet = statements('with {np}.errstate(all="ignore"):\n    {inside}\n', np=numpy, inside=inside)
        chosen = cst.If(test, block(quiet), orelse=chosen)
    return [*replace_run([*before, loop], [chosen])]


def condition(parts: Sequence[str], place: ast.stmt) -> cst.BaseExpression:
    """``a and b``, on one line or with one condition a line, for an ``if`` in place of a statement."""
    line = " and ".join(parts)
    if place.col_offset + len(f"elif {line}:") <= WIDTH or len(parts) == 1:
        return expression(line)
    return expression("".join(["(\n    ", "\n    and ".join(parts), "\n)"]))
