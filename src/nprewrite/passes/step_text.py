"""The text of a step function and of the loop that runs through it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from nprewrite.facts.loop_body import LoopBody
from nprewrite.facts.loops import Flow
from nprewrite.facts.steps import StepSpec
from nprewrite.facts.values import Scalar
from nprewrite.passes.corrections import corrections
from nprewrite.syntax.document import Document, Edit, Origin

_LINE = 100
"""Where the loop's header is broken into one argument a line."""


@dataclass(frozen=True)
class Leaf:
    """A scalar part of the iteration: its text, the dtype it is needed in, where it stands.

    ``constant`` is True for a name that is bound before the loop and not in it, ``typed`` for a NumPy
    scalar. ``names`` takes the name of the step's parameter once it is chosen.
    """

    text: str
    dtype: np.dtype[np.generic]
    nodes: tuple[ast.expr, ...]
    constant: bool
    typed: bool
    names: list[str] = field(default_factory=list)


def loop_header(
    name: str,
    iterable: str,
    target: str,
    indent: str,
    spec: StepSpec,
    leaves: tuple[Leaf, ...],
    body: LoopBody,
) -> str:
    """``_step.over(range(k), horizon=horizon, C=C, N=N, Z=Z)``, as one line or one argument a line."""
    passed = body.spelling
    by_name = {leaf.names[-1]: leaf for leaf in leaves}
    arguments = [iterable]
    per_trip = [by_name[each].text for each in spec.scalars]
    if body.control is None and per_trip and per_trip != [body.counter]:
        values = [in_caller(text, passed) for text in per_trip]
        arguments.append(f"scalars=lambda {target}: {tuple_text(values)}")
    for each in spec.constants:
        arguments.append(f"{each}={in_caller(by_name[each].text, passed)}")
    arguments += [f"{each}={passed.get(each, each)}" for each in (*spec.inputs, *spec.state, *spec.carried)]
    arguments += [f"{each}={passed.get(each, each)}" for each in spec.apart]
    arguments += [f"{each}={each}" for each in spec.calls]
    line = f"{name}.over({', '.join(arguments)})"
    if len(f"{indent}for {target} in (loop := {line}):") <= _LINE:
        return line
    newline = f"{body.view.document.newline}{indent}"
    return f"{name}.over({''.join(f'{newline}    {each},' for each in arguments)}{newline})"


def tuple_text(values: list[str]) -> str:
    """The text of a tuple of these."""
    return f"({', '.join(values)}{',' if len(values) == 1 else ''})"


def in_caller(text: str, passed: dict[str, str]) -> str:
    """A scalar expression of a called function in the caller's names."""

    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(passed.get(node.id, node.id), node.ctx)

    return ast.unparse(Rename().visit(ast.parse(text, mode="eval").body)) if passed else text


def store_results(
    loop: ast.For, name: str, names: list[str], counter: str | None, document: Document
) -> Edit:
    """The statements after the loop that bind the names it would have bound."""
    indent = document.indentation(loop)
    lines = [f"if {name}.finished:"]
    if counter is not None:
        lines.append(f"    {counter} = {name}.counter")
    if names:
        lines.append(f"    {tuple_text(names)} = {name}.results")
    end = document.span(loop)[1]
    line_end = document.line_end(loop.end_lineno or loop.lineno)
    at = end if document.rest_of_line(loop) else line_end
    newline = document.newline
    return Edit(at, at, "".join(f"{newline}{indent}{line}" for line in lines))


def below(header: str, statements: Sequence[ast.stmt], after: Sequence[str], document: Document) -> Edit:
    """The statements, indented, below ``header``, and the lines ``after`` behind them."""
    first, last = statements[0], statements[-1]
    assert last.end_lineno is not None
    indent, newline = document.indentation(first), document.newline
    here = document.origins[first.lineno - 1]
    lines = [f"{indent}{header}"]
    origins = [here] * (header.count("\n") + 1)
    for number in range(first.lineno, last.end_lineno + 1):
        text = document.line(number).rstrip("\r\n")
        lines.append(f"    {text}" if text.strip() else text)
        origin = document.origins[number - 1]
        origins.append(Origin(origin.line, origin.shift + 4))
    lines += [f"{indent}{line}" for line in after]
    origins += [here] * len(after)
    start, end = document.line_start(first.lineno), document.line_end(last.end_lineno)
    return Edit(start, end, newline.join(lines), tuple(origins))


def step_lines(
    flow: Flow, leaves: tuple[Leaf, ...], spec: StepSpec, what: str
) -> tuple[tuple[str, ...], tuple[int | None, ...], int]:
    """The step's lines without its decorator and name, the line each is a copy of, and the shift of columns.

    The first line is ``({parameters}):``, to be put behind ``def name``; ``what`` is the docstring.
    """
    lines: list[str] = [f"({', '.join(spec.signature())}):"]
    copied: list[int | None] = [None]
    lines.append(f'    """{what}"""')
    copied.append(None)
    shift = 0
    body = flow.body
    for name in flow.copied:
        lines.append(f"    {name} = {name}.copy()")
        copied.append(None)
    for name, view in body.views:
        lines.append(f"    {name} = {ast.unparse(view)}")
        copied.append(view.lineno)
    for text, number, indent in _statements(body, leaves):
        lines.append(f"    {text}" if text else "")
        copied.append(number)
        shift = 4 - indent
    results = [*spec.results]
    lines.append(
        f"    return {', '.join(results)}" if len(results) > 1 else f"    return {tuple_text(results)}"
    )
    copied.append(None)
    return tuple(lines), tuple(copied), shift


