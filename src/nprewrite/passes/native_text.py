"""The text of a loop that moves into a function of its own, and of the call in its place."""

from __future__ import annotations

import ast
import re

from nprewrite.facts.function import Function
from nprewrite.facts.native_regions import NativeRegion
from nprewrite.facts.steps import NativeSpec
from nprewrite.passes.contract import AddedStep, Change
from nprewrite.source.document import Document, Edit

_LINE = 100
_LINE_END = re.compile(r"\r\n|\r|\n")
_INDENT = "    "


def moved(region: NativeRegion, function: Function, word: str, spec: NativeSpec) -> Change:
    """The region in a function whose name ends in ``word``, under a decorator, and a call in its place."""
    document = function.document
    first, last = region.statements[0], region.statements[-1]
    base = "module" if isinstance(function.node, ast.Module) else function.node.name
    name = function.names.fresh(f"_{base.strip('_')}_{word}")
    start, end = document.span(first)[0], document.span(last)[1]
    call = _call(name, region, function)
    where = "the module" if function.name == "<module>" else f"`{function.name}`"
    lines, copied = _lines(region, function, f"The {word} in {where}.")
    shift = len(_INDENT) - len(document.indentation(first))
    before = function.top_level_statement() or _top_level(first, document)
    step = AddedStep(name, spec, lines, copied, shift, before, first)
    return Change((Edit(start, end, call),), step, message=f"the loop runs as `{name}`")


def _top_level(statement: ast.stmt, document: Document) -> ast.stmt:
    """The statement of the module's body that holds ``statement``."""
    return next(each for each in document.tree.body if statement in ast.walk(each))


def _call(name: str, region: NativeRegion, function: Function) -> str:
    """``s, i = _f_loop(a, b, s)``, on one line or one argument a line."""
    document, spelling = function.document, function.module.spelling
    indent = document.indentation(region.statements[0])
    inputs = [spelling.get(each, each) for each in region.inputs]
    start = "return " if region.returns else f"{', '.join(region.results)} = " if region.results else ""
    line = f"{start}{name}({', '.join(inputs)})"
    if len(indent) + len(line) <= _LINE:
        return line
    margin = f"{document.newline}{indent}"
    return f"{start}{name}({''.join(f'{margin}{_INDENT}{each},' for each in inputs)}{margin})"


def _lines(
    region: NativeRegion, function: Function, what: str
) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The function's lines from its parameters on, and the line that each is a copy of."""
    document = function.document
    first, last = region.statements[0], region.statements[-1]
    assert last.end_lineno is not None
    indent = len(document.indentation(first))
    start, end = document.line_start(first.lineno), document.line_end(last.end_lineno)
    text = document.edited(start, end, _attributes(region, function))
    lines = [f"({', '.join(region.inputs)}):", f'{_INDENT}"""{what}"""']
    copied: list[int | None] = [None, None]
    for number, line in enumerate(_LINE_END.split(text), start=first.lineno):
        removable = len(line) - len(line.lstrip(" \t"))
        lines.append(f"{_INDENT}{line[min(indent, removable) :]}" if line.strip() else "")
        copied.append(number)
    if region.results:
        lines.append(f"{_INDENT}return {', '.join(region.results)}")
        copied.append(None)
    return tuple(lines), tuple(copied)


def _attributes(region: NativeRegion, function: Function) -> list[Edit]:
    """``self.u`` as the name that the function has for it."""
    nodes = (each for statement in region.statements for each in ast.walk(statement))
    named = [each for each in nodes if isinstance(each, ast.Name) and each.id in function.module.spelling]
    return [Edit(*function.document.span(each), each.id) for each in named]
