"""A sequential scalar loop as a function that Numba compiles.

Why: Python takes some hundred nanoseconds for each element; a loop in which every trip needs the one before
is no array code, and torch.compile cannot help it.

    s = 0.0
    for i in range(1, n):                   ->    s = _drift_loop(x, n, s)
        x[i] = 0.5 * (x[i - 1] + x[i])
        s += x[i]

Safety: the loop moves as it is written, and is its own fallback. The runtime compiles it for the types of a
call, with Python's and NumPy's arithmetic; what it does not follow runs as written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from nprewrite.facts.function import Function
from nprewrite.facts.native_regions import NativeRegion, native_regions
from nprewrite.facts.problems import Problem
from nprewrite.facts.steps import NativeSpec
from nprewrite.passes.contract import AddedStep, Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.syntax.document import Document, Edit

_LINE = 100
_LINE_END = re.compile(r"\r\n|\r|\n")
_INDENT = "    "


@dataclass(frozen=True)
class Site:
    """A loop, and the region that it starts or why it starts none."""

    loop: ast.stmt
    found: NativeRegion | Problem


@dataclass(frozen=True)
class NativeLoop(RewritePass[Site, NativeRegion]):
    """NPR407."""

    code = "NPR407"
    name = "native-loop"
    summary = "a sequential scalar loop becomes a function that Numba compiles"
    level = Level.EXACT
    refuses = reasons("NPR407")
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops over elements of arrays."""
        for loop, found in native_regions(function):
            yield Site(loop, found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where a function is computed whose last bits differ from library to library."""
        rounds = isinstance(site.found, NativeRegion) and site.found.lowered.rounds
        return Level.ROUNDING if rounds else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> NativeRegion | Refusal | Deferral:
        """The loop is followed already; Numba has to be there."""
        found = site.found
        if isinstance(found, Problem):
            if found.parameter is not None and function.can_defer:
                return Deferral(found.message)
            return Refusal(reason(found.code), found.message, found.node)
        if find_spec("numba") is None:
            return Refusal(reason("native-missing"), "Numba is not installed")
        return found

    def rewrite(self, site: Site, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        document = function.document
        first, last = proof.statements[0], proof.statements[-1]
        base = "module" if isinstance(function.node, ast.Module) else function.node.name
        name = function.names.fresh(f"_{base.strip('_')}_loop")
        start, end = document.span(first)[0], document.span(last)[1]
        call = _call(name, proof, function)
        where = "the module" if function.name == "<module>" else f"`{function.name}`"
        lines, copied = _lines(proof, function, f"The loop in {where}.")
        shift = len(_INDENT) - len(document.indentation(first))
        before = function.top_level_statement() or _top_level(first, document)
        step = AddedStep(name, NativeSpec(), lines, copied, shift, before, first)
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
