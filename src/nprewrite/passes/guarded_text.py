"""The text of a statement in two versions, under a condition."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence

from nprewrite.facts.function import Function
from nprewrite.syntax.document import Document, Edit, Origin

_LINE = 100
"""Where a condition is broken into one part a line."""


Version = tuple[Sequence[str], Sequence[str]]
"""Statements, and the conditions under which they run."""


def guarded(
    loop: ast.stmt, versions: Sequence[Version], function: Function, made: ast.stmt | None = None
) -> Edit:
    """``if conditions: statements``, with ``elif`` for further versions, and ``else: the loop as written``.

    The statements alone where there are no conditions. The statement ``made``, right before the loop, becomes
    part of each version. The statements give no warnings: NumPy has other words for arrays than for numbers,
    and would warn of elements that the loop leaves out.
    """
    document = function.document
    newline, indent = document.newline, document.indentation(loop)
    versions = [(_as_spelt(lines, function), _as_spelt(asked, function)) for lines, asked in versions]
    lines, conditions = versions[0]
    if not conditions:
        text = f"{newline}{indent}".join(lines)
        return Edit(*document.span(loop), document.with_comments(loop, text))
    runtime = function.names.alias_of("nprewrite.runtime") or function.names.free("npr")
    numpy = function.names.numpy_name(function.node)
    before = textwrap.dedent(document.segment(made)).splitlines() if made is not None else []
    above: list[str] = []
    for number, (lines, asked) in enumerate(versions):
        word = "elif" if number else "if"
        named = [each.replace("npr.", f"{runtime}.", 1) for each in asked]
        above += [
            header_line(word, named, indent, newline),
            f'{indent}    with {numpy}.errstate(all="ignore"):',
            *(f"{indent}        {line}" for line in (*before, *lines)),
        ]
    start = document.span(made or loop)[0]
    header = newline.join([*above, f"{indent}else:"])
    here = document.origins[loop.lineno - 1]
    written, copied = _as_written(made or loop, loop, document)
    origins = [here] * (header.count("\n") + 1)
    return Edit(
        start, document.span(loop)[1], newline.join([header, *written])[len(indent) :], (*origins, *copied)
    )


def _as_spelt(lines: Sequence[str], function: Function) -> list[str]:
    """The lines with ``self.u`` for the name that the function has for it, which stands nowhere else."""
    found = list(lines)
    for name, attribute in function.module.spelling.items():
        found = [re.sub(rf"\b{name}\b", attribute, line) for line in found]
    return found


def header_line(word: str, conditions: Sequence[str], indent: str, newline: str) -> str:
    """``if a and b:``, as one line or one condition a line."""
    line = f"{indent}{word} {' and '.join(conditions)}:"
    if len(line) <= _LINE:
        return line
    first, *rest = conditions
    parts = [f"{indent}    {first}", *(f"{indent}    and {each}" for each in rest)]
    return newline.join([f"{indent}{word} (", *parts, f"{indent}):"])


def _as_written(first: ast.stmt, loop: ast.stmt, document: Document) -> tuple[list[str], list[Origin]]:
    """The lines from a statement to the end of the loop, indented once more."""
    assert loop.end_lineno is not None
    end = document.span(loop)[1]
    lines, origins = [], []
    for number in range(first.lineno, loop.end_lineno + 1):
        text = document.line(number).rstrip("\r\n")
        if number == loop.end_lineno:
            text = document.text[document.line_start(number) : end]
        lines.append(textwrap.indent(text, "    "))
        origin = document.origins[number - 1]
        origins.append(Origin(origin.line, origin.shift + 4))
    return lines, origins
