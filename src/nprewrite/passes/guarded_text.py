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


def guarded(loop: ast.stmt, lines: Sequence[str], conditions: Sequence[str], function: Function) -> Edit:
    """``if conditions: lines, else: the loop as written``; ``lines`` alone where there are no conditions."""
    document = function.document
    newline, indent = document.newline, document.indentation(loop)
    start, end = document.span(loop)
    lines, conditions = (_as_spelt(each, function) for each in (lines, conditions))
    if not conditions:
        text = f"{newline}{indent}".join(lines)
        return Edit(start, end, document.with_comments(loop, text))
    runtime = function.names.alias_of("nprewrite.runtime") or function.names.free("npr")
    header = _header([each.replace("npr.", f"{runtime}.", 1) for each in conditions], indent, newline)
    here = document.origins[loop.lineno - 1]
    body = [f"{indent}    {line}" for line in lines]
    text = newline.join([header, *body, f"{indent}else:"])
    origins = [here] * (text.count("\n") + 1)
    written, copied = _as_written(loop, document)
    whole = newline.join([text, *written])
    return Edit(start, end, whole, (*origins, *copied))


def _as_spelt(lines: Sequence[str], function: Function) -> list[str]:
    """The lines with ``self.u`` for the name that the function has for it, which stands nowhere else."""
    found = list(lines)
    for name, attribute in function.module.spelling.items():
        found = [re.sub(rf"\b{name}\b", attribute, line) for line in found]
    return found


def _header(conditions: Sequence[str], indent: str, newline: str) -> str:
    line = f"if {' and '.join(conditions)}:"
    if len(indent) + len(line) <= _LINE:
        return line
    first, *rest = conditions
    parts = [f"{indent}    {first}", *(f"{indent}    and {each}" for each in rest)]
    return newline.join(["if (", *parts, f"{indent}):"])


def _as_written(loop: ast.stmt, document: Document) -> tuple[list[str], list[Origin]]:
    """The lines of the loop, indented once more."""
    assert loop.end_lineno is not None
    end = document.span(loop)[1]
    lines, origins = [], []
    for number in range(loop.lineno, loop.end_lineno + 1):
        text = document.line(number).rstrip("\r\n")
        if number == loop.end_lineno:
            text = document.text[document.line_start(number) : end]
        lines.append(textwrap.indent(text, "    "))
        origin = document.origins[number - 1]
        origins.append(Origin(origin.line, origin.shift + 4))
    return lines, origins
