"""The text of a loop whose invariant expressions are computed before it.

    if steps > 0:
        exp_x = dt * np.exp(-k * x)
        for n in range(steps):
            u = u + exp_x * u

The condition stands where the loop may have no iteration: as written, nothing is computed then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.facts.function import Function
from nprewrite.facts.loop_invariants import LoopInvariants
from nprewrite.facts.repeated_cost import costly_operations
from nprewrite.facts.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.facts.values import Array
from nprewrite.passes.guarded_text import header_line
from nprewrite.source.document import Document, Edit, Origin

_MOST_NAMES = 2
_MARGIN = "    "

Line = tuple[str, Origin]
"""A line of the new text, and the user's that it stands for."""


def invariant_edits(site: LoopInvariants, function: Function) -> list[Edit]:
    """The statements before the loop, and the names in the places of the expressions."""
    document, loop = function.document, site.loop
    edits: list[Edit] = []
    found: list[tuple[tuple[int, int], str]] = []
    for nodes in site.parts:
        name = function.names.fresh(_stem(nodes[0], function))
        edits += [Edit(*document.span(each), name) for each in nodes]
        place = nodes[0].lineno, nodes[0].col_offset
        found.append((place, f"{name} = {_one_line(nodes[0], function)}"))
    for statement in site.moved:
        assert statement.end_lineno is not None
        start, end = document.line_start(statement.lineno), document.line_start(statement.end_lineno + 1)
        found.append(((statement.lineno, 0), document.segment(statement)))
        edits.append(Edit(start, end, ""))
    # A name keeps the line of its expression: types that a run has shown are known by their lines.
    lines = [(text, document.origins[line - 1]) for (line, _), text in sorted(found)]
    before = [(part, origin) for text, origin in lines for part in text.splitlines()]
    conditions = _conditions(site, function)
    if conditions:
        header = header_line("if", conditions, document.indentation(loop), document.newline)
        return [_under_condition(site, header, before, edits, document)]
    return [_above(loop, before, document), *edits]


def _above(loop: ast.stmt, before: Sequence[Line], document: Document) -> Edit:
    start, indent = document.line_start(loop.lineno), document.indentation(loop)
    text = "".join(f"{indent}{line}{document.newline}" for line, _ in before)
    origins = (*(origin for _, origin in before), document.origins[loop.lineno - 1])
    return Edit(start, start, text, origins)


def asks_runtime(site: LoopInvariants) -> bool:
    """Whether guards of the runtime's have to hold, without which the loop runs as written."""
    return site.quiet or bool(site.apart)


def _conditions(site: LoopInvariants, function: Function) -> list[str]:
    found = [site.condition] if site.condition is not None else []
    if not asks_runtime(site):
        return found
    runtime = function.names.alias_of(RUNTIME) or function.names.free(RUNTIME_ALIAS)
    arrays = [[*map(function.module.as_written, (name, *others))] for name, others in site.apart.items()]
    found = [
        f"({each})" if isinstance(ast.parse(each, mode="eval").body, ast.BoolOp | ast.IfExp) else each
        for each in found
    ]
    return [f"{runtime}.quiet()", *found, *(f"{runtime}.apart({', '.join(each)})" for each in arrays)]


def _under_condition(
    site: LoopInvariants, header: str, before: Sequence[Line], edits: list[Edit], document: Document
) -> Edit:
    """The loop, indented, below the header and what is before it; as written where a guard may refuse."""
    loop, indent = site.loop, document.indentation(site.loop)
    assert loop.end_lineno is not None
    changed = document.apply(edits)
    last = loop.end_lineno + len(changed.origins) - len(document.origins)
    here = document.origins[loop.lineno - 1]
    found = [(line, here) for line in header.splitlines()]
    found += [(f"{indent}{_MARGIN}{line}", origin) for line, origin in before]
    found += _indented(changed, loop.lineno, last)
    if asks_runtime(site):
        found.append((f"{indent}else:", here))
        found += _indented(document, loop.lineno, loop.end_lineno)
    start, end = document.line_start(loop.lineno), document.line_end(loop.end_lineno)
    text = document.newline.join(line for line, _ in found)
    return Edit(start, end, text, tuple(origin for _, origin in found))


def _indented(document: Document, first: int, last: int) -> Iterator[Line]:
    """Lines of a text moved right, each with the user's line that it stands for."""
    for number in range(first, last + 1):
        line = document.line(number).rstrip("\r\n")
        origin = document.origins[number - 1]
        moved = Origin(origin.line, origin.shift + len(_MARGIN))
        yield f"{_MARGIN}{line}" if line.strip() else line, moved


def _one_line(node: ast.expr, function: Function) -> str:
    """The text of an expression that goes on over lines, with its comments in parentheses."""
    text = function.document.segment(node)
    if node.lineno == node.end_lineno:
        return text
    return f"({text})" if "#" in text else function.module.as_written(ast.unparse(node))


def _stem(node: ast.expr, function: Function) -> str:
    """``exp_x`` for ``dt * np.exp(-x)``, ``product_A_B`` for ``A @ B``: what is computed, and of what."""
    operation = next(costly_operations(node, function))
    word = "power"
    match operation:
        case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)):
            word = called
        case ast.BinOp(op=ast.MatMult()):
            word = "product"
    names = [each for each in ast.walk(operation) if isinstance(each, ast.Name)]
    names.sort(key=lambda each: (each.lineno, each.col_offset))
    arrays = dict.fromkeys(each.id for each in names if isinstance(function.facts.value(each), Array))
    return "_".join([word, *[*arrays][:_MOST_NAMES]])