def _statements(body: LoopBody, leaves: tuple[Leaf, ...]) -> list[tuple[str, int, int]]:
    """Each line of the iteration's statements without its indentation, its number, and that indentation."""
    document = body.view.document
    spans = [(_with_parentheses(node, document), leaf.names[-1]) for leaf in leaves for node in leaf.nodes]
    edits = [Edit(*span, name) for span, name in spans]
    # The scalar parts become parameters of their own.
    parameters = {id(each) for leaf in leaves for node in leaf.nodes for each in ast.walk(node)}
    nodes = [each for statement in body.statements for each in ast.walk(statement)]
    computed = [each for each in nodes if id(each) not in parameters]
    edits += [*_attribute_names(body, computed), *_returns(body), *_named(body)]
    edits += corrections(body, computed)
    found: list[tuple[str, int, int]] = []
    previous_end = None
    for statement in body.statements:
        if _binds_scalar(statement, body) or _is_docstring(statement):
            continue
        edits += _without_scalars(statement, edits, body)
        indent = len(document.indentation(statement))
        comments = _comments_before(document, statement, previous_end)
        found += [(line.strip(), number, indent) for line, number in comments]
        first, *others = _lines_of(statement, document, edits)
        found.append((first, statement.lineno, indent))
        for offset, line in enumerate(others, start=1):
            found.append((_dedent(line, indent), statement.lineno + offset, indent))
        previous_end = statement.end_lineno or statement.lineno
    return found


def _attribute_names(body: LoopBody, computed: list[ast.AST]) -> list[Edit]:
    """``self.u`` as ``self_u``."""
    spelling = body.view.module.spelling
    named = [each for each in computed if isinstance(each, ast.Name) and each.id in spelling]
    return [Edit(*body.view.document.span(each), each.id) for each in named]


def _with_parentheses(node: ast.expr, document: Document) -> tuple[int, int]:
    """The span of an expression with the parentheses around it that a single name does not need."""
    start, end = document.span(node)
    text = document.text
    enclosed = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    called = start > 1 and (text[start - 2].isalnum() or text[start - 2] in "_)]")
    return (
        (start - 1, end + 1) if enclosed and not called and not isinstance(node, ast.Name) else (start, end)
    )


def _without_scalars(statement: ast.stmt, edits: list[Edit], body: LoopBody) -> list[Edit]:
    """``a, x = 2 * h, x * 0.5`` as ``x = x * 0.5``, where ``a`` is a number that Python computes."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets) as left], value=ast.Tuple(elts=values) as right):
            pairs = list(zip(targets, values, strict=True))
        case _:
            return []
    kept = [(target, value) for target, value in pairs if not _is_number(value, body)]
    if len(kept) == len(pairs):
        return []
    document = body.view.document
    texts = [document.edited(*document.span(value), edits) for _, value in kept]
    names = ", ".join(ast.unparse(target) for target, _ in kept)
    return [Edit(*document.span(left), names), Edit(*document.span(right), ", ".join(texts))]


def _lines_of(statement: ast.stmt, document: Document, edits: list[Edit]) -> list[str]:
    """The lines of a statement after ``edits``, with the comment that follows it on its last line."""
    start, end = document.span(statement)
    line_end = document.line_end(statement.end_lineno or statement.lineno)
    if document.text[end:line_end].lstrip().startswith("#"):
        end = line_end
    text = document.edited(start, end, edits)
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _returns(body: LoopBody) -> list[Edit]:
    """``return e`` as ``result = e``, where an assignment stands for a return."""
    document = body.view.document
    last = body.statements[-1]
    start = document.span(last)[0]
    if not isinstance(last, ast.Assign) or document.text[start : start + 6] != "return":
        return []
    return [Edit(start, start + 6, f"{ast.unparse(last.targets[0]).strip('()')} =")]


def _named(body: LoopBody) -> list[Edit]:
    """``(u * u).sum()`` as ``value = (u * u).sum()``, where it is a part of a statement as written."""
    found: list[Edit] = []
    for node, name in body.named.items():
        start, end = body.view.document.span(node)
        opened, closed = ("", "") if node.lineno == node.end_lineno else ("(", ")")
        found += [Edit(start, start, f"{name} = {opened}"), Edit(end, end, closed)]
    return found


def _binds_scalar(statement: ast.stmt, body: LoopBody) -> bool:
    """Whether a statement only names scalars, which the step gets as parameters."""
    match statement:
        case ast.Assign(targets=[ast.Name(), *_], value=value):
            return _is_number(value, body)
        case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple(elts=values)):
            return all(_is_number(value, body) for value in values)
    return False


def _is_number(node: ast.expr, body: LoopBody) -> bool:
    value = body.view.facts.value(node)
    return isinstance(value, Scalar) and not value.of_array


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _comments_before(
    document: Document, statement: ast.stmt, previous_end: int | None
) -> list[tuple[str, int]]:
    """The comment and blank lines between the previous statement and this one."""
    if previous_end is None or not document.starts_line(statement):
        return []
    between = [(document.line(number), number) for number in range(previous_end + 1, statement.lineno)]
    return [(line, number) for line, number in between if not line.strip() or line.lstrip().startswith("#")]


def _dedent(line: str, indent: int) -> str:
    removable = len(line) - len(line.lstrip(" \t"))
    return line[min(indent, removable) :]
